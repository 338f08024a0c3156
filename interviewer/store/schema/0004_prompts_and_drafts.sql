-- How large prompts were, and which draft is which. Calls kept before have NULL here.

ALTER TABLE agent_runs ADD COLUMN prompt_tokens INTEGER;
ALTER TABLE agent_runs ADD COLUMN prompt_cut JSON;
COMMENT ON COLUMN agent_runs.prompt_tokens IS 'Estimated size of the whole prompt, also where rules ran and nobody was asked.';
COMMENT ON COLUMN agent_runs.prompt_cut IS 'Lines that were left out or shortened to stay within the budget, by part of the prompt.';

ALTER TABLE drafts ADD COLUMN version INTEGER;
ALTER TABLE drafts ADD COLUMN style VARCHAR;
COMMENT ON COLUMN drafts.version IS 'Counts the drafts of a call; NULL is 1, the one that the call ended with.';
COMMENT ON COLUMN drafts.style IS 'standard, punchy or reflective; NULL is standard.';
