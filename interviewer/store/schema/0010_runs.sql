-- What replays made of recordings. Derived from the parts under `runs/`, and taken in again when the database is gone.
-- There are no keys here: the parts are taken in whole, once each, and an index would cost more than all the rest.

CREATE TABLE runs (
    run_id VARCHAR, started_at TIMESTAMP, kind VARCHAR, configuration VARCHAR, sweep VARCHAR, package_version VARCHAR,
    settings JSON, agents JSON, status VARCHAR, seconds DOUBLE
);
COMMENT ON TABLE runs IS 'Recordings replayed under one configuration, one row a run.';
COMMENT ON COLUMN runs.kind IS 'exact, teacher-forced, prefix or simulated: what may be concluded from it.';
COMMENT ON COLUMN runs.configuration IS 'What the settings were called; empty for none.';
COMMENT ON COLUMN runs.sweep IS 'The sweep it is part of; empty for none.';
COMMENT ON COLUMN runs.agents IS 'Version of each agent.';
COMMENT ON COLUMN runs.status IS 'finished, stopped (by a person), or NULL: it runs, or its program died.';
COMMENT ON COLUMN runs.seconds IS 'Time it took, start to end.';

CREATE TABLE run_books (run_id VARCHAR, bytes BIGINT, parts INTEGER, problem VARCHAR);
COMMENT ON TABLE run_books IS 'How far each run was taken in.';
COMMENT ON COLUMN run_books.bytes IS 'Size of its book when it was last taken in.';
COMMENT ON COLUMN run_books.parts IS 'Parts that were taken in.';
COMMENT ON COLUMN run_books.problem IS 'Parts that could not be read, and why; empty if all could.';

CREATE TABLE run_calls (
    run_id VARCHAR, recording VARCHAR, call_id VARCHAR, origin VARCHAR, topic VARCHAR, ended VARCHAR, ended_ms BIGINT,
    inputs INTEGER, seconds DOUBLE, details INTEGER, left_turn VARCHAR, left_ms BIGINT, left_chosen VARCHAR,
    left_asked VARCHAR, left_score DOUBLE, left_turns INTEGER, left_turns_total INTEGER, truth JSON, notes VARCHAR[],
    setup JSON
);
COMMENT ON TABLE run_calls IS 'Each recording of a run.';
COMMENT ON COLUMN run_calls.recording IS 'What was replayed: a call''s id, or a transcript''s name. Joins all tables of runs.';
COMMENT ON COLUMN run_calls.call_id IS 'The call it is, if it is one of the store; else NULL.';
COMMENT ON COLUMN run_calls.origin IS 'call, import or file.';
COMMENT ON COLUMN run_calls.ended IS 'Why the replay ended.';
COMMENT ON COLUMN run_calls.ended_ms IS 'When, on the call''s clock.';
COMMENT ON COLUMN run_calls.inputs IS 'How many inputs the core took.';
COMMENT ON COLUMN run_calls.seconds IS 'Processor time it took.';
COMMENT ON COLUMN run_calls.details IS 'Of kind simulated: details the guest holds.';
COMMENT ON COLUMN run_calls.left_turn IS 'Of kind prefix: the turn at which the choice left the recording; NULL if it never did.';
COMMENT ON COLUMN run_calls.left_turns IS 'Of kind prefix: turns of the interviewer''s before that, of left_turns_total.';
COMMENT ON COLUMN run_calls.truth IS 'Of kind simulated: figures of what really happened.';
COMMENT ON COLUMN run_calls.setup IS 'What the replay was begun with: plan, settings, guest.';

CREATE TABLE run_turns (
    run_id VARCHAR, recording VARCHAR, call_id VARCHAR, side VARCHAR, position INTEGER, turn_id VARCHAR,
    speaker VARCHAR, text VARCHAR, started_ms BIGINT, ended_ms BIGINT, question_id VARCHAR
);
COMMENT ON TABLE run_turns IS 'What was said, in the recording and in the replay.';
COMMENT ON COLUMN run_turns.side IS 'recorded or replayed.';

CREATE TABLE run_decisions (
    run_id VARCHAR, recording VARCHAR, call_id VARCHAR, number INTEGER, cycle INTEGER, ts_ms BIGINT,
    snapshot_ms BIGINT, turn_id VARCHAR, phase VARCHAR, proposed_phase VARCHAR, question_id VARCHAR, text VARCHAR,
    source VARCHAR, is_return BOOLEAN, why VARCHAR, brief VARCHAR, themes VARCHAR[], outcome VARCHAR, reason VARCHAR,
    asked_turn VARCHAR, asked VARCHAR, score DOUBLE
);
COMMENT ON TABLE run_decisions IS 'What the Orchestrator proposed in a replay, what became of it, and what the recording asked next.';
COMMENT ON COLUMN run_decisions.turn_id IS 'The last turn that the agents had read.';
COMMENT ON COLUMN run_decisions.outcome IS 'selected, kept, refused or none.';
COMMENT ON COLUMN run_decisions.asked_turn IS 'The interviewer''s next turn in the recording.';
COMMENT ON COLUMN run_decisions.asked IS 'What was asked there.';
COMMENT ON COLUMN run_decisions.score IS 'How alike both are, 0 to 1; NULL if that cannot be told.';

CREATE TABLE run_moments (
    run_id VARCHAR, recording VARCHAR, call_id VARCHAR, position INTEGER, turn_id VARCHAR, ts_ms BIGINT, kind VARCHAR,
    phase VARCHAR, question_id VARCHAR, offered VARCHAR, decision INTEGER, asked VARCHAR, score DOUBLE, agrees BOOLEAN
);
COMMENT ON TABLE run_moments IS 'Each turn of the interviewer''s in a recording, and what would have been asked there instead.';
COMMENT ON COLUMN run_moments.offered IS 'The wording chosen for it; empty if the voice was left free.';
COMMENT ON COLUMN run_moments.decision IS 'Number of the decision behind it; 0 for the opening.';
COMMENT ON COLUMN run_moments.agrees IS 'Whether both ask for the same; NULL if that cannot be told.';

CREATE TABLE run_events (
    run_id VARCHAR, recording VARCHAR, call_id VARCHAR, seq INTEGER, ts_ms BIGINT, kind VARCHAR, question_id VARCHAR,
    attempt_id VARCHAR, known VARCHAR, world VARCHAR, basis VARCHAR, reason VARCHAR, score DOUBLE, evidence JSON
);
COMMENT ON TABLE run_events IS 'The question ledger of each replay; see ledger_events.';

CREATE TABLE run_agent_runs (
    run_id VARCHAR, recording VARCHAR, call_id VARCHAR, job_id VARCHAR, agent VARCHAR, version VARCHAR, cycle INTEGER,
    started_ms BIGINT, ended_ms BIGINT, latency_ms BIGINT, input_hash VARCHAR, model VARCHAR, outcome VARCHAR,
    error VARCHAR, input_tokens BIGINT, output_tokens BIGINT, cached_tokens BIGINT, cost_usd DOUBLE, retries INTEGER,
    repairs INTEGER, reused BOOLEAN
);
COMMENT ON TABLE run_agent_runs IS 'Every run of an agent in a replay.';
COMMENT ON COLUMN run_agent_runs.reused IS 'Played back from a cassette.';
COMMENT ON COLUMN run_agent_runs.cost_usd IS 'US dollars; NULL if the price was not known.';

CREATE TABLE run_differences (
    run_id VARCHAR, recording VARCHAR, call_id VARCHAR, position INTEGER, input INTEGER, input_type VARCHAR,
    ts_ms BIGINT, stored JSON, fresh JSON, fields JSON
);
COMMENT ON TABLE run_differences IS 'Of kind exact: ledger events that the core makes otherwise of the same inputs.';
COMMENT ON COLUMN run_differences.input IS 'Number of the input from which it comes, from 1.';
COMMENT ON COLUMN run_differences.stored IS 'The event as it was recorded; NULL if it is new.';
COMMENT ON COLUMN run_differences.fresh IS 'The event as it is now; NULL if it is gone.';
COMMENT ON COLUMN run_differences.fields IS 'What differs: name, before, now.';

CREATE TABLE run_disclosures (
    run_id VARCHAR, recording VARCHAR, call_id VARCHAR, detail_id VARCHAR, turn_id VARCHAR, text VARCHAR,
    ts_ms BIGINT, asked BOOLEAN, question VARCHAR
);
COMMENT ON TABLE run_disclosures IS 'Of kind simulated: details that the guest told.';
COMMENT ON COLUMN run_disclosures.turn_id IS 'The turn of the recording it stands in.';
COMMENT ON COLUMN run_disclosures.asked IS 'Asked for, by question; else volunteered.';

CREATE TABLE run_records (
    run_id VARCHAR, recording VARCHAR, call_id VARCHAR, position INTEGER, ts_ms BIGINT, kind VARCHAR, data JSON
);
COMMENT ON TABLE run_records IS 'Other records of a replay: replies, the last notes, analysis, follow-up, essay.';

CREATE TABLE run_failures (run_id VARCHAR, recording VARCHAR, call_id VARCHAR, error VARCHAR, problem VARCHAR);
COMMENT ON TABLE run_failures IS 'Recordings that could not be replayed.';
COMMENT ON COLUMN run_failures.error IS 'Name of the error.';
