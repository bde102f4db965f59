-- Entries of the ledger that are here, with the times when it has written them: one that has lost its end gives their revisions again, at
-- other times.
CREATE TABLE mark (
	revision INTEGER PRIMARY KEY,
	time     INTEGER NOT NULL
) STRICT;
