CREATE TABLE `enquiry_usage` (
	`api_key` text PRIMARY KEY NOT NULL,
	`enquiries` integer NOT NULL,
	`bytes` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `idempotency_total` (
	`id` integer PRIMARY KEY NOT NULL,
	`bytes` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `enquiries` ADD `reference` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `enquiries` ADD `sent_by` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `enquiries` ADD `bytes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- Enquiries of before get references, too, which the search finds.
UPDATE enquiries SET reference = hex(randomblob(5));--> statement-breakpoint
UPDATE enquiries SET search = lower(reference) || char(10) || substr(search, 1, 1989);--> statement-breakpoint
-- Keeps enquiry_usage: the new enquiries that each key for visitors has sent. Agents may always set a status.
CREATE TRIGGER enquiry_usage_insert AFTER INSERT ON enquiries WHEN new.sent_by <> '' AND new.status = 'new' BEGIN
  INSERT INTO enquiry_usage (api_key, enquiries, bytes) VALUES (new.sent_by, 1, new.bytes)
  ON CONFLICT DO UPDATE SET enquiries = enquiries + 1, bytes = bytes + excluded.bytes;
  SELECT RAISE(ABORT, 'enquiry_room') FROM enquiry_usage
  WHERE api_key = new.sent_by AND (enquiries > 5000 OR bytes > 20000000);
END;
--> statement-breakpoint
CREATE TRIGGER enquiry_usage_update AFTER UPDATE OF status ON enquiries
WHEN old.sent_by <> '' AND (old.status = 'new') <> (new.status = 'new') BEGIN
  INSERT INTO enquiry_usage (api_key, enquiries, bytes)
  VALUES (old.sent_by, iif(new.status = 'new', 1, -1), iif(new.status = 'new', old.bytes, -old.bytes))
  ON CONFLICT DO UPDATE SET enquiries = enquiries + excluded.enquiries, bytes = bytes + excluded.bytes;
  DELETE FROM enquiry_usage WHERE api_key = old.sent_by AND enquiries <= 0;
END;
--> statement-breakpoint
CREATE TRIGGER enquiry_usage_delete AFTER DELETE ON enquiries WHEN old.sent_by <> '' AND old.status = 'new' BEGIN
  UPDATE enquiry_usage SET enquiries = enquiries - 1, bytes = bytes - old.bytes WHERE api_key = old.sent_by;
  DELETE FROM enquiry_usage WHERE api_key = old.sent_by AND enquiries <= 0;
END;
--> statement-breakpoint
-- Keeps idempotency_total. The 500 bytes are the other columns of a key, and its index.
INSERT INTO idempotency_total (id, bytes)
SELECT 1, ifnull(sum(bytes + 500), 0) FROM idempotency_keys WHERE bytes > 0;--> statement-breakpoint
CREATE TRIGGER idempotency_total_insert AFTER INSERT ON idempotency_keys WHEN new.bytes > 0 BEGIN
  UPDATE idempotency_total SET bytes = bytes + new.bytes + 500;
  SELECT RAISE(ABORT, 'idempotency_room_of_all') FROM idempotency_total WHERE bytes > 2000000000;
END;
--> statement-breakpoint
CREATE TRIGGER idempotency_total_update AFTER UPDATE OF bytes ON idempotency_keys WHEN new.bytes > old.bytes BEGIN
  UPDATE idempotency_total SET bytes = bytes + new.bytes - old.bytes + iif(old.bytes = 0, 500, 0);
  SELECT RAISE(ABORT, 'idempotency_room_of_all') FROM idempotency_total WHERE bytes > 2000000000;
END;
--> statement-breakpoint
CREATE TRIGGER idempotency_total_shrink AFTER UPDATE OF bytes ON idempotency_keys WHEN new.bytes < old.bytes BEGIN
  UPDATE idempotency_total SET bytes = bytes + new.bytes - old.bytes - iif(new.bytes = 0, 500, 0);
END;
--> statement-breakpoint
CREATE TRIGGER idempotency_total_delete AFTER DELETE ON idempotency_keys WHEN old.bytes > 0 BEGIN
  UPDATE idempotency_total SET bytes = bytes - old.bytes - 500;
END;
