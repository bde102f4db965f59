CREATE TABLE key (
	hash    BLOB PRIMARY KEY, -- SHA-256 of the token, which is not kept
	tenant  TEXT NOT NULL,
	role    TEXT NOT NULL,
	created INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE run (
	seq      INTEGER PRIMARY KEY AUTOINCREMENT, -- the order of lists
	id       TEXT NOT NULL UNIQUE,
	tenant   TEXT NOT NULL,
	session  TEXT NOT NULL DEFAULT '',
	parent   TEXT NOT NULL DEFAULT '', -- the run that it is a fork of
	policy   TEXT NOT NULL,
	state    TEXT NOT NULL,
	part     INTEGER NOT NULL DEFAULT 0, -- how often it has waited
	begins   INTEGER NOT NULL DEFAULT 1, -- how often a process has begun this part of it, which is not over
	created  INTEGER NOT NULL, -- Unix time in ns
	ended    INTEGER NOT NULL DEFAULT 0,
	code     TEXT NOT NULL,
	request  BLOB NOT NULL, -- JSON
	kind     TEXT NOT NULL DEFAULT '', -- of the error
	ticks    INTEGER NOT NULL DEFAULT 0,
	peak     INTEGER NOT NULL DEFAULT 0, -- bytes
	duration INTEGER NOT NULL DEFAULT 0, -- ns
	result   BLOB, -- JSON
	pending  BLOB, -- JSON
	journal  BLOB, -- of a run that waits
	answers  BLOB, -- JSON: those that it goes on with
	events   BLOB, -- JSON lines
	stdout   INTEGER NOT NULL DEFAULT 0, -- bytes that events have told of, those that are not kept any more too
	stderr   INTEGER NOT NULL DEFAULT 0,
	key      TEXT, -- of who must not begin it twice
	UNIQUE (tenant, key)
) STRICT;
CREATE INDEX run_tenant ON run (tenant, seq);
CREATE INDEX run_state ON run (state, seq);

CREATE TABLE artifact (
	tenant TEXT NOT NULL,
	run    TEXT NOT NULL REFERENCES run (id) ON DELETE CASCADE,
	name   TEXT NOT NULL,
	type   TEXT NOT NULL, -- a media type
	data   BLOB NOT NULL,
	PRIMARY KEY (run, name)
) STRICT, WITHOUT ROWID;
