-- Of sessions and snapshots that several servers share by a ledger: what they are there; 0 if they are not there.
ALTER TABLE session ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
ALTER TABLE snapshot ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
CREATE INDEX session_revision ON session (revision);
CREATE INDEX snapshot_revision ON snapshot (revision);
