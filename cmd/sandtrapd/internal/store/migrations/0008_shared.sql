-- Of runs that several servers share by a ledger.
ALTER TABLE run ADD COLUMN owner TEXT NOT NULL DEFAULT ''; -- the server that it goes on in
ALTER TABLE run ADD COLUMN revision INTEGER NOT NULL DEFAULT 0; -- what it is in the ledger; 0 if it is not there
ALTER TABLE run ADD COLUMN object TEXT NOT NULL DEFAULT ''; -- the name of what it is there, if that is large
CREATE INDEX run_revision ON run (revision);
CREATE INDEX run_owned ON run (owner, seq) WHERE state = 'running';

-- How much of the ledger is here: up to which revision.
CREATE TABLE feed (
	seq INTEGER NOT NULL
) STRICT;
INSERT INTO feed (seq) VALUES (0);

-- Runs that were deleted here, and not in the ledger yet.
CREATE TABLE gone (
	tenant   TEXT NOT NULL,
	id       TEXT NOT NULL,
	revision INTEGER NOT NULL,
	object   TEXT NOT NULL,
	PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER run_gone AFTER DELETE ON run WHEN old.revision > 0 BEGIN
	INSERT OR REPLACE INTO gone (tenant, id, revision, object) VALUES (old.tenant, old.id, old.revision, old.object);
END;
