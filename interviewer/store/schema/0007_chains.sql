-- Calls that continue an interview.

ALTER TABLE calls ADD COLUMN follows VARCHAR;
COMMENT ON COLUMN calls.follows IS 'The call before it in the same interview; NULL of the first.';
COMMENT ON COLUMN calls.earlier IS 'What the calls before it left: turns, notes, heard questions, where each question stands.';
