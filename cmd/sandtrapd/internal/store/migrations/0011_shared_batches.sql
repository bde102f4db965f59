-- Of batches that several servers share by a ledger: what they are there; 0 if they are not there.
ALTER TABLE batch ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
CREATE INDEX batch_revision ON batch (revision);

-- Lines that are in a queue of several servers count until their batch has ended.
ALTER TABLE batch ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
DROP TRIGGER batch_added;
DROP TRIGGER batch_removed;
CREATE TRIGGER batch_added AFTER INSERT ON batch BEGIN
	INSERT INTO usage (tenant, bytes) VALUES (new.tenant, 1024 + iif(new.ended = 0, new.bytes, 0)) ON CONFLICT (tenant) DO UPDATE SET bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER batch_ends AFTER UPDATE OF ended ON batch WHEN old.ended = 0 AND new.ended > 0 BEGIN
	UPDATE usage SET bytes = bytes - new.bytes WHERE tenant = new.tenant;
END;
CREATE TRIGGER batch_removed AFTER DELETE ON batch BEGIN
	UPDATE usage SET bytes = bytes - 1024 - iif(old.ended = 0, old.bytes, 0) WHERE tenant = old.tenant;
END;
