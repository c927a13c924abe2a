CREATE TABLE `appointment_contacts` (
	`appointment_id` integer NOT NULL,
	`contact_id` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`appointment_id`, `position`),
	FOREIGN KEY (`appointment_id`) REFERENCES `appointments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`contact_id`) REFERENCES `contacts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `appointment_contacts_by_contact` ON `appointment_contacts` (`contact_id`);--> statement-breakpoint
CREATE TABLE `appointment_users` (
	`appointment_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`appointment_id`, `position`),
	FOREIGN KEY (`appointment_id`) REFERENCES `appointments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `appointment_users_by_user` ON `appointment_users` (`user_id`);--> statement-breakpoint
CREATE TABLE `appointments` (
	`id` integer PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`status` text NOT NULL,
	`title` text,
	`starts` text NOT NULL,
	`ends` text NOT NULL,
	`store_id` integer NOT NULL,
	`listing_id` integer,
	`notes` text,
	`created_by` integer NOT NULL,
	`date_created` text NOT NULL,
	`date_updated` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`is_deleted` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`store_id`) REFERENCES `stores`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`listing_id`) REFERENCES `listings`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `appointments_by_deleted` ON `appointments` (`is_deleted`);--> statement-breakpoint
CREATE INDEX `appointments_by_type` ON `appointments` (`is_deleted`,`type`);--> statement-breakpoint
CREATE INDEX `appointments_by_status` ON `appointments` (`is_deleted`,`status`);--> statement-breakpoint
CREATE INDEX `appointments_by_store` ON `appointments` (`is_deleted`,`store_id`);--> statement-breakpoint
CREATE INDEX `appointments_by_listing` ON `appointments` (`is_deleted`,`listing_id`);--> statement-breakpoint
CREATE INDEX `appointments_by_creator` ON `appointments` (`is_deleted`,`created_by`);--> statement-breakpoint
CREATE INDEX `appointments_by_starts` ON `appointments` (`is_deleted`,`starts`);--> statement-breakpoint
CREATE INDEX `appointments_by_date_created` ON `appointments` (`is_deleted`,`date_created`);--> statement-breakpoint
CREATE INDEX `appointments_by_date_updated` ON `appointments` (`is_deleted`,`date_updated`);
--> statement-breakpoint
CREATE TRIGGER changes_appointments_insert AFTER INSERT ON appointments
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'appointments', new.id, iif(new.is_deleted, 'deleted', 'changed'), datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_appointments_update AFTER UPDATE OF date_updated ON appointments
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'appointments', new.id, iif(new.is_deleted, 'deleted', 'changed'), datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_appointments_delete AFTER DELETE ON appointments
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'appointments', old.id, 'deleted', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER appointments_highest_id AFTER INSERT ON appointments WHEN new.id > 1099511627776
BEGIN
  SELECT RAISE(ABORT, 'No id is left');
END;
--> statement-breakpoint
CREATE TRIGGER record_counts_appointments_insert AFTER INSERT ON appointments
BEGIN
  INSERT INTO record_counts (resource, deleted, status, records)
  VALUES ('appointments', new.is_deleted, ifnull(new.status, ''), 1)
  ON CONFLICT DO UPDATE SET records = records + 1;
END;
--> statement-breakpoint
CREATE TRIGGER record_counts_appointments_update AFTER UPDATE OF is_deleted,status ON appointments WHEN old.is_deleted IS NOT new.is_deleted OR old.status IS NOT new.status
BEGIN
  UPDATE record_counts SET records = records - 1
  WHERE resource = 'appointments' AND deleted = old.is_deleted AND status = ifnull(old.status, '');
  INSERT INTO record_counts (resource, deleted, status, records)
  VALUES ('appointments', new.is_deleted, ifnull(new.status, ''), 1)
  ON CONFLICT DO UPDATE SET records = records + 1;
END;
--> statement-breakpoint
CREATE TRIGGER record_counts_appointments_delete AFTER DELETE ON appointments
BEGIN
  UPDATE record_counts SET records = records - 1
  WHERE resource = 'appointments' AND deleted = old.is_deleted AND status = ifnull(old.status, '');
END;
--> statement-breakpoint
-- Cron counts all records anew.
DELETE FROM derivations WHERE name = 'record_counts';
