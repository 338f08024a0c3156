-- What the call's own clock showed: it counts neither connecting nor pauses. All journals are taken in again for it.

ALTER TABLE calls ADD COLUMN elapsed_ms BIGINT;
COMMENT ON COLUMN calls.elapsed_ms IS 'What the call''s clock showed when nobody spoke any more; of a call that did not come so far, at its last line.';

ALTER TABLE turns ADD COLUMN at_ms BIGINT;
ALTER TABLE turns ADD COLUMN ended_at_ms BIGINT;
COMMENT ON COLUMN turns.at_ms IS 'What the call''s clock showed when it began.';
COMMENT ON COLUMN turns.ended_at_ms IS 'What the call''s clock showed when it ended; NULL while it lasts.';

ALTER TABLE ledger_events ADD COLUMN at_ms BIGINT;
ALTER TABLE moments ADD COLUMN at_ms BIGINT;
ALTER TABLE agent_runs ADD COLUMN at_ms BIGINT;
COMMENT ON COLUMN ledger_events.at_ms IS 'What the call''s clock showed then.';
COMMENT ON COLUMN moments.at_ms IS 'What the call''s clock showed then.';
COMMENT ON COLUMN agent_runs.at_ms IS 'What the call''s clock showed when it began.';

UPDATE journals SET bytes = NULL;
