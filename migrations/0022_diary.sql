CREATE TABLE `appointment_confirmations` (
	`appointment_id` integer NOT NULL,
	`party` text NOT NULL,
	`via` text NOT NULL,
	`date` text NOT NULL,
	`user_id` integer,
	PRIMARY KEY(`appointment_id`, `party`),
	FOREIGN KEY (`appointment_id`) REFERENCES `appointments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
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
CREATE TABLE `appointment_former_users` (
	`appointment_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`date` text NOT NULL,
	`type` text NOT NULL,
	`starts` text NOT NULL,
	`ends` text NOT NULL,
	`sequence` integer NOT NULL,
	`listing_id` integer,
	PRIMARY KEY(`appointment_id`, `user_id`),
	FOREIGN KEY (`appointment_id`) REFERENCES `appointments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`listing_id`) REFERENCES `listings`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `appointment_former_users_by_user` ON `appointment_former_users` (`user_id`,`date`);--> statement-breakpoint
CREATE TABLE `appointment_notices` (
	`appointment_id` integer NOT NULL,
	`party` text NOT NULL,
	`recipient_id` integer NOT NULL,
	`event` text NOT NULL,
	`date` text,
	`notice_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`is_known` integer DEFAULT true NOT NULL,
	`created` integer DEFAULT 0 NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`refusals` integer DEFAULT 0 NOT NULL,
	`next_try` integer,
	FOREIGN KEY (`appointment_id`) REFERENCES `appointments`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `appointment_notices_by_appointment` ON `appointment_notices` (`appointment_id`,`notice_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `appointment_notices_waiting` ON `appointment_notices` (`appointment_id`,`party`,`recipient_id`) WHERE next_try is not null;--> statement-breakpoint
CREATE INDEX `appointment_notices_by_next_try` ON `appointment_notices` (`next_try`) WHERE next_try is not null;--> statement-breakpoint
CREATE TABLE `appointment_slots` (
	`appointment_id` integer NOT NULL,
	`resource` text NOT NULL,
	`record_id` integer NOT NULL,
	`is_free` integer NOT NULL,
	`reach` integer NOT NULL,
	`starts` text NOT NULL,
	`ends` text NOT NULL,
	PRIMARY KEY(`appointment_id`, `resource`, `record_id`),
	FOREIGN KEY (`appointment_id`) REFERENCES `appointments`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `appointment_slots_by_time` ON `appointment_slots` (`resource`,`record_id`,`is_free`,`reach`,`starts`,`ends`,`appointment_id`);--> statement-breakpoint
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
	`status_date` text,
	`title` text,
	`starts` text NOT NULL,
	`ends` text NOT NULL,
	`store_id` integer NOT NULL,
	`listing_id` integer,
	`external_listing_id` integer,
	`request_id` integer,
	`enquiry_id` integer,
	`location` text,
	`notes` text,
	`sequence` integer DEFAULT 0 NOT NULL,
	`created_by` integer NOT NULL,
	`date_created` text NOT NULL,
	`date_updated` text NOT NULL,
	`feedback_interest` text,
	`feedback_price` text,
	`feedback_text` text,
	`feedback_date` text,
	`feedback_user_id` integer,
	`feedback_shared_date` text,
	`feedback_shared_by` integer,
	`version` integer DEFAULT 1 NOT NULL,
	`is_deleted` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`store_id`) REFERENCES `stores`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`listing_id`) REFERENCES `listings`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`external_listing_id`) REFERENCES `external_listings`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`request_id`) REFERENCES `requests`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`enquiry_id`) REFERENCES `enquiries`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`feedback_user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`feedback_shared_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `appointments_by_deleted` ON `appointments` (`is_deleted`);--> statement-breakpoint
CREATE INDEX `appointments_by_type` ON `appointments` (`is_deleted`,`type`);--> statement-breakpoint
CREATE INDEX `appointments_by_status` ON `appointments` (`is_deleted`,`status`);--> statement-breakpoint
CREATE INDEX `appointments_by_store` ON `appointments` (`is_deleted`,`store_id`,`starts`);--> statement-breakpoint
CREATE INDEX `appointments_by_creator` ON `appointments` (`is_deleted`,`created_by`,`starts`);--> statement-breakpoint
CREATE INDEX `appointments_by_external_listing` ON `appointments` (`is_deleted`,`external_listing_id`,`starts`);--> statement-breakpoint
CREATE INDEX `appointments_by_request` ON `appointments` (`is_deleted`,`request_id`);--> statement-breakpoint
CREATE INDEX `appointments_by_enquiry` ON `appointments` (`enquiry_id`,`is_deleted`) WHERE enquiry_id is not null;--> statement-breakpoint
CREATE INDEX `appointments_by_starts` ON `appointments` (`is_deleted`,`starts`);--> statement-breakpoint
CREATE INDEX `appointments_by_reach` ON `appointments` (`is_deleted`,(CASE WHEN unixepoch(ends) - unixepoch(starts) <= 7200 THEN 2 WHEN unixepoch(ends) - unixepoch(starts) <= 86400 THEN 24 ELSE 744 END),`starts`,`ends`);--> statement-breakpoint
CREATE INDEX `appointments_by_date_created` ON `appointments` (`is_deleted`,`date_created`);--> statement-breakpoint
CREATE INDEX `appointments_by_date_updated` ON `appointments` (`is_deleted`,`date_updated`);--> statement-breakpoint
CREATE INDEX `appointments_by_listing` ON `appointments` (`is_deleted`,`listing_id`,`feedback_date`);--> statement-breakpoint
CREATE INDEX `appointments_without_feedback` ON `appointments` (`is_deleted`,`starts`) WHERE type = 'viewing' and status not in ('cancelled', 'no_show') and feedback_date is null;--> statement-breakpoint
CREATE TABLE `calendars` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`detail` text NOT NULL,
	`tasks` integer NOT NULL,
	`token` text NOT NULL,
	`date_created` text NOT NULL,
	`date_updated` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `calendars_with_token` ON `calendars` (`token`);--> statement-breakpoint
ALTER TABLE `users` ADD `phone` text;
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
CREATE TRIGGER appointment_slots_insert AFTER INSERT ON appointments
BEGIN
  INSERT OR IGNORE INTO appointment_slots (appointment_id, resource, record_id, is_free, reach, starts, ends)
  SELECT new.id, 'listings', new.listing_id, new.is_deleted OR new.status IN ('cancelled', 'no_show'),
    (CASE WHEN unixepoch(new.ends) - unixepoch(new.starts) <= 7200 THEN 2 WHEN unixepoch(new.ends) - unixepoch(new.starts) <= 86400 THEN 24 ELSE 744 END), new.starts, new.ends WHERE new.listing_id IS NOT NULL AND new.type IN ('viewing', 'valuation');
  INSERT OR IGNORE INTO appointment_slots (appointment_id, resource, record_id, is_free, reach, starts, ends)
  SELECT new.id, 'external_listings', new.external_listing_id, new.is_deleted OR new.status IN ('cancelled', 'no_show'),
    (CASE WHEN unixepoch(new.ends) - unixepoch(new.starts) <= 7200 THEN 2 WHEN unixepoch(new.ends) - unixepoch(new.starts) <= 86400 THEN 24 ELSE 744 END), new.starts, new.ends WHERE new.external_listing_id IS NOT NULL AND new.type IN ('viewing', 'valuation');
END;
--> statement-breakpoint
CREATE TRIGGER appointment_slots_update AFTER UPDATE OF starts, ends, status, type, listing_id, external_listing_id, is_deleted ON appointments WHEN old.starts IS NOT new.starts OR old.ends IS NOT new.ends OR old.status IS NOT new.status OR old.type IS NOT new.type OR old.listing_id IS NOT new.listing_id OR old.external_listing_id IS NOT new.external_listing_id OR old.is_deleted IS NOT new.is_deleted
BEGIN
  DELETE FROM appointment_slots WHERE appointment_id = new.id;
  INSERT OR IGNORE INTO appointment_slots (appointment_id, resource, record_id, is_free, reach, starts, ends)
  SELECT new.id, 'listings', new.listing_id, new.is_deleted OR new.status IN ('cancelled', 'no_show'),
    (CASE WHEN unixepoch(new.ends) - unixepoch(new.starts) <= 7200 THEN 2 WHEN unixepoch(new.ends) - unixepoch(new.starts) <= 86400 THEN 24 ELSE 744 END), new.starts, new.ends WHERE new.listing_id IS NOT NULL AND new.type IN ('viewing', 'valuation');
  INSERT OR IGNORE INTO appointment_slots (appointment_id, resource, record_id, is_free, reach, starts, ends)
  SELECT new.id, 'external_listings', new.external_listing_id, new.is_deleted OR new.status IN ('cancelled', 'no_show'),
    (CASE WHEN unixepoch(new.ends) - unixepoch(new.starts) <= 7200 THEN 2 WHEN unixepoch(new.ends) - unixepoch(new.starts) <= 86400 THEN 24 ELSE 744 END), new.starts, new.ends WHERE new.external_listing_id IS NOT NULL AND new.type IN ('viewing', 'valuation');
  INSERT OR IGNORE INTO appointment_slots (appointment_id, resource, record_id, is_free, reach, starts, ends)
  SELECT new.id, 'users', user_id, new.is_deleted OR new.status IN ('cancelled', 'no_show'),
    (CASE WHEN unixepoch(new.ends) - unixepoch(new.starts) <= 7200 THEN 2 WHEN unixepoch(new.ends) - unixepoch(new.starts) <= 86400 THEN 24 ELSE 744 END), new.starts, new.ends FROM appointment_users WHERE appointment_id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER appointment_slots_users_insert AFTER INSERT ON appointment_users
BEGIN
  INSERT OR IGNORE INTO appointment_slots (appointment_id, resource, record_id, is_free, reach, starts, ends)
  SELECT a.id, 'users', new.user_id, a.is_deleted OR a.status IN ('cancelled', 'no_show'),
    (CASE WHEN unixepoch(a.ends) - unixepoch(a.starts) <= 7200 THEN 2 WHEN unixepoch(a.ends) - unixepoch(a.starts) <= 86400 THEN 24 ELSE 744 END), a.starts, a.ends FROM appointments a WHERE a.id = new.appointment_id;
END;
--> statement-breakpoint
CREATE TRIGGER appointment_slots_users_delete AFTER DELETE ON appointment_users
BEGIN
  DELETE FROM appointment_slots
  WHERE appointment_id = old.appointment_id AND resource = 'users' AND record_id = old.user_id;
END;
--> statement-breakpoint
-- Cron counts all records anew.
DELETE FROM derivations WHERE name = 'record_counts';
