-- Which text the views were made from; they are made anew when it differs.

CREATE TABLE made_from (sha256 VARCHAR);
COMMENT ON TABLE made_from IS 'SHA-256 of the SQL that the views were made from.';
