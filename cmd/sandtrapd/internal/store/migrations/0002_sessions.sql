-- Contents, kept once for each tenant that has them.
CREATE TABLE blob (
	tenant TEXT NOT NULL,
	hash   BLOB NOT NULL, -- SHA-256 of the data
	size   INTEGER NOT NULL,
	data   BLOB NOT NULL,
	UNIQUE (tenant, hash)
) STRICT;
CREATE INDEX blob_size ON blob (tenant, size); -- for sums, which read no data then

-- Who needs a content: a session or a snapshot. A blob in use cannot be deleted.
CREATE TABLE blob_use (
	tenant TEXT NOT NULL,
	holder TEXT NOT NULL, -- the ID of a session or a snapshot
	hash   BLOB NOT NULL,
	PRIMARY KEY (tenant, holder, hash),
	FOREIGN KEY (tenant, hash) REFERENCES blob (tenant, hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX blob_use_hash ON blob_use (tenant, hash);

CREATE TABLE session (
	seq     INTEGER PRIMARY KEY AUTOINCREMENT, -- the order of lists
	id      TEXT NOT NULL UNIQUE,
	tenant  TEXT NOT NULL,
	name    TEXT, -- NULL for none
	policy  TEXT NOT NULL,
	origin  TEXT NOT NULL, -- the session that it and its forks come from
	parent  TEXT NOT NULL DEFAULT '', -- the session that it is a fork of
	created INTEGER NOT NULL, -- Unix time in ns
	used    INTEGER NOT NULL,
	head    BLOB NOT NULL, -- hash of the blob with its manifest
	bytes   INTEGER NOT NULL, -- of what the manifest lists
	UNIQUE (tenant, name)
) STRICT;
CREATE INDEX session_tenant ON session (tenant, seq);

CREATE TABLE snapshot (
	seq     INTEGER PRIMARY KEY AUTOINCREMENT,
	id      TEXT NOT NULL, -- made of head
	tenant  TEXT NOT NULL,
	session TEXT NOT NULL, -- that it was first saved of
	policy  TEXT NOT NULL,
	origin  TEXT NOT NULL,
	created INTEGER NOT NULL,
	head    BLOB NOT NULL,
	bytes   INTEGER NOT NULL,
	UNIQUE (tenant, id)
) STRICT;
CREATE INDEX snapshot_tenant ON snapshot (tenant, seq);
