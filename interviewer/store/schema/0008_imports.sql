-- Conversations that were held elsewhere, and who spoke in them.

CREATE TABLE imports (
    call_id VARCHAR PRIMARY KEY, file VARCHAR, sha256 VARCHAR, transcript VARCHAR, format VARCHAR, encoding VARCHAR,
    title VARCHAR, interviewers VARCHAR[], guests VARCHAR[], guess_by VARCHAR, guess_certainty DOUBLE,
    guess_reason VARCHAR, derived_times INTEGER, problems VARCHAR[]
);
COMMENT ON TABLE imports IS 'Where a call of source import is from, and how its file was read.';
COMMENT ON COLUMN imports.file IS 'Name of the file, without its folder.';
COMMENT ON COLUMN imports.sha256 IS 'SHA-256 of the file''s bytes, in hexadecimal.';
COMMENT ON COLUMN imports.transcript IS 'What the file calls the conversation; empty if it holds one without a name.';
COMMENT ON COLUMN imports.guess_by IS 'How it was told who interviews: hand, role, name, asking or nothing.';
COMMENT ON COLUMN imports.guess_certainty IS 'How sure that is, 0 to 1.';
COMMENT ON COLUMN imports.derived_times IS 'Turns whose times were derived from the number of words.';
COMMENT ON COLUMN imports.problems IS 'What in the file was not as it should be, and what was made of it.';

ALTER TABLE turns ADD COLUMN name VARCHAR;
ALTER TABLE turns ADD COLUMN times VARCHAR;
COMMENT ON COLUMN turns.name IS 'Who spoke, where the call was imported, else NULL.';
COMMENT ON COLUMN turns.times IS 'Where the times are from, if imported: file, start (the end was derived) or words (both were); else NULL.';
