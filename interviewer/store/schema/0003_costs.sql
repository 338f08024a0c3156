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
