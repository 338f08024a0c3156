-- Every table is derived from the journals and can be built again from them. Times: `..._ms` are milliseconds since
-- the call began, `..._at` are points in time in UTC. `journal_line` is the number of the line a row came from.

CREATE TABLE interviews (
    interview_id VARCHAR PRIMARY KEY, topic VARCHAR, language VARCHAR, first_call_id VARCHAR, started_at TIMESTAMP
);
COMMENT ON TABLE interviews IS 'A chain of calls on one topic.';
COMMENT ON COLUMN interviews.topic IS 'Topic of the earliest call.';
COMMENT ON COLUMN interviews.first_call_id IS 'The earliest call of the chain.';
COMMENT ON COLUMN interviews.started_at IS 'When the earliest call began, UTC.';

CREATE TABLE guests (guest VARCHAR, world VARCHAR, dossier VARCHAR, PRIMARY KEY (guest, world));
COMMENT ON TABLE guests IS 'Who was interviewed: people and simulated guests, kept apart by world.';
COMMENT ON COLUMN guests.dossier IS 'The dossier a simulated guest speaks from; NULL for people.';

CREATE TABLE calls (
    call_id VARCHAR PRIMARY KEY, interview_id VARCHAR, started_at TIMESTAMP, guest VARCHAR, world VARCHAR,
    source VARCHAR, seed BIGINT, dossier VARCHAR, package_version VARCHAR, topic VARCHAR, context VARCHAR,
    target_ms BIGINT, duration_ms BIGINT, status VARCHAR, end_reason VARCHAR, settings JSON, earlier JSON
);
COMMENT ON TABLE calls IS 'One row a call.';
COMMENT ON COLUMN calls.world IS 'real, simulated or replayed; never merged.';
COMMENT ON COLUMN calls.source IS 'What began it: demo, call, ...';
COMMENT ON COLUMN calls.seed IS 'Seed of a simulated call, else NULL.';
COMMENT ON COLUMN calls.context IS 'What the guest said about themselves beforehand.';
COMMENT ON COLUMN calls.target_ms IS 'Length the call aimed at.';
COMMENT ON COLUMN calls.duration_ms IS 'Time of the last line of the journal.';
COMMENT ON COLUMN calls.status IS 'The last status recorded: connecting, live, closing, after, done.';
COMMENT ON COLUMN calls.end_reason IS 'Why it ended; NULL while it runs, or if it was cut off.';
COMMENT ON COLUMN calls.settings IS 'All settings of the call.';
COMMENT ON COLUMN calls.earlier IS 'What an earlier call of the chain left: notes, heard, covered.';

CREATE TABLE plans (
    call_id VARCHAR PRIMARY KEY, topic VARCHAR, goal VARCHAR, angle VARCHAR, language VARCHAR, plan_notes VARCHAR,
    plan JSON
);
COMMENT ON TABLE plans IS 'The plan each call was begun with.';
COMMENT ON COLUMN plans.plan IS 'The whole plan.';

CREATE TABLE questions (
    call_id VARCHAR, question_id VARCHAR, number INTEGER, planned BOOLEAN, section_id VARCHAR, section_title VARCHAR,
    text VARCHAR, role VARCHAR, priority INTEGER, source VARCHAR, question_notes VARCHAR,
    PRIMARY KEY (call_id, question_id)
);
COMMENT ON TABLE questions IS 'Every question with an identity: those of the plan, then those registered during the call.';
COMMENT ON COLUMN questions.number IS 'Order: that of the plan, then of registration.';
COMMENT ON COLUMN questions.planned IS 'Whether the plan held it.';
COMMENT ON COLUMN questions.priority IS '1 (first) to 3.';
COMMENT ON COLUMN questions.source IS 'plan, gap, contradiction, research, ...';

CREATE TABLE turns (
    call_id VARCHAR, turn_id VARCHAR, position INTEGER, speaker VARCHAR, text VARCHAR, state VARCHAR,
    started_ms BIGINT, ended_ms BIGINT, heard VARCHAR, item_id VARCHAR, response_id VARCHAR, question_id VARCHAR,
    PRIMARY KEY (call_id, turn_id)
);
COMMENT ON TABLE turns IS 'What was said, one row a turn, as it stood last.';
COMMENT ON COLUMN turns.position IS 'Order in the conversation.';
COMMENT ON COLUMN turns.text IS 'For the interviewer what was generated; see heard.';
COMMENT ON COLUMN turns.heard IS 'For the interviewer the part that was played.';
COMMENT ON COLUMN turns.state IS 'speaking, waiting, final or inaudible.';

CREATE TABLE ledger_events (
    call_id VARCHAR, seq INTEGER, ts_ms BIGINT, kind VARCHAR, question_id VARCHAR, attempt_id VARCHAR,
    known VARCHAR, world VARCHAR, basis VARCHAR, reason VARCHAR, score DOUBLE, threshold DOUBLE, scorer VARCHAR,
    response_id VARCHAR, item_id VARCHAR, revision INTEGER, played_ms BIGINT, total_ms BIGINT, heard_ms BIGINT,
    evidence JSON, PRIMARY KEY (call_id, seq)
);
COMMENT ON TABLE ledger_events IS 'The question ledger as it was written: appended, never changed.';
COMMENT ON COLUMN ledger_events.seq IS 'Counts from 1 within a call.';
COMMENT ON COLUMN ledger_events.kind IS 'question, selected, accepted, started, generated, delivered, released, held, heard, covered, ...';
COMMENT ON COLUMN ledger_events.known IS 'How it is known: live, matched (by text) or reconstructed (from an old transcript).';
COMMENT ON COLUMN ledger_events.basis IS 'protocol (the service says so) or inferred.';
COMMENT ON COLUMN ledger_events.reason IS 'Why an attempt was released or held.';
COMMENT ON COLUMN ledger_events.score IS 'Similarity, 0 to 1, by scorer, against threshold.';
COMMENT ON COLUMN ledger_events.revision IS 'Number of the instruction update that carried it.';
COMMENT ON COLUMN ledger_events.played_ms IS 'How much of the response had been played.';
COMMENT ON COLUMN ledger_events.evidence IS 'All evidence, also what has a column of its own.';

CREATE TABLE replies (
    call_id VARCHAR, number INTEGER, kind VARCHAR, response_id VARCHAR, attempt_id VARCHAR, question_id VARCHAR,
    status VARCHAR, reason VARCHAR, requested_ms BIGINT, created_ms BIGINT, first_audio_ms BIGINT, done_ms BIGINT,
    ended_ms BIGINT, played_ms BIGINT, total_ms BIGINT, stale_ms BIGINT, text VARCHAR, basis VARCHAR,
    input_tokens BIGINT, output_tokens BIGINT, usage JSON, PRIMARY KEY (call_id, number)
);
COMMENT ON TABLE replies IS 'Replies of the voice, one row each.';
COMMENT ON COLUMN replies.kind IS 'opening, question, free, nudge, resume or closing; only the first two carry an attempt.';
COMMENT ON COLUMN replies.stale_ms IS 'Age of the guidance it was spoken under; NULL without any.';
COMMENT ON COLUMN replies.played_ms IS 'How much of its total_ms of audio was played.';
COMMENT ON COLUMN replies.usage IS 'Tokens as the service counts them.';

CREATE TABLE agent_runs (
    call_id VARCHAR, job_id VARCHAR, agent VARCHAR, version VARCHAR, cycle INTEGER, started_ms BIGINT,
    ended_ms BIGINT, latency_ms BIGINT, outcome VARCHAR, error VARCHAR, model VARCHAR, input_tokens BIGINT,
    output_tokens BIGINT, input_hash VARCHAR, output JSON, PRIMARY KEY (call_id, job_id)
);
COMMENT ON TABLE agent_runs IS 'Every run of an agent that came to an end.';
COMMENT ON COLUMN agent_runs.version IS 'Changes with the agent''s instructions or output schema.';
COMMENT ON COLUMN agent_runs.outcome IS 'ok, late, error or invalid.';

CREATE TABLE decisions (
    call_id VARCHAR, number INTEGER, ts_ms BIGINT, cycle INTEGER, phase VARCHAR, outcome VARCHAR, reason VARCHAR,
    question_id VARCHAR, text VARCHAR, source VARCHAR, is_return BOOLEAN, why VARCHAR, brief VARCHAR,
    themes VARCHAR[], snapshot_ms BIGINT, PRIMARY KEY (call_id, number)
);
COMMENT ON TABLE decisions IS 'What the Orchestrator proposed, and what became of it.';
COMMENT ON COLUMN decisions.outcome IS 'selected, kept, refused or none.';
COMMENT ON COLUMN decisions.is_return IS 'A deliberate return to something heard before.';
COMMENT ON COLUMN decisions.snapshot_ms IS 'Time of the conversation it was made on.';

CREATE TABLE notes (
    call_id VARCHAR, journal_line INTEGER, ts_ms BIGINT, cycle INTEGER, ideas INTEGER, stories INTEGER,
    claims INTEGER, gaps INTEGER, contradictions INTEGER, notes JSON, PRIMARY KEY (call_id, journal_line)
);
COMMENT ON TABLE notes IS 'The Note-Taker''s notes after each merge; the last row of a call holds them all.';
COMMENT ON COLUMN notes.ideas IS 'How many; the notes themselves are in the column notes.';

CREATE TABLE research (
    call_id VARCHAR, journal_line INTEGER, item INTEGER, ts_ms BIGINT, cycle INTEGER, subject VARCHAR, found BOOLEAN,
    said VARCHAR, turn_id VARCHAR, summary VARCHAR, suggested_use VARCHAR, verification VARCHAR, sources VARCHAR[],
    PRIMARY KEY (call_id, journal_line, item)
);
COMMENT ON TABLE research IS 'Subjects the Researcher tried, with what it found.';
COMMENT ON COLUMN research.found IS 'False: tried, nothing brought.';
COMMENT ON COLUMN research.said IS 'The guest''s words it is tied to.';

CREATE TABLE requests (
    call_id VARCHAR, journal_line INTEGER, ts_ms BIGINT, kind VARCHAR, turn_id VARCHAR, question_id VARCHAR,
    text VARCHAR, PRIMARY KEY (call_id, journal_line)
);
COMMENT ON TABLE requests IS 'What the guest asked for: skip, answered, back, stop, goodbye.';

CREATE TABLE moments (
    call_id VARCHAR, journal_line INTEGER, ts_ms BIGINT, kind VARCHAR, detail JSON,
    PRIMARY KEY (call_id, journal_line)
);
COMMENT ON TABLE moments IS 'Changes of status and phase, goodbyes, fallbacks of agents, and what was ignored.';
COMMENT ON COLUMN moments.kind IS 'status, phase, goodbye, fallback, ignored.';

CREATE TABLE analyses (
    call_id VARCHAR, journal_line INTEGER, ts_ms BIGINT, goal_met VARCHAR, title VARCHAR, subtitle VARCHAR,
    assessment VARCHAR, analysis JSON, PRIMARY KEY (call_id, journal_line)
);
COMMENT ON TABLE analyses IS 'The Analyst''s reading of the whole transcript.';
COMMENT ON COLUMN analyses.goal_met IS 'no, partly, mostly or fully.';

CREATE TABLE follow_ups (
    call_id VARCHAR, journal_line INTEGER, topic_number INTEGER, ts_ms BIGINT, title VARCHAR, why VARCHAR,
    questions VARCHAR[], summary VARCHAR, gaps VARCHAR[], strengthen VARCHAR[],
    PRIMARY KEY (call_id, journal_line, topic_number)
);
COMMENT ON TABLE follow_ups IS 'Topics to return to, one row a topic.';
COMMENT ON COLUMN follow_ups.topic_number IS '1 to 3, as a person picks them.';

CREATE TABLE drafts (
    call_id VARCHAR, journal_line INTEGER, ts_ms BIGINT, title VARCHAR, markdown VARCHAR, sentences JSON,
    PRIMARY KEY (call_id, journal_line)
);
COMMENT ON TABLE drafts IS 'Essays, as they were written; the last of a call counts.';
COMMENT ON COLUMN drafts.sentences IS 'Each sentence with the turn it came from; turn null: the writer''s own words.';

CREATE TABLE truth (
    call_id VARCHAR, journal_line INTEGER, ts_ms BIGINT, kind VARCHAR, detail JSON,
    PRIMARY KEY (call_id, journal_line)
);
COMMENT ON TABLE truth IS 'Simulated calls only: what really was voiced and disclosed, to hold the ledger against.';
COMMENT ON COLUMN truth.kind IS 'voiced, disclosure or summary.';

CREATE TABLE journals (
    file VARCHAR PRIMARY KEY, call_id VARCHAR, lines INTEGER, bytes BIGINT, damaged INTEGER, torn BOOLEAN,
    problem VARCHAR
);
COMMENT ON TABLE journals IS 'Which journals were taken in, and how far.';
COMMENT ON COLUMN journals.file IS 'Relative to the home; absolute if it lies elsewhere.';
COMMENT ON COLUMN journals.lines IS 'Whole lines taken in, the head included.';
COMMENT ON COLUMN journals.bytes IS 'Size of the file when it was taken in.';
COMMENT ON COLUMN journals.damaged IS 'Places of damage; see quarantine.';
COMMENT ON COLUMN journals.torn IS 'The last line was not whole: still being written, or cut off.';
COMMENT ON COLUMN journals.problem IS 'Why nothing of it could be taken in, else NULL.';

CREATE TABLE quarantine (
    file VARCHAR, line_number INTEGER, place INTEGER, call_id VARCHAR, reason VARCHAR, raw VARCHAR,
    PRIMARY KEY (file, line_number, place)
);
COMMENT ON TABLE quarantine IS 'Damage found in journals: lines that could not be taken in, and lines that are missing.';
COMMENT ON COLUMN quarantine.line_number IS 'Line of the file.';
COMMENT ON COLUMN quarantine.place IS 'Counts the damage found on one line.';
COMMENT ON COLUMN quarantine.raw IS 'The line as it stands in the file; bytes that are no text are replaced. NULL: lines are missing here.';
