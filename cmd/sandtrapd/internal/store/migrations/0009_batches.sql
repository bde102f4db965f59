-- A batch is one row: its runs are those that have its ID, and the numbers of their lines.
CREATE TABLE batch (
	seq       INTEGER PRIMARY KEY AUTOINCREMENT, -- the order of lists
	id        TEXT NOT NULL,
	tenant    TEXT NOT NULL,
	key       TEXT, -- of who must not send it twice
	digest    BLOB NOT NULL, -- SHA-256 of its lines
	lines     INTEGER NOT NULL,
	created   INTEGER NOT NULL, -- Unix time in ns
	cancelled INTEGER NOT NULL DEFAULT 0,
	ended     INTEGER NOT NULL DEFAULT 0,
	UNIQUE (tenant, id),
	UNIQUE (tenant, key)
) STRICT;
CREATE INDEX batch_tenant ON batch (tenant, seq);
CREATE INDEX batch_open ON batch (tenant, seq) WHERE ended = 0;
CREATE INDEX batch_ended ON batch (ended) WHERE ended > 0;

-- Lines that have no result yet.
CREATE TABLE line (
	tenant TEXT NOT NULL,
	batch  TEXT NOT NULL,
	line   INTEGER NOT NULL, -- from 1
	data   BLOB NOT NULL,
	UNIQUE (tenant, batch, line)
) STRICT;

ALTER TABLE run ADD COLUMN batch TEXT NOT NULL DEFAULT '';
ALTER TABLE run ADD COLUMN line INTEGER NOT NULL DEFAULT 0; -- of the batch
ALTER TABLE run ADD COLUMN item TEXT NOT NULL DEFAULT ''; -- the ID that the client has given the line
CREATE UNIQUE INDEX run_line ON run (tenant, batch, line) WHERE batch != '';
CREATE INDEX run_batch ON run (tenant, batch, state, kind) WHERE batch != '';

CREATE TRIGGER batch_added AFTER INSERT ON batch BEGIN
	INSERT INTO usage (tenant, bytes) VALUES (new.tenant, 1024) ON CONFLICT (tenant) DO UPDATE SET bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER batch_removed AFTER DELETE ON batch BEGIN
	UPDATE usage SET bytes = bytes - 1024 WHERE tenant = old.tenant;
END;
CREATE TRIGGER line_added AFTER INSERT ON line BEGIN
	INSERT INTO usage (tenant, bytes) VALUES (new.tenant, 256 + octet_length(new.data)) ON CONFLICT (tenant) DO UPDATE SET bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER line_removed AFTER DELETE ON line BEGIN
	UPDATE usage SET bytes = bytes - 256 - octet_length(old.data) WHERE tenant = old.tenant;
END;
