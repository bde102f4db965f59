-- A session of another tenant is not even found: with the index by id alone the time told it from one that is not there.
CREATE UNIQUE INDEX session_owner ON session (tenant, id);
