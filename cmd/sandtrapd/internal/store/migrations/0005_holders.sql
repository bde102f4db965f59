-- Sessions and snapshots that have the same contents have one holder of them: a fork or a snapshot is one row.
ALTER TABLE session ADD COLUMN holder TEXT NOT NULL DEFAULT '';
ALTER TABLE snapshot ADD COLUMN holder TEXT NOT NULL DEFAULT '';
UPDATE session SET holder = id;
UPDATE snapshot SET holder = id;
CREATE INDEX session_holder ON session (tenant, holder);
CREATE INDEX snapshot_holder ON snapshot (tenant, holder);

-- The parts of a large content, whose row has none of the data.
ALTER TABLE blob ADD COLUMN parts TEXT NOT NULL DEFAULT '';
CREATE TABLE part (
	parts TEXT NOT NULL,
	at    INTEGER NOT NULL, -- bytes of the content before it
	data  BLOB NOT NULL,
	UNIQUE (parts, at)
) STRICT;

-- Holders and parts that nothing has: they are removed, some in each write.
CREATE TABLE loose (
	id     TEXT PRIMARY KEY,
	tenant TEXT NOT NULL,
	owner  TEXT NOT NULL -- the process that writes them, after which they are removed too; '' for none
) STRICT, WITHOUT ROWID;
CREATE INDEX loose_tenant ON loose (tenant);

-- What sessions and snapshots need counts too, with what rows and their entries in indexes take.
INSERT INTO usage (tenant, bytes)
	SELECT tenant, sum(bytes) FROM (
		SELECT tenant, size + 256 AS bytes FROM blob UNION ALL SELECT tenant, 256 FROM blob_use
		UNION ALL SELECT tenant, 1024 FROM session UNION ALL SELECT tenant, 1024 FROM snapshot) GROUP BY tenant
	ON CONFLICT (tenant) DO UPDATE SET bytes = bytes + excluded.bytes;
CREATE TRIGGER blob_added AFTER INSERT ON blob BEGIN
	INSERT INTO usage (tenant, bytes) VALUES (new.tenant, new.size + 256) ON CONFLICT (tenant) DO UPDATE SET bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER blob_removed AFTER DELETE ON blob BEGIN
	UPDATE usage SET bytes = bytes - old.size - 256 WHERE tenant = old.tenant;
END;
CREATE TRIGGER blob_use_added AFTER INSERT ON blob_use BEGIN
	UPDATE usage SET bytes = bytes + 256 WHERE tenant = new.tenant;
END;
CREATE TRIGGER blob_use_removed AFTER DELETE ON blob_use BEGIN
	UPDATE usage SET bytes = bytes - 256 WHERE tenant = old.tenant;
END;
CREATE TRIGGER session_added AFTER INSERT ON session BEGIN
	INSERT INTO usage (tenant, bytes) VALUES (new.tenant, 1024) ON CONFLICT (tenant) DO UPDATE SET bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER session_removed AFTER DELETE ON session BEGIN
	UPDATE usage SET bytes = bytes - 1024 WHERE tenant = old.tenant;
END;
CREATE TRIGGER snapshot_added AFTER INSERT ON snapshot BEGIN
	INSERT INTO usage (tenant, bytes) VALUES (new.tenant, 1024) ON CONFLICT (tenant) DO UPDATE SET bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER snapshot_removed AFTER DELETE ON snapshot BEGIN
	UPDATE usage SET bytes = bytes - 1024 WHERE tenant = old.tenant;
END;
DROP INDEX blob_size; -- sums are kept
