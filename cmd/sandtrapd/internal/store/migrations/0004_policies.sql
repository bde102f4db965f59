CREATE TABLE policy (
	seq     INTEGER PRIMARY KEY AUTOINCREMENT,
	name    TEXT NOT NULL,
	version TEXT NOT NULL, -- 1, 2 and so on of those that were sent; the hash of files
	source  TEXT NOT NULL, -- sent or file
	tenants TEXT NOT NULL, -- JSON: who may use it; [] for all
	root    TEXT NOT NULL, -- the path that is read first
	texts   BLOB NOT NULL, -- JSON: by paths
	created INTEGER NOT NULL, -- Unix time in ns
	UNIQUE (name, version)
) STRICT;
