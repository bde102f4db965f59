-- What was deleted that a ledger had, here or at another server: one that has lost its end may have it again. A thing that is made again under
-- the same ID was made at another time.
CREATE TABLE deleted (
	seq      INTEGER PRIMARY KEY,
	tenant   TEXT NOT NULL,
	id       TEXT NOT NULL,
	created  INTEGER NOT NULL,
	revision INTEGER NOT NULL DEFAULT 9223372036854775807 -- at which it went from the ledger; that of no entry while it is not known
) STRICT;
CREATE UNIQUE INDEX deleted_of ON deleted (id, tenant, created);
CREATE INDEX deleted_revision ON deleted (revision);

CREATE TRIGGER run_deleted AFTER DELETE ON run WHEN old.revision > 0 BEGIN
	INSERT OR IGNORE INTO deleted (tenant, id, created) VALUES (old.tenant, old.id, old.created);
END;
CREATE TRIGGER batch_deleted AFTER DELETE ON batch WHEN old.revision > 0 BEGIN
	INSERT OR IGNORE INTO deleted (tenant, id, created) VALUES (old.tenant, old.id, old.created);
END;
CREATE TRIGGER session_deleted AFTER DELETE ON session WHEN old.revision > 0 BEGIN
	INSERT OR IGNORE INTO deleted (tenant, id, created) VALUES (old.tenant, old.id, old.created);
END;
CREATE TRIGGER snapshot_deleted AFTER DELETE ON snapshot WHEN old.revision > 0 BEGIN
	INSERT OR IGNORE INTO deleted (tenant, id, created) VALUES (old.tenant, old.id, old.created);
END;
