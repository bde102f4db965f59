-- Batches that were deleted here, and not in the ledger yet.
CREATE TRIGGER batch_gone AFTER DELETE ON batch WHEN old.revision > 0 BEGIN
	INSERT OR REPLACE INTO gone (tenant, id, revision, object) VALUES (old.tenant, old.id, old.revision, '');
END;
