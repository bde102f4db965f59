-- A run is looked for with its tenant: one of another tenant is missed in the index, as an absent one is.
CREATE UNIQUE INDEX run_owner ON run (tenant, id);
CREATE INDEX run_pending ON run (tenant, seq) WHERE state = 'pending';
CREATE INDEX run_ended ON run (ended) WHERE ended > 0;
CREATE INDEX run_parent ON run (tenant, parent) WHERE parent != '';
ALTER TABLE run ADD COLUMN waits INTEGER NOT NULL DEFAULT 0; -- since when, Unix time in ns

CREATE TABLE artifact_of (
	tenant TEXT NOT NULL,
	run    TEXT NOT NULL,
	name   TEXT NOT NULL,
	type   TEXT NOT NULL, -- a media type
	data   BLOB NOT NULL,
	bytes  INTEGER GENERATED ALWAYS AS (64 + octet_length(name) + octet_length(type) + octet_length(data)) VIRTUAL,
	PRIMARY KEY (tenant, run, name),
	FOREIGN KEY (tenant, run) REFERENCES run (tenant, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO artifact_of (tenant, run, name, type, data) SELECT tenant, run, name, type, data FROM artifact;
DROP TABLE artifact;
ALTER TABLE artifact_of RENAME TO artifact;

-- What is kept of a run counts with what its row and its entries in indexes take.
ALTER TABLE run ADD COLUMN bytes INTEGER GENERATED ALWAYS AS (512 + octet_length(code) + octet_length(request)
	+ ifnull(octet_length(result), 0) + ifnull(octet_length(pending), 0) + ifnull(octet_length(journal), 0)
	+ ifnull(octet_length(answers), 0) + ifnull(octet_length(events), 0)) VIRTUAL;

-- The bytes that are kept of a tenant, as the triggers add them up.
CREATE TABLE usage (
	tenant TEXT PRIMARY KEY,
	bytes  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO usage (tenant, bytes)
	SELECT tenant, sum(bytes) FROM (SELECT tenant, bytes FROM run UNION ALL SELECT tenant, bytes FROM artifact) GROUP BY tenant;
CREATE TRIGGER run_added AFTER INSERT ON run BEGIN
	INSERT INTO usage (tenant, bytes) VALUES (new.tenant, new.bytes) ON CONFLICT (tenant) DO UPDATE SET bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER run_changed AFTER UPDATE ON run WHEN new.bytes != old.bytes BEGIN
	UPDATE usage SET bytes = bytes + new.bytes - old.bytes WHERE tenant = new.tenant;
END;
CREATE TRIGGER run_removed AFTER DELETE ON run BEGIN
	UPDATE usage SET bytes = bytes - old.bytes WHERE tenant = old.tenant;
END;
CREATE TRIGGER artifact_added AFTER INSERT ON artifact BEGIN
	INSERT INTO usage (tenant, bytes) VALUES (new.tenant, new.bytes) ON CONFLICT (tenant) DO UPDATE SET bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER artifact_changed AFTER UPDATE ON artifact BEGIN
	UPDATE usage SET bytes = bytes + new.bytes - old.bytes WHERE tenant = new.tenant;
END;
CREATE TRIGGER artifact_removed AFTER DELETE ON artifact BEGIN
	UPDATE usage SET bytes = bytes - old.bytes WHERE tenant = old.tenant;
END;

-- How long runs of a tenant took in a minute.
CREATE TABLE spent (
	tenant TEXT NOT NULL,
	minute INTEGER NOT NULL, -- Unix time in minutes
	ns     INTEGER NOT NULL,
	PRIMARY KEY (tenant, minute)
) STRICT, WITHOUT ROWID;
