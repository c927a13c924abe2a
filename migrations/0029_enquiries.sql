CREATE TABLE `enquiries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`date_created` text NOT NULL,
	`date_updated` text NOT NULL,
	`status_date` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`type` text NOT NULL,
	`listing_id` integer,
	`first_name` text,
	`last_name` text NOT NULL,
	`email` text,
	`phone` text,
	`message` text NOT NULL,
	`language_id` integer,
	`amount` integer,
	`page_url` text,
	`dates` text DEFAULT '[]' NOT NULL,
	`sought` text,
	`consents_to_marketing` integer NOT NULL,
	`status` text NOT NULL,
	`notes` text,
	`contact_id` integer,
	`request_id` integer,
	`search` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`listing_id`) REFERENCES `listings`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`language_id`) REFERENCES `languages`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`contact_id`) REFERENCES `contacts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`request_id`) REFERENCES `requests`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `enquiries_by_status` ON `enquiries` (`status`,`status_date`);--> statement-breakpoint
CREATE INDEX `enquiries_by_type` ON `enquiries` (`type`);--> statement-breakpoint
CREATE INDEX `enquiries_by_listing` ON `enquiries` (`listing_id`);--> statement-breakpoint
CREATE INDEX `enquiries_by_date_created` ON `enquiries` (`date_created`);--> statement-breakpoint
CREATE INDEX `enquiries_by_date_updated` ON `enquiries` (`date_updated`);--> statement-breakpoint
CREATE TABLE `enquiry_users` (
	`enquiry_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`enquiry_id`, `position`),
	FOREIGN KEY (`enquiry_id`) REFERENCES `enquiries`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TRIGGER changes_enquiries_insert AFTER INSERT ON enquiries
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'enquiries', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_enquiries_update AFTER UPDATE OF version ON enquiries WHEN old.version <> new.version
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'enquiries', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_enquiries_delete AFTER DELETE ON enquiries
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'enquiries', old.id, 'deleted', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER enquiries_highest_id AFTER INSERT ON enquiries WHEN new.id > 1099511627776
BEGIN
  SELECT RAISE(ABORT, 'No id is left');
END;
