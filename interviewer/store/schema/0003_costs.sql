-- What runs and replies cost. Calls kept before have NULL here.

ALTER TABLE agent_runs ADD COLUMN cached_tokens BIGINT;
ALTER TABLE agent_runs ADD COLUMN cost_usd DOUBLE;
ALTER TABLE agent_runs ADD COLUMN retries INTEGER;
ALTER TABLE agent_runs ADD COLUMN repairs INTEGER;
COMMENT ON COLUMN agent_runs.error IS 'What went wrong; with an outcome of ok, why another backend stood in.';
COMMENT ON COLUMN agent_runs.cached_tokens IS 'Those of the input tokens that the service read from its cache.';
COMMENT ON COLUMN agent_runs.cost_usd IS 'US dollars by the table of prices; NULL if the price was not known.';
COMMENT ON COLUMN agent_runs.retries IS 'Calls of the model made again after a failure.';
COMMENT ON COLUMN agent_runs.repairs IS 'How often the model was shown what was wrong with its output.';

ALTER TABLE replies ADD COLUMN cached_tokens BIGINT;
ALTER TABLE replies ADD COLUMN cost_usd DOUBLE;
COMMENT ON COLUMN replies.cached_tokens IS 'Those of the input tokens that the service read from its cache.';
COMMENT ON COLUMN replies.cost_usd IS 'US dollars by the table of prices; NULL if the price was not known, or nobody is paid.';

CREATE OR REPLACE VIEW usage AS
WITH spent AS (
    SELECT call_id, agent AS spender, model, input_tokens, cached_tokens, output_tokens, cost_usd, retries
    FROM agent_runs
    UNION ALL
    SELECT
        call_id, 'late answers', NULL, (detail ->> 'input_tokens')::BIGINT, (detail ->> 'cached_tokens')::BIGINT,
        (detail ->> 'output_tokens')::BIGINT, (detail ->> 'cost_usd')::DOUBLE, (detail ->> 'retries')::INTEGER
    FROM moments
    WHERE kind = 'ignored' AND detail ->> 'what' = 'late answer' AND (detail ->> 'input_tokens')::BIGINT > 0
    UNION ALL
    SELECT call_id, 'voice', NULL, input_tokens, cached_tokens, output_tokens, cost_usd, 0
    FROM replies
    WHERE usage IS NOT NULL
)
SELECT
    call_id, spender, count(*) AS runs, sum(input_tokens)::BIGINT AS input_tokens,
    sum(output_tokens)::BIGINT AS output_tokens, sum(cached_tokens)::BIGINT AS cached_tokens,
    sum(cost_usd) AS cost_usd, count(*) FILTER (cost_usd IS NULL) AS unpriced, sum(retries)::BIGINT AS retries
FROM spent
GROUP BY call_id, spender;
COMMENT ON VIEW usage IS 'Tokens and US dollars by agent, and by the voice; unpriced counts what has no known price and is not in cost_usd.';
