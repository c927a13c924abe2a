-- Keeps idempotency_usage: how many idempotency keys are kept of each API key, and how many bytes.
CREATE TRIGGER idempotency_usage_insert AFTER INSERT ON idempotency_keys WHEN new.api_key <> '' BEGIN
  INSERT INTO idempotency_usage (api_key, keys, bytes) VALUES (new.api_key, 1, new.bytes)
  ON CONFLICT DO UPDATE SET keys = keys + 1, bytes = bytes + excluded.bytes;
END;
--> statement-breakpoint
CREATE TRIGGER idempotency_usage_update AFTER UPDATE OF bytes ON idempotency_keys
WHEN new.api_key <> '' AND old.bytes <> new.bytes BEGIN
  UPDATE idempotency_usage SET bytes = bytes + new.bytes - old.bytes WHERE api_key = new.api_key;
END;
--> statement-breakpoint
CREATE TRIGGER idempotency_usage_delete AFTER DELETE ON idempotency_keys WHEN old.api_key <> '' BEGIN
  UPDATE idempotency_usage SET keys = keys - 1, bytes = bytes - old.bytes WHERE api_key = old.api_key;
  DELETE FROM idempotency_usage WHERE api_key = old.api_key AND keys <= 0;
END;
