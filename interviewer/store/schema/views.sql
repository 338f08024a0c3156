-- The ledger's fold, told in SQL: the same rules, in the same order, as the package's own.

CREATE OR REPLACE VIEW registered AS
SELECT
    call_id, question_id, seq, ts_ms, coalesce(evidence ->> 'text', '') AS text,
    coalesce(nullif(try_cast(evidence ->> 'priority' AS INTEGER), 0), 3) AS priority,
    coalesce(try_cast(evidence ->> 'planned' AS BOOLEAN), false) AS planned,
    coalesce(evidence ->> 'source', 'plan') AS source, nullif(evidence ->> 'section_id', '') AS section_id,
    coalesce(evidence ->> 'role', 'backbone') AS role
FROM ledger_events
WHERE kind = 'question' AND question_id IS NOT NULL
QUALIFY row_number() OVER (PARTITION BY call_id, question_id ORDER BY seq) = 1;
COMMENT ON VIEW registered IS 'Questions as the ledger knows them, planned or not.';

CREATE OR REPLACE VIEW attempts AS
WITH steps AS (
    -- What can never have an effect is left out here; what depends on the state is judged below.
    SELECT
        e.call_id, e.seq, e.kind, e.question_id, e.attempt_id, e.response_id, e.reason,
        coalesce(CASE e.kind WHEN 'delivered' THEN e.played_ms ELSE e.heard_ms END, 0) AS heard_ms,
        list_position(['selected', 'accepted', 'started', 'generated', 'delivered'], e.kind) AS stage
    FROM ledger_events AS e
    LEFT JOIN registered AS r ON r.call_id = e.call_id AND r.question_id = e.question_id AND r.seq < e.seq
    WHERE e.attempt_id IS NOT NULL
        AND CASE e.kind
            WHEN 'selected' THEN r.seq IS NOT NULL
            WHEN 'accepted' THEN true
            WHEN 'started' THEN e.response_id <> ''
            WHEN 'generated' THEN true
            WHEN 'delivered' THEN
                e.evidence ->> 'status' = 'completed'
                AND (
                    coalesce(e.evidence ->> 'displayed', 'false') NOT IN ('false', '0', '')
                    OR (
                        coalesce(e.played_ms, 0) + least(
                            coalesce(try_cast(e.evidence ->> 'tolerance_ms' AS BIGINT), 0),
                            try_cast(e.evidence ->> 'end_ms' AS BIGINT) // 2
                        ) >= try_cast(e.evidence ->> 'end_ms' AS BIGINT)
                        AND coalesce(e.played_ms, 0) > 0
                        AND try_cast(e.evidence ->> 'end_ms' AS BIGINT) > 0
                    )
                )
            WHEN 'released' THEN
                e.reason IN ('failed', 'refused', 'superseded', 'timed_out', 'disconnected', 'cancelled',
                    'incomplete', 'not_played', 'declined', 'wandered')
            WHEN 'held' THEN e.reason IN ('cut', 'unconfirmed')
            ELSE false
        END
),
folded AS (
    -- `state` is the step before with all attempts so far, `e` the step to take.
    SELECT call_id, list_reduce(
        list({
            'kind': kind, 'stage': stage, 'seq': seq, 'question_id': question_id, 'attempt_id': attempt_id,
            'response_id': response_id, 'reason': reason, 'heard_ms': heard_ms,
            'attempts': []::STRUCT(
                attempt_id VARCHAR, question_id VARCHAR, selected_seq INTEGER, stage INTEGER, response_id VARCHAR,
                outcome VARCHAR, reason VARCHAR, heard_ms BIGINT, closed_seq INTEGER)[]
        } ORDER BY seq),
        lambda state, e: struct_update(e, attempts := CASE
            WHEN e.kind = 'selected' AND len(list_filter(state.attempts,
                lambda a: a.attempt_id = e.attempt_id OR (a.outcome = 'open' AND a.question_id = e.question_id))) > 0
                THEN state.attempts
            WHEN e.kind = 'selected' THEN list_append(
                list_transform(state.attempts, lambda a: CASE
                    WHEN a.outcome = 'open' AND a.stage < 3
                        THEN struct_update(a, outcome := 'released', reason := 'superseded', closed_seq := e.seq)
                    ELSE a END),
                {'attempt_id': e.attempt_id, 'question_id': e.question_id, 'selected_seq': e.seq, 'stage': 1,
                    'response_id': NULL, 'outcome': 'open', 'reason': '', 'heard_ms': 0, 'closed_seq': NULL})
            ELSE list_transform(state.attempts, lambda a: CASE
                WHEN a.attempt_id <> e.attempt_id OR a.question_id IS DISTINCT FROM e.question_id
                    OR a.outcome <> 'open' THEN a
                WHEN e.kind = 'released' OR (e.kind = 'held' AND a.stage >= 3) THEN
                    struct_update(a, outcome := e.kind, reason := e.reason, heard_ms := e.heard_ms, closed_seq := e.seq)
                WHEN e.stage IS DISTINCT FROM a.stage + 1 THEN a
                WHEN e.stage = 3 AND len(list_filter(state.attempts,
                    lambda o: o.outcome = 'open' AND o.stage >= 3)) > 0 THEN a
                WHEN e.stage = 3 THEN struct_update(a, stage := 3, response_id := e.response_id)
                WHEN e.stage > 3 AND e.response_id IS DISTINCT FROM a.response_id THEN a
                WHEN e.stage = 5 THEN
                    struct_update(a, stage := 5, outcome := 'delivered', heard_ms := e.heard_ms, closed_seq := e.seq)
                ELSE struct_update(a, stage := e.stage) END)
            END),
        {
            'kind': '', 'stage': 0, 'seq': 0, 'question_id': '', 'attempt_id': '', 'response_id': '', 'reason': '',
            'heard_ms': 0,
            'attempts': []::STRUCT(
                attempt_id VARCHAR, question_id VARCHAR, selected_seq INTEGER, stage INTEGER, response_id VARCHAR,
                outcome VARCHAR, reason VARCHAR, heard_ms BIGINT, closed_seq INTEGER)[]
        }
    ).attempts AS attempts
    FROM steps
    GROUP BY call_id
)
SELECT call_id, unnest(attempts, recursive := true) FROM folded;
COMMENT ON VIEW attempts IS 'Every try to get a question asked: the last stage it reached (1 selected to 5 delivered) and how it ended (open, delivered, released, held).';

CREATE OR REPLACE VIEW marks AS
SELECT
    e.call_id, e.question_id, e.kind, e.seq, e.ts_ms, e.at_ms, e.score,
    coalesce(e.evidence ->> 'volunteered', 'false') NOT IN ('false', '0', '') AS volunteered
FROM ledger_events AS e
INNER JOIN registered AS r ON r.call_id = e.call_id AND r.question_id = e.question_id AND r.seq < e.seq
WHERE e.kind IN ('covered', 'answered', 'declined', 'nothing', 'claimed', 'reconstructed')
QUALIFY row_number() OVER (PARTITION BY e.call_id, e.question_id, e.kind ORDER BY e.seq) = 1;
COMMENT ON VIEW marks IS 'The first covered, answered, declined, nothing, claimed and reconstructed event of each question.';

CREATE OR REPLACE VIEW carried AS
SELECT
    e.call_id, e.question_id, e.seq, e.evidence ->> 'status' AS status, e.evidence ->> 'call' AS from_call,
    coalesce(e.evidence ->> 'reason', '') AS reason,
    coalesce(try_cast(e.evidence ->> 'holds' AS INTEGER), 0) AS holds, e.world
FROM ledger_events AS e
INNER JOIN registered AS r ON r.call_id = e.call_id AND r.question_id = e.question_id AND r.seq < e.seq
WHERE e.kind = 'carried' AND e.evidence ->> 'status' IN ('delivered', 'held')
QUALIFY row_number() OVER (PARTITION BY e.call_id, e.question_id ORDER BY e.seq) = 1;
COMMENT ON VIEW carried IS 'Questions that were delivered or held in an earlier call of the chain, as this call began.';

CREATE OR REPLACE VIEW guard AS
SELECT
    e.call_id, e.seq, e.ts_ms, e.at_ms, e.kind = 'repeated' AS spoken,
    CASE
        WHEN e.kind = 'guarded' THEN e.evidence ->> 'decision'
        WHEN coalesce(e.evidence ->> 'deliberate', 'false') NOT IN ('false', '0', '') THEN 'returned'
        ELSE 'repeated'
    END AS decision,
    e.question_id, e.attempt_id, e.evidence ->> 'text' AS text, e.evidence ->> 'like' AS heard_before,
    e.evidence ->> 'like_id' AS heard_question_id, e.score, e.threshold, e.scorer, coalesce(e.reason, '') AS reason
FROM ledger_events AS e
LEFT JOIN registered AS r ON r.call_id = e.call_id AND r.question_id = e.question_id AND r.seq < e.seq
WHERE (
        e.kind = 'guarded' AND r.seq IS NOT NULL
        AND e.evidence ->> 'decision' IN ('passed', 'returned', 'warned', 'refused')
    )
    OR (
        e.kind = 'repeated' AND EXISTS (
            SELECT 1 FROM ledger_events AS h
            WHERE h.kind = 'heard' AND h.call_id = e.call_id AND h.seq < e.seq
                AND h.response_id IS NOT DISTINCT FROM e.response_id AND h.item_id IS NOT DISTINCT FROM e.item_id
                AND h.evidence ->> 'start' IS NOT DISTINCT FROM e.evidence ->> 'start'
        )
    )
QUALIFY e.kind = 'guarded' OR row_number() OVER (
    PARTITION BY e.call_id, e.kind, e.response_id, e.item_id, e.evidence ->> 'start' ORDER BY e.seq
) = 1;
COMMENT ON VIEW guard IS 'The repeat guard: each proposal it looked at, and each question that was heard again, with the likest that was heard before.';

CREATE OR REPLACE VIEW question_state AS
WITH tried AS (
    SELECT
        call_id, question_id, count(*) AS attempts, count(*) FILTER (outcome = 'held') AS holds,
        bool_or(outcome = 'delivered') AS delivered, bool_or(outcome = 'open') AS pending,
        arg_max(reason, selected_seq) AS last_reason,
        max(stage) AS furthest_stage, min(selected_seq) AS first_seq
    FROM attempts
    GROUP BY call_id, question_id
),
marked AS (
    SELECT
        call_id, question_id,
        bool_or(kind = 'covered') AS covered, bool_or(kind = 'answered') AS answered,
        bool_or(kind = 'declined') AS declined, bool_or(kind = 'claimed') AS claimed,
        bool_or(kind = 'nothing') AS nothing_to_say,
        bool_or(kind = 'answered' AND volunteered) AS volunteered,
        max(coalesce(score, 0)) FILTER (kind = 'reconstructed') AS reconstructed
    FROM marks
    GROUP BY call_id, question_id
)
SELECT
    r.call_id, r.question_id, r.text, r.planned, r.priority, r.source, r.section_id,
    CASE
        WHEN t.delivered OR c.status = 'delivered' THEN 'delivered'
        WHEN t.pending THEN 'pending'
        WHEN t.holds > 0 OR c.status = 'held' THEN 'held'
        ELSE 'available'
    END AS status,
    coalesce(t.attempts, 0) AS attempts, coalesce(t.holds, 0) + coalesce(c.holds, 0) AS holds,
    coalesce(t.last_reason, c.reason, '') AS last_reason, coalesce(t.furthest_stage, 0) AS furthest_stage,
    coalesce(m.covered, false) AS covered, coalesce(m.answered, false) AS answered,
    coalesce(m.volunteered, false) AS volunteered, coalesce(m.declined, false) AS declined,
    coalesce(m.nothing_to_say, false) AS nothing_to_say,
    coalesce(m.claimed, false) AS claimed, coalesce(g.refused, false) AS refused, m.reconstructed,
    r.priority + coalesce(m.volunteered, false)::INTEGER + coalesce(m.reconstructed, 0) AS effective_priority,
    r.seq AS registered_seq, c.from_call AS carried_from
FROM registered AS r
LEFT JOIN tried AS t USING (call_id, question_id)
LEFT JOIN carried AS c
    ON c.call_id = r.call_id AND c.question_id = r.question_id AND (t.first_seq IS NULL OR c.seq < t.first_seq)
LEFT JOIN marked AS m USING (call_id, question_id)
LEFT JOIN (SELECT DISTINCT call_id, question_id, true AS refused FROM guard WHERE decision = 'refused') AS g
    USING (call_id, question_id);
COMMENT ON VIEW question_state IS 'What has become of each question: delivered, pending, held or available, and why.';

CREATE OR REPLACE VIEW coverage AS
SELECT
    call_id, count(*) AS planned, count(*) FILTER (attempts > 0) AS selected,
    count(*) FILTER (status = 'delivered') AS delivered, count(*) FILTER (answered) AS answered,
    sum(4 - priority)::BIGINT AS weight,
    coalesce(sum(4 - priority) FILTER (attempts > 0), 0) / sum(4 - priority) AS selected_share,
    coalesce(sum(4 - priority) FILTER (status = 'delivered'), 0) / sum(4 - priority) AS delivered_share,
    coalesce(sum(4 - priority) FILTER (answered), 0) / sum(4 - priority) AS answered_share
FROM question_state
WHERE planned
GROUP BY call_id;
COMMENT ON VIEW coverage IS 'Planned questions selected, delivered and answered; the shares are weighted by 4 - priority.';

CREATE OR REPLACE VIEW delivery_funnel AS
WITH reached AS (
    SELECT
        call_id, count(*) AS selected, count(*) FILTER (stage >= 2) AS accepted,
        count(*) FILTER (stage >= 3) AS started, count(*) FILTER (stage >= 4) AS generated,
        count(*) FILTER (outcome = 'delivered') AS delivered, count(*) FILTER (outcome = 'released') AS released,
        count(*) FILTER (outcome = 'held') AS held
    FROM attempts
    GROUP BY call_id
)
SELECT
    *, accepted / selected AS accepted_share, started / nullif(accepted, 0) AS started_share,
    generated / nullif(started, 0) AS generated_share, delivered / nullif(generated, 0) AS delivered_share
FROM reached;
COMMENT ON VIEW delivery_funnel IS 'How many attempts reached each stage; a share is of the stage before.';

CREATE OR REPLACE VIEW agent_latency AS
WITH runs AS (
    SELECT
        call_id, agent, count(*) AS n, quantile_cont(latency_ms, 0.5) AS p50_ms,
        quantile_cont(latency_ms, 0.95) AS p95_ms, max(latency_ms) AS max_ms
    FROM agent_runs
    GROUP BY call_id, agent
),
stood_in AS (
    SELECT call_id, detail ->> 'agent' AS agent, count(*) AS fallbacks
    FROM moments
    WHERE kind = 'fallback'
    GROUP BY call_id, detail ->> 'agent'
)
SELECT
    call_id, agent, coalesce(n, 0) AS n, p50_ms, p95_ms, max_ms, coalesce(fallbacks, 0) AS fallbacks
FROM runs
FULL JOIN stood_in USING (call_id, agent);
COMMENT ON VIEW agent_latency IS 'How long the agents of a call took, in ms, and how often a fallback stood in.';

CREATE OR REPLACE VIEW usage AS
WITH spent AS (
    SELECT call_id, agent AS spender, model, input_tokens, cached_tokens, output_tokens, cost_usd, retries
    FROM agent_runs
    UNION ALL
    SELECT
        call_id, 'late answers', NULL, try_cast(detail ->> 'input_tokens' AS BIGINT), try_cast(detail ->> 'cached_tokens' AS BIGINT),
        try_cast(detail ->> 'output_tokens' AS BIGINT), try_cast(detail ->> 'cost_usd' AS DOUBLE), try_cast(detail ->> 'retries' AS INTEGER)
    FROM moments
    WHERE kind = 'ignored' AND detail ->> 'what' = 'late answer' AND try_cast(detail ->> 'input_tokens' AS BIGINT) > 0
    UNION ALL
    SELECT call_id, 'voice', NULL, input_tokens, cached_tokens, output_tokens, cost_usd, 0
    FROM replies
    WHERE usage IS NOT NULL
    UNION ALL
    SELECT
        call_id, 'transcription', NULL, try_cast(detail -> 'usage' ->> 'input_tokens' AS BIGINT), NULL,
        try_cast(detail -> 'usage' ->> 'output_tokens' AS BIGINT), try_cast(detail -> 'usage' ->> 'cost_usd' AS DOUBLE), 0
    FROM moments
    WHERE kind = 'transcription'
)
SELECT
    call_id, spender, count(*) AS runs, sum(input_tokens)::BIGINT AS input_tokens,
    sum(output_tokens)::BIGINT AS output_tokens, sum(cached_tokens)::BIGINT AS cached_tokens,
    sum(cost_usd) AS cost_usd, count(*) FILTER (cost_usd IS NULL) AS unpriced, sum(retries)::BIGINT AS retries
FROM spent
GROUP BY call_id, spender;
COMMENT ON VIEW usage IS 'Tokens and US dollars by agent, by the voice and by the transcription of the guest; unpriced counts what has no known price and is not in cost_usd.';

CREATE OR REPLACE VIEW heard AS
SELECT
    call_id, seq, ts_ms, at_ms, question_id, evidence ->> 'text' AS text, response_id, item_id, known, basis,
    NULL AS from_call
FROM ledger_events
WHERE kind = 'heard'
QUALIFY row_number() OVER (PARTITION BY call_id, response_id, item_id, evidence ->> 'start' ORDER BY seq) = 1
UNION ALL
SELECT
    call_id, seq, ts_ms, at_ms, question_id, evidence ->> 'text' AS text, response_id, item_id, known, basis,
    coalesce(evidence ->> 'call', '') AS from_call
FROM ledger_events
WHERE kind = 'remembered';
COMMENT ON VIEW heard IS 'Memory: whatever was audibly asked in a call and in those before it, credited or not.';

CREATE OR REPLACE VIEW transcript AS
SELECT
    call_id, row_number() OVER (PARTITION BY call_id ORDER BY position, started_ms, turn_id) AS number,
    turn_id, speaker, at_ms, started_ms, ended_ms, text, heard, state, question_id, ended_at_ms
FROM turns;
COMMENT ON VIEW transcript IS 'Turns in the order of the conversation.';

-- A space on either side, so that whole words can be looked for, and in scripts without spaces beside every sign.
-- Text of plain letters, as many characters as bytes, needs no more than the last step.
CREATE OR REPLACE MACRO folded(said) AS ' ' || trim(CASE
    WHEN strlen(said) = length(said) THEN regexp_replace(lower(said), '[^a-z0-9]+', ' ', 'g')
    ELSE regexp_replace(
        regexp_replace(
            strip_accents(lower(nfc_normalize(said))),
            '([\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}])', ' \1 ', 'g'
        ),
        '[^\pL\pN\pM]+', ' ', 'g'
    )
END) || ' ';

CREATE OR REPLACE VIEW talk AS
WITH came_across AS (
    SELECT
        call_id, speaker, at_ms, ended_at_ms,
        row_number() OVER (PARTITION BY call_id ORDER BY position, started_ms, turn_id) AS number,
        CASE speaker WHEN 'guest' THEN text ELSE heard END AS said,
        bool_and(times IS NULL OR times = 'file') OVER (PARTITION BY call_id) AS timed
    FROM turns
    WHERE trim(CASE speaker WHEN 'guest' THEN text ELSE heard END) <> ''
),
counted AS (
    SELECT
        *,
        len(regexp_extract_all(translate(said, '‘’', repeat(chr(39), 2)), '[\pL\pN]+(?:\x27[\pL\pN]+)*')) AS words,
        CASE WHEN timed AND speaker <> lag(speaker) OVER turn THEN at_ms - lag(ended_at_ms) OVER turn END AS gap_ms
    FROM came_across
    WINDOW turn AS (PARTITION BY call_id ORDER BY number)
)
SELECT
    call_id, count(*) AS turns, sum(words) FILTER (speaker = 'guest')::BIGINT AS guest_words,
    sum(words) FILTER (speaker = 'interviewer')::BIGINT AS interviewer_words,
    sum(words) FILTER (speaker = 'guest') / nullif(sum(words), 0) AS guest_share,
    quantile_cont(gap_ms, 0.5) AS gap_median_ms, quantile_cont(gap_ms, 0.95) AS gap_p95_ms,
    count(*) FILTER (gap_ms < 0) / nullif(count(gap_ms), 0) AS overlap_share
FROM counted
GROUP BY call_id;
COMMENT ON VIEW talk IS 'Who talks, and how turns meet; of the interviewer only what was heard.';

CREATE OR REPLACE VIEW guidance_age AS
SELECT
    call_id, count(stale_ms) AS replies, count(*) FILTER (stale_ms > 0) AS stale,
    count(*) FILTER (stale_ms > 0) / nullif(count(stale_ms), 0) AS stale_share,
    quantile_cont(stale_ms, 0.5) AS stale_median_ms
FROM replies
GROUP BY call_id;
COMMENT ON VIEW guidance_age IS 'How old the guidance of replies was when the guest''s turn before them ended.';

CREATE OR REPLACE VIEW call_lengths AS
WITH reached AS (
    SELECT call_id, elapsed_ms
    FROM calls AS c
    WHERE (
        SELECT count(DISTINCT detail ->> 'status') FROM moments AS m
        WHERE m.call_id = c.call_id AND kind = 'status' AND detail ->> 'status' IN ('live', 'closing')
    ) = 2
)
SELECT
    c.call_id, c.target_ms, r.elapsed_ms, (r.elapsed_ms - c.target_ms) / nullif(c.target_ms, 0) AS length_error
FROM calls AS c
LEFT JOIN reached AS r USING (call_id);
COMMENT ON VIEW call_lengths IS 'How long calls were to be and were, by their own clock.';

COMMENT ON COLUMN question_state.question_id IS 'The question; its identity within the call.';
COMMENT ON COLUMN question_state.text IS 'The question as the ledger registered it.';
COMMENT ON COLUMN question_state.planned IS 'Whether the plan held it.';
COMMENT ON COLUMN question_state.priority IS '1 (first) to 3.';
COMMENT ON COLUMN question_state.source IS 'plan, gap, contradiction, research, voice, ...';
COMMENT ON COLUMN question_state.section_id IS 'Section of the plan; NULL if it came up.';
COMMENT ON COLUMN question_state.status IS 'delivered, pending (an attempt is open), held or available.';
COMMENT ON COLUMN question_state.attempts IS 'How often it was tried.';
COMMENT ON COLUMN question_state.holds IS 'How many of the attempts ended held.';
COMMENT ON COLUMN question_state.last_reason IS 'Why the latest attempt, of this call or an earlier one, was released or held; empty if it was not.';
COMMENT ON COLUMN question_state.furthest_stage IS 'Furthest stage of any attempt: 0 none, 1 selected to 5 delivered.';
COMMENT ON COLUMN question_state.covered IS 'Asked in other words while another question was meant.';
COMMENT ON COLUMN question_state.answered IS 'The guest answered it.';
COMMENT ON COLUMN question_state.volunteered IS 'Answered before it was asked.';
COMMENT ON COLUMN question_state.declined IS 'The guest did not want it.';
COMMENT ON COLUMN question_state.nothing_to_say IS 'It was most likely asked, and the guest had nothing to say to it.';
COMMENT ON COLUMN question_state.claimed IS 'The guest said it was answered already.';
COMMENT ON COLUMN question_state.refused IS 'The repeat guard refused a proposal of it.';
COMMENT ON COLUMN question_state.reconstructed IS 'Similarity to an old transcript that covers it, 0 to 1; NULL if none does.';
COMMENT ON COLUMN question_state.effective_priority IS 'Priority, put back by what was volunteered or reconstructed; lower comes first.';
COMMENT ON COLUMN question_state.carried_from IS 'The earlier call in which it was delivered or held; NULL if in none.';
COMMENT ON COLUMN question_state.registered_seq IS 'The ledger event that registered it.';

COMMENT ON COLUMN guard.seq IS 'The ledger event.';
COMMENT ON COLUMN guard.at_ms IS 'What the call''s clock showed then.';
COMMENT ON COLUMN guard.spoken IS 'Whether it was found after it was heard; else before it was attempted.';
COMMENT ON COLUMN guard.decision IS 'Of a proposal: passed, returned (a deliberate return), warned or refused. Of what was heard: repeated, or returned.';
COMMENT ON COLUMN guard.text IS 'What was proposed or said.';
COMMENT ON COLUMN guard.heard_before IS 'The likest question heard before, as it was said or planned; NULL if none can be compared.';
COMMENT ON COLUMN guard.heard_question_id IS 'Which question that was; NULL if that is not known.';
COMMENT ON COLUMN guard.score IS 'How alike the two are; above threshold they ask for the same.';
COMMENT ON COLUMN guard.scorer IS 'Name and version of the scorer; shared words where it was not there.';
COMMENT ON COLUMN guard.reason IS 'Why it was refused, or why it comes back.';

COMMENT ON COLUMN attempts.stage IS 'Furthest stage: 1 selected, 2 accepted, 3 started, 4 generated, 5 delivered.';
COMMENT ON COLUMN attempts.outcome IS 'open, delivered, released or held.';
COMMENT ON COLUMN attempts.reason IS 'Why it was released or held.';
COMMENT ON COLUMN attempts.response_id IS 'The reply it was started under.';
COMMENT ON COLUMN attempts.heard_ms IS 'How much of the reply was heard.';
COMMENT ON COLUMN attempts.selected_seq IS 'The ledger event it began with.';
COMMENT ON COLUMN attempts.closed_seq IS 'The ledger event it ended with; NULL while open.';

COMMENT ON COLUMN coverage.planned IS 'Planned questions.';
COMMENT ON COLUMN coverage.selected IS 'Of those, tried at least once.';
COMMENT ON COLUMN coverage.delivered IS 'Of those, asked and heard.';
COMMENT ON COLUMN coverage.answered IS 'Of those, answered.';
COMMENT ON COLUMN coverage.weight IS 'Sum of 4 - priority.';
COMMENT ON COLUMN coverage.selected_share IS 'Share of the weight, 0 to 1.';
COMMENT ON COLUMN coverage.delivered_share IS 'Share of the weight, 0 to 1.';
COMMENT ON COLUMN coverage.answered_share IS 'Share of the weight, 0 to 1.';

COMMENT ON COLUMN delivery_funnel.selected IS 'Attempts.';
COMMENT ON COLUMN delivery_funnel.accepted_share IS 'Of the selected, 0 to 1.';
COMMENT ON COLUMN delivery_funnel.started_share IS 'Of the accepted, 0 to 1.';
COMMENT ON COLUMN delivery_funnel.generated_share IS 'Of the started, 0 to 1.';
COMMENT ON COLUMN delivery_funnel.delivered_share IS 'Of the generated, 0 to 1.';

COMMENT ON COLUMN agent_latency.n IS 'Runs that came to an end.';
COMMENT ON COLUMN agent_latency.p50_ms IS 'Median.';
COMMENT ON COLUMN agent_latency.p95_ms IS '95th percentile.';
COMMENT ON COLUMN agent_latency.max_ms IS 'Longest.';
COMMENT ON COLUMN agent_latency.fallbacks IS 'How often a fallback stood in.';

COMMENT ON COLUMN usage.spender IS 'An agent, the voice, transcription, or late answers.';
COMMENT ON COLUMN usage.runs IS 'Runs of the agent, replies of the voice, or transcripts of the guest.';
COMMENT ON COLUMN usage.unpriced IS 'Runs without a known price.';
COMMENT ON COLUMN usage.cached_tokens IS 'Those of the input tokens that were read from a cache.';
COMMENT ON COLUMN usage.cost_usd IS 'US dollars by the table of prices.';
COMMENT ON COLUMN usage.retries IS 'Calls of the model made again after a failure.';

COMMENT ON COLUMN heard.from_call IS 'The earlier call it was heard in; NULL: in this one.';
COMMENT ON COLUMN heard.known IS 'live, or reconstructed: read out of an old transcript.';
COMMENT ON COLUMN heard.seq IS 'The ledger event.';
COMMENT ON COLUMN heard.at_ms IS 'What the call''s clock showed then.';
COMMENT ON COLUMN heard.text IS 'The words that were heard.';
COMMENT ON COLUMN heard.question_id IS 'The question it was taken for; NULL if none.';
COMMENT ON COLUMN heard.basis IS 'protocol (the service says so) or inferred.';

COMMENT ON COLUMN transcript.number IS 'Order in the conversation, from 1.';
COMMENT ON COLUMN transcript.speaker IS 'interviewer or guest.';
COMMENT ON COLUMN transcript.text IS 'For the interviewer what was generated; see heard.';
COMMENT ON COLUMN transcript.heard IS 'For the interviewer the part that was played.';
COMMENT ON COLUMN transcript.at_ms IS 'What the call''s clock showed when it began.';
COMMENT ON COLUMN transcript.ended_at_ms IS 'What the call''s clock showed when it ended; NULL while it lasts.';
COMMENT ON COLUMN transcript.started_ms IS 'Since the call was begun, pauses included: its place in the sound that was kept.';
COMMENT ON COLUMN transcript.ended_ms IS 'Since the call was begun, pauses included; NULL while it lasts.';

COMMENT ON COLUMN calls.guest IS 'Who was interviewed.';
COMMENT ON COLUMN calls.topic IS 'Topic of the plan.';
COMMENT ON COLUMN calls.started_at IS 'When it began, UTC.';
COMMENT ON COLUMN calls.package_version IS 'Version that recorded it.';

COMMENT ON COLUMN turns.turn_id IS 'Identity within the call.';
COMMENT ON COLUMN turns.speaker IS 'interviewer or guest.';
COMMENT ON COLUMN turns.started_ms IS 'Since the call was begun, pauses included: its place in the sound that was kept.';
COMMENT ON COLUMN turns.ended_ms IS 'Since the call was begun, pauses included; NULL while it lasts.';
COMMENT ON COLUMN turns.question_id IS 'The question it asks, if one.';

COMMENT ON COLUMN questions.text IS 'The question as planned or registered.';
COMMENT ON COLUMN questions.role IS 'backbone or follow_up.';

COMMENT ON COLUMN talk.turns IS 'Turns of which something was heard.';
COMMENT ON COLUMN talk.guest_share IS 'The guest''s words over all, 0 to 1.';
COMMENT ON COLUMN talk.gap_median_ms IS 'From a turn''s end to the start of the other side''s next, on the call''s clock; below 0 they overlap. NULL where times were derived from words.';
COMMENT ON COLUMN talk.gap_p95_ms IS '95th percentile of the same.';
COMMENT ON COLUMN talk.overlap_share IS 'Changes of speaker before the other had ended, over all of them.';

COMMENT ON COLUMN guidance_age.replies IS 'Replies that were spoken under guidance.';
COMMENT ON COLUMN guidance_age.stale IS 'Of those, under guidance made before the guest''s last turn ended.';
COMMENT ON COLUMN guidance_age.stale_share IS 'stale over replies, 0 to 1.';
COMMENT ON COLUMN guidance_age.stale_median_ms IS 'Median age.';

COMMENT ON COLUMN call_lengths.target_ms IS 'Length the call aimed at.';
COMMENT ON COLUMN call_lengths.elapsed_ms IS 'What the call''s clock showed when nobody spoke any more; NULL if it did not come so far.';
COMMENT ON COLUMN call_lengths.length_error IS '(elapsed - target) / target: above 0 it ran over.';

CREATE OR REPLACE VIEW interview_calls AS
SELECT
    coalesce(interview_id, regexp_replace(call_id, '^c-', 'i-')) AS interview_id, row_number() OVER chain AS number, call_id,
    lag(call_id) OVER chain AS call_before
FROM calls
WINDOW chain AS (
    PARTITION BY coalesce(interview_id, regexp_replace(call_id, '^c-', 'i-')) ORDER BY started_at NULLS FIRST, call_id
);
COMMENT ON VIEW interview_calls IS 'The calls of each interview in order of time, as they are now.';
COMMENT ON COLUMN interview_calls.interview_id IS 'The interview; a call that names none is one by itself.';
COMMENT ON COLUMN interview_calls.number IS 'From 1; what was put in since counts, what was forgotten does not.';
COMMENT ON COLUMN interview_calls.call_id IS 'The call.';
COMMENT ON COLUMN interview_calls.call_before IS 'The one before it now; NULL of the first.';
COMMENT ON COLUMN calls.follows IS 'The latest call of the interview when this one was begun or put in; NULL if none was before it. It stays, whatever is put in between or forgotten later: see interview_calls.';
