-- In a ledger each session and each snapshot has contents of its own. Of a tenant counts what is more: the contents that are here, each once,
-- or those that its sessions and snapshots have in the ledger.
ALTER TABLE session ADD COLUMN shared INTEGER NOT NULL DEFAULT 0; -- bytes of its contents in the ledger
ALTER TABLE snapshot ADD COLUMN shared INTEGER NOT NULL DEFAULT 0;
ALTER TABLE usage ADD COLUMN contents INTEGER NOT NULL DEFAULT 0; -- bytes of blobs
ALTER TABLE usage ADD COLUMN shared INTEGER NOT NULL DEFAULT 0; -- of all sessions and snapshots

UPDATE session SET shared = bytes + coalesce((SELECT size FROM blob WHERE tenant = session.tenant AND hash = session.head), 0) WHERE revision > 0;
UPDATE snapshot SET shared = bytes + coalesce((SELECT size FROM blob WHERE tenant = snapshot.tenant AND hash = snapshot.head), 0) WHERE revision > 0;
UPDATE usage SET contents = coalesce((SELECT sum(size) FROM blob WHERE tenant = usage.tenant), 0),
	shared = coalesce((SELECT sum(shared) FROM session WHERE tenant = usage.tenant), 0) + coalesce((SELECT sum(shared) FROM snapshot WHERE tenant = usage.tenant), 0);

CREATE TRIGGER blob_contents_added AFTER INSERT ON blob BEGIN
	INSERT INTO usage (tenant, bytes, contents) VALUES (new.tenant, 0, new.size) ON CONFLICT (tenant) DO UPDATE SET contents = contents + excluded.contents;
END;
CREATE TRIGGER blob_contents_removed AFTER DELETE ON blob BEGIN
	UPDATE usage SET contents = contents - old.size WHERE tenant = old.tenant;
END;

-- What a row counts is in the row: its list may be another one when it counts no more.
CREATE TRIGGER session_shares AFTER INSERT ON session WHEN new.revision > 0 BEGIN
	UPDATE session SET shared = new.bytes + coalesce((SELECT size FROM blob WHERE tenant = new.tenant AND hash = new.head), 0) WHERE seq = new.seq;
END;
CREATE TRIGGER session_shares_more AFTER UPDATE OF bytes, head, revision ON session WHEN new.revision > 0 BEGIN
	UPDATE session SET shared = new.bytes + coalesce((SELECT size FROM blob WHERE tenant = new.tenant AND hash = new.head), 0) WHERE seq = new.seq;
END;
CREATE TRIGGER session_shared AFTER UPDATE OF shared ON session BEGIN
	UPDATE usage SET shared = shared + new.shared - old.shared WHERE tenant = new.tenant;
END;
CREATE TRIGGER session_shared_removed AFTER DELETE ON session BEGIN
	UPDATE usage SET shared = shared - old.shared WHERE tenant = old.tenant;
END;
CREATE TRIGGER snapshot_shares AFTER INSERT ON snapshot WHEN new.revision > 0 BEGIN
	UPDATE snapshot SET shared = new.bytes + coalesce((SELECT size FROM blob WHERE tenant = new.tenant AND hash = new.head), 0) WHERE seq = new.seq;
END;
CREATE TRIGGER snapshot_shares_more AFTER UPDATE OF revision ON snapshot WHEN new.revision > 0 BEGIN
	UPDATE snapshot SET shared = new.bytes + coalesce((SELECT size FROM blob WHERE tenant = new.tenant AND hash = new.head), 0) WHERE seq = new.seq;
END;
CREATE TRIGGER snapshot_shared AFTER UPDATE OF shared ON snapshot BEGIN
	UPDATE usage SET shared = shared + new.shared - old.shared WHERE tenant = new.tenant;
END;
CREATE TRIGGER snapshot_shared_removed AFTER DELETE ON snapshot BEGIN
	UPDATE usage SET shared = shared - old.shared WHERE tenant = old.tenant;
END;
