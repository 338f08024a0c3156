-- Whether a person said who the guest of an imported conversation is.

ALTER TABLE imports ADD COLUMN guest_said BOOLEAN;
COMMENT ON COLUMN imports.guest_said IS 'Whether a person named the guest; if not, the name is as the file has it and may be somebody else''s elsewhere.';
