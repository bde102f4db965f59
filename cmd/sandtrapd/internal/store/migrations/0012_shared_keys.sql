-- Of keys and policies that several servers share by a ledger: what they are there; 0 if they are not there.
ALTER TABLE key ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
ALTER TABLE policy ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;

-- Keys that were revoked: no server has them again.
CREATE TABLE revoked (
	hash     BLOB PRIMARY KEY,
	revision INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
