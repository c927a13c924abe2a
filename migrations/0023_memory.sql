CREATE TABLE `activities` (
	`id` integer PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`direction` text,
	`date` text NOT NULL,
	`subject` text,
	`text` text,
	`listing_id` integer,
	`external_listing_id` integer,
	`request_id` integer,
	`enquiry_id` integer,
	`offer_id` integer,
	`contract_id` integer,
	`store_id` integer,
	`minutes` integer,
	`is_pinned` integer DEFAULT false NOT NULL,
	`author` text,
	`external_id` text,
	`created_by` integer NOT NULL,
	`date_created` text NOT NULL,
	`date_updated` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`sent_by` text DEFAULT '' NOT NULL,
	`search` text DEFAULT '' NOT NULL,
	`is_deleted` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`listing_id`) REFERENCES `listings`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`external_listing_id`) REFERENCES `external_listings`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`request_id`) REFERENCES `requests`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`enquiry_id`) REFERENCES `enquiries`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`offer_id`) REFERENCES `offers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`contract_id`) REFERENCES `contracts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`store_id`) REFERENCES `stores`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `activities_by_deleted` ON `activities` (`is_deleted`);--> statement-breakpoint
CREATE INDEX `activities_by_type` ON `activities` (`is_deleted`,`type`);--> statement-breakpoint
CREATE INDEX `activities_by_direction` ON `activities` (`is_deleted`,`direction`);--> statement-breakpoint
CREATE INDEX `activities_by_pinned` ON `activities` (`is_deleted`,`is_pinned`);--> statement-breakpoint
CREATE INDEX `activities_by_listing` ON `activities` (`is_deleted`,`listing_id`,`date`);--> statement-breakpoint
CREATE INDEX `activities_by_external_listing` ON `activities` (`is_deleted`,`external_listing_id`);--> statement-breakpoint
CREATE INDEX `activities_by_request` ON `activities` (`is_deleted`,`request_id`,`date`);--> statement-breakpoint
CREATE INDEX `activities_by_enquiry` ON `activities` (`enquiry_id`,`is_deleted`) WHERE enquiry_id is not null;--> statement-breakpoint
CREATE INDEX `activities_by_offer` ON `activities` (`is_deleted`,`offer_id`);--> statement-breakpoint
CREATE INDEX `activities_by_contract` ON `activities` (`is_deleted`,`contract_id`);--> statement-breakpoint
CREATE INDEX `activities_by_store` ON `activities` (`is_deleted`,`store_id`);--> statement-breakpoint
CREATE INDEX `activities_by_creator` ON `activities` (`is_deleted`,`created_by`);--> statement-breakpoint
CREATE INDEX `activities_by_date` ON `activities` (`is_deleted`,`date`);--> statement-breakpoint
CREATE INDEX `activities_by_date_created` ON `activities` (`is_deleted`,`date_created`);--> statement-breakpoint
CREATE INDEX `activities_by_date_updated` ON `activities` (`is_deleted`,`date_updated`);--> statement-breakpoint
CREATE INDEX `activities_by_external_id` ON `activities` (`sent_by`,`external_id`) WHERE external_id is not null;--> statement-breakpoint
CREATE TABLE `activity_contacts` (
	`activity_id` integer NOT NULL,
	`contact_id` integer NOT NULL,
	`position` integer NOT NULL,
	`date` text,
	PRIMARY KEY(`activity_id`, `position`),
	FOREIGN KEY (`activity_id`) REFERENCES `activities`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`contact_id`) REFERENCES `contacts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `activity_contacts_by_contact` ON `activity_contacts` (`contact_id`,`date`,`activity_id`);--> statement-breakpoint
CREATE TABLE `activity_users` (
	`activity_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`activity_id`, `position`),
	FOREIGN KEY (`activity_id`) REFERENCES `activities`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `activity_users_by_user` ON `activity_users` (`user_id`);--> statement-breakpoint
CREATE TABLE `contact_merge_references` (
	`into_id` integer NOT NULL,
	`place` text NOT NULL,
	`record_id` integer NOT NULL,
	`part` integer NOT NULL,
	`contact_id` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`into_id`, `place`, `record_id`, `part`, `contact_id`, `position`)
);
--> statement-breakpoint
CREATE TABLE `contact_merges` (
	`contact_id` integer PRIMARY KEY NOT NULL,
	`into_id` integer NOT NULL,
	`date` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `contact_merges_by_date` ON `contact_merges` (`date`);--> statement-breakpoint
CREATE TABLE `person_keys` (
	`place` text NOT NULL,
	`is_deleted` integer NOT NULL,
	`key` text NOT NULL,
	`record_id` integer NOT NULL,
	PRIMARY KEY(`place`, `is_deleted`, `key`, `record_id`)
);
--> statement-breakpoint
CREATE TABLE `task_contacts` (
	`task_id` integer NOT NULL,
	`contact_id` integer NOT NULL,
	`position` integer NOT NULL,
	`done_date` text,
	PRIMARY KEY(`task_id`, `position`),
	FOREIGN KEY (`task_id`) REFERENCES `tasks`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`contact_id`) REFERENCES `contacts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `task_contacts_by_contact` ON `task_contacts` (`contact_id`,`done_date`,`task_id`);--> statement-breakpoint
CREATE TABLE `tasks` (
	`id` integer PRIMARY KEY NOT NULL,
	`title` text,
	`notes` text,
	`due` text,
	`user_id` integer NOT NULL,
	`status` text NOT NULL,
	`done_date` text,
	`result` text,
	`listing_id` integer,
	`external_listing_id` integer,
	`request_id` integer,
	`enquiry_id` integer,
	`offer_id` integer,
	`contract_id` integer,
	`appointment_id` integer,
	`store_id` integer,
	`created_by` integer NOT NULL,
	`date_created` text NOT NULL,
	`date_updated` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`is_deleted` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`listing_id`) REFERENCES `listings`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`external_listing_id`) REFERENCES `external_listings`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`request_id`) REFERENCES `requests`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`enquiry_id`) REFERENCES `enquiries`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`offer_id`) REFERENCES `offers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`contract_id`) REFERENCES `contracts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`appointment_id`) REFERENCES `appointments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`store_id`) REFERENCES `stores`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `tasks_by_deleted` ON `tasks` (`is_deleted`);--> statement-breakpoint
CREATE INDEX `tasks_by_user` ON `tasks` (`is_deleted`,`user_id`,`status`,`due`);--> statement-breakpoint
CREATE INDEX `tasks_by_status` ON `tasks` (`is_deleted`,`status`,`due`);--> statement-breakpoint
CREATE INDEX `tasks_by_due` ON `tasks` (`is_deleted`,`due`);--> statement-breakpoint
CREATE INDEX `tasks_by_listing` ON `tasks` (`is_deleted`,`listing_id`,`done_date`);--> statement-breakpoint
CREATE INDEX `tasks_by_external_listing` ON `tasks` (`is_deleted`,`external_listing_id`);--> statement-breakpoint
CREATE INDEX `tasks_by_request` ON `tasks` (`is_deleted`,`request_id`,`done_date`);--> statement-breakpoint
CREATE INDEX `tasks_by_enquiry` ON `tasks` (`enquiry_id`,`is_deleted`) WHERE enquiry_id is not null;--> statement-breakpoint
CREATE INDEX `tasks_by_offer` ON `tasks` (`is_deleted`,`offer_id`);--> statement-breakpoint
CREATE INDEX `tasks_by_contract` ON `tasks` (`is_deleted`,`contract_id`);--> statement-breakpoint
CREATE INDEX `tasks_by_appointment` ON `tasks` (`is_deleted`,`appointment_id`);--> statement-breakpoint
CREATE INDEX `tasks_by_store` ON `tasks` (`is_deleted`,`store_id`);--> statement-breakpoint
CREATE INDEX `tasks_by_creator` ON `tasks` (`is_deleted`,`created_by`);--> statement-breakpoint
CREATE INDEX `tasks_by_done_date` ON `tasks` (`is_deleted`,`done_date`);--> statement-breakpoint
CREATE INDEX `tasks_by_date_created` ON `tasks` (`is_deleted`,`date_created`);--> statement-breakpoint
CREATE INDEX `tasks_by_date_updated` ON `tasks` (`is_deleted`,`date_updated`);--> statement-breakpoint
DROP INDEX `appointment_contacts_by_contact`;--> statement-breakpoint
ALTER TABLE `appointment_contacts` ADD `starts` text;--> statement-breakpoint
ALTER TABLE `appointment_contacts` ADD `feedback_date` text;--> statement-breakpoint
CREATE INDEX `appointment_contacts_by_feedback` ON `appointment_contacts` (`contact_id`,`feedback_date`,`appointment_id`) WHERE feedback_date is not null;--> statement-breakpoint
CREATE INDEX `appointment_contacts_by_contact` ON `appointment_contacts` (`contact_id`,`starts`,`appointment_id`);--> statement-breakpoint
DROP INDEX `appointments_by_request`;--> statement-breakpoint
DROP INDEX `appointments_by_listing`;--> statement-breakpoint
CREATE INDEX `appointments_by_request_and_feedback` ON `appointments` (`is_deleted`,`request_id`,`feedback_date`) WHERE feedback_date is not null;--> statement-breakpoint
CREATE INDEX `appointments_viewings` ON `appointments` (`is_deleted`,`listing_id`,`starts`) WHERE type = 'viewing';--> statement-breakpoint
CREATE INDEX `appointments_by_feedback` ON `appointments` (`is_deleted`,`listing_id`,`feedback_date`) WHERE feedback_date is not null;--> statement-breakpoint
CREATE INDEX `appointments_by_request` ON `appointments` (`is_deleted`,`request_id`,`starts`);--> statement-breakpoint
CREATE INDEX `appointments_by_listing` ON `appointments` (`is_deleted`,`listing_id`,`starts`);--> statement-breakpoint
DROP INDEX `enquiries_by_listing`;--> statement-breakpoint
DROP INDEX `enquiries_by_contact`;--> statement-breakpoint
DROP INDEX `enquiries_by_request`;--> statement-breakpoint
ALTER TABLE `enquiries` ADD `person_keys` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE INDEX `enquiries_by_listing` ON `enquiries` (`listing_id`,`date_created`);--> statement-breakpoint
CREATE INDEX `enquiries_by_contact` ON `enquiries` (`contact_id`,`date_created`) WHERE contact_id is not null;--> statement-breakpoint
CREATE INDEX `enquiries_by_request` ON `enquiries` (`request_id`,`date_created`) WHERE request_id is not null;--> statement-breakpoint
DROP INDEX `listing_contacts_by_contact`;--> statement-breakpoint
CREATE INDEX `listing_contacts_by_contact` ON `listing_contacts` (`contact_id`,`listing_id`);--> statement-breakpoint
DROP INDEX `contract_contacts_by_contact`;--> statement-breakpoint
CREATE INDEX `contract_contacts_by_contact` ON `contract_contacts` (`contact_id`,`contract_id`);--> statement-breakpoint
DROP INDEX `contracts_by_listing`;--> statement-breakpoint
DROP INDEX `contracts_by_request`;--> statement-breakpoint
DROP INDEX `contracts_by_notary`;--> statement-breakpoint
CREATE INDEX `contracts_by_listing` ON `contracts` (`listing_id`,`date_created`);--> statement-breakpoint
CREATE INDEX `contracts_by_request` ON `contracts` (`request_id`,`date_created`);--> statement-breakpoint
CREATE INDEX `contracts_by_notary` ON `contracts` (`notary_contact_id`,`date_created`) WHERE notary_contact_id is not null;--> statement-breakpoint
DROP INDEX `offer_contacts_by_contact`;--> statement-breakpoint
CREATE INDEX `offer_contacts_by_contact` ON `offer_contacts` (`contact_id`,`offer_id`);--> statement-breakpoint
DROP INDEX `request_contacts_by_contact`;--> statement-breakpoint
CREATE INDEX `request_contacts_by_contact` ON `request_contacts` (`contact_id`,`request_id`);--> statement-breakpoint
ALTER TABLE `contacts` ADD `person_keys` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `contacts` ADD `merged_into` integer;--> statement-breakpoint
CREATE INDEX `contacts_by_merged_into` ON `contacts` (`merged_into`) WHERE merged_into is not null;--> statement-breakpoint
ALTER TABLE `external_listings` ADD `person_keys` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE INDEX `appointment_notices_by_contact` ON `appointment_notices` (`recipient_id`) WHERE party <> 'agent';--> statement-breakpoint
CREATE INDEX `trail_by_values` ON `trail` (`resource`,`record_id`,`date`) WHERE changed is not null and changed <> '{}';
--> statement-breakpoint
CREATE TRIGGER changes_activities_insert AFTER INSERT ON activities
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'activities', new.id, iif(new.is_deleted, 'deleted', 'changed'), datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_activities_update AFTER UPDATE OF date_updated ON activities
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'activities', new.id, iif(new.is_deleted, 'deleted', 'changed'), datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_activities_delete AFTER DELETE ON activities
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'activities', old.id, 'deleted', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_tasks_insert AFTER INSERT ON tasks
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'tasks', new.id, iif(new.is_deleted, 'deleted', 'changed'), datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_tasks_update AFTER UPDATE OF date_updated ON tasks
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'tasks', new.id, iif(new.is_deleted, 'deleted', 'changed'), datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_tasks_delete AFTER DELETE ON tasks
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'tasks', old.id, 'deleted', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER activities_highest_id AFTER INSERT ON activities WHEN new.id > 1099511627776
BEGIN
  SELECT RAISE(ABORT, 'No id is left');
END;
--> statement-breakpoint
CREATE TRIGGER tasks_highest_id AFTER INSERT ON tasks WHEN new.id > 1099511627776
BEGIN
  SELECT RAISE(ABORT, 'No id is left');
END;
--> statement-breakpoint
CREATE TRIGGER record_counts_activities_insert AFTER INSERT ON activities
BEGIN
  INSERT INTO record_counts (resource, deleted, status, records)
  VALUES ('activities', new.is_deleted, ifnull(new.type, ''), 1)
  ON CONFLICT DO UPDATE SET records = records + 1;
END;
--> statement-breakpoint
CREATE TRIGGER record_counts_activities_update AFTER UPDATE OF is_deleted,type ON activities WHEN old.is_deleted IS NOT new.is_deleted OR old.type IS NOT new.type
BEGIN
  UPDATE record_counts SET records = records - 1
  WHERE resource = 'activities' AND deleted = old.is_deleted AND status = ifnull(old.type, '');
  INSERT INTO record_counts (resource, deleted, status, records)
  VALUES ('activities', new.is_deleted, ifnull(new.type, ''), 1)
  ON CONFLICT DO UPDATE SET records = records + 1;
END;
--> statement-breakpoint
CREATE TRIGGER record_counts_activities_delete AFTER DELETE ON activities
BEGIN
  UPDATE record_counts SET records = records - 1
  WHERE resource = 'activities' AND deleted = old.is_deleted AND status = ifnull(old.type, '');
END;
--> statement-breakpoint
CREATE TRIGGER record_counts_tasks_insert AFTER INSERT ON tasks
BEGIN
  INSERT INTO record_counts (resource, deleted, status, records)
  VALUES ('tasks', new.is_deleted, ifnull(new.status, ''), 1)
  ON CONFLICT DO UPDATE SET records = records + 1;
END;
--> statement-breakpoint
CREATE TRIGGER record_counts_tasks_update AFTER UPDATE OF is_deleted,status ON tasks WHEN old.is_deleted IS NOT new.is_deleted OR old.status IS NOT new.status
BEGIN
  UPDATE record_counts SET records = records - 1
  WHERE resource = 'tasks' AND deleted = old.is_deleted AND status = ifnull(old.status, '');
  INSERT INTO record_counts (resource, deleted, status, records)
  VALUES ('tasks', new.is_deleted, ifnull(new.status, ''), 1)
  ON CONFLICT DO UPDATE SET records = records + 1;
END;
--> statement-breakpoint
CREATE TRIGGER record_counts_tasks_delete AFTER DELETE ON tasks
BEGIN
  UPDATE record_counts SET records = records - 1
  WHERE resource = 'tasks' AND deleted = old.is_deleted AND status = ifnull(old.status, '');
END;
--> statement-breakpoint
CREATE TRIGGER link_dates_appointment_contacts AFTER INSERT ON appointment_contacts WHEN new.starts IS NULL
BEGIN
  UPDATE appointment_contacts SET (starts, feedback_date) = (SELECT starts, feedback_date FROM appointments WHERE id = new.appointment_id AND NOT is_deleted) WHERE rowid = new.rowid;
END;
--> statement-breakpoint
CREATE TRIGGER link_dates_appointments AFTER UPDATE OF starts, feedback_date, is_deleted ON appointments
BEGIN
  UPDATE appointment_contacts SET (starts, feedback_date) = (SELECT starts, feedback_date FROM appointments WHERE id = new.id AND NOT is_deleted) WHERE appointment_id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER link_dates_activity_contacts AFTER INSERT ON activity_contacts WHEN new.date IS NULL
BEGIN
  UPDATE activity_contacts SET (date) = (SELECT date FROM activities WHERE id = new.activity_id AND NOT is_deleted) WHERE rowid = new.rowid;
END;
--> statement-breakpoint
CREATE TRIGGER link_dates_activities AFTER UPDATE OF date, is_deleted ON activities
BEGIN
  UPDATE activity_contacts SET (date) = (SELECT date FROM activities WHERE id = new.id AND NOT is_deleted) WHERE activity_id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER link_dates_task_contacts AFTER INSERT ON task_contacts WHEN new.done_date IS NULL
BEGIN
  UPDATE task_contacts SET (done_date) = (SELECT done_date FROM tasks WHERE id = new.task_id AND NOT is_deleted) WHERE rowid = new.rowid;
END;
--> statement-breakpoint
CREATE TRIGGER link_dates_tasks AFTER UPDATE OF done_date, is_deleted ON tasks
BEGIN
  UPDATE task_contacts SET (done_date) = (SELECT done_date FROM tasks WHERE id = new.id AND NOT is_deleted) WHERE task_id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER person_keys_contacts_insert AFTER INSERT ON contacts
BEGIN
  INSERT INTO person_keys (place, is_deleted, key, record_id) SELECT places.key, new.is_deleted, own.value, new.id FROM json_each(new.person_keys) places, json_each(places.value) own;
END;
--> statement-breakpoint
CREATE TRIGGER person_keys_contacts_update AFTER UPDATE OF person_keys, is_deleted ON contacts WHEN old.person_keys IS NOT new.person_keys OR old.is_deleted IS NOT new.is_deleted
BEGIN
  DELETE FROM person_keys WHERE (place, is_deleted, key, record_id) IN (SELECT places.key, old.is_deleted, own.value, old.id FROM json_each(old.person_keys) places, json_each(places.value) own);
  INSERT INTO person_keys (place, is_deleted, key, record_id) SELECT places.key, new.is_deleted, own.value, new.id FROM json_each(new.person_keys) places, json_each(places.value) own;
END;
--> statement-breakpoint
CREATE TRIGGER person_keys_contacts_delete AFTER DELETE ON contacts
BEGIN
  DELETE FROM person_keys WHERE (place, is_deleted, key, record_id) IN (SELECT places.key, old.is_deleted, own.value, old.id FROM json_each(old.person_keys) places, json_each(places.value) own);
END;
--> statement-breakpoint
CREATE TRIGGER person_keys_enquiries_insert AFTER INSERT ON enquiries
BEGIN
  INSERT INTO person_keys (place, is_deleted, key, record_id) SELECT places.key, 0, own.value, new.id FROM json_each(new.person_keys) places, json_each(places.value) own;
END;
--> statement-breakpoint
CREATE TRIGGER person_keys_enquiries_update AFTER UPDATE OF person_keys ON enquiries WHEN old.person_keys IS NOT new.person_keys
BEGIN
  DELETE FROM person_keys WHERE (place, is_deleted, key, record_id) IN (SELECT places.key, 0, own.value, old.id FROM json_each(old.person_keys) places, json_each(places.value) own);
  INSERT INTO person_keys (place, is_deleted, key, record_id) SELECT places.key, 0, own.value, new.id FROM json_each(new.person_keys) places, json_each(places.value) own;
END;
--> statement-breakpoint
CREATE TRIGGER person_keys_enquiries_delete AFTER DELETE ON enquiries
BEGIN
  DELETE FROM person_keys WHERE (place, is_deleted, key, record_id) IN (SELECT places.key, 0, own.value, old.id FROM json_each(old.person_keys) places, json_each(places.value) own);
END;
--> statement-breakpoint
CREATE TRIGGER person_keys_external_listings_insert AFTER INSERT ON external_listings
BEGIN
  INSERT INTO person_keys (place, is_deleted, key, record_id) SELECT places.key, new.is_deleted, own.value, new.id FROM json_each(new.person_keys) places, json_each(places.value) own;
END;
--> statement-breakpoint
CREATE TRIGGER person_keys_external_listings_update AFTER UPDATE OF person_keys, is_deleted ON external_listings WHEN old.person_keys IS NOT new.person_keys OR old.is_deleted IS NOT new.is_deleted
BEGIN
  DELETE FROM person_keys WHERE (place, is_deleted, key, record_id) IN (SELECT places.key, old.is_deleted, own.value, old.id FROM json_each(old.person_keys) places, json_each(places.value) own);
  INSERT INTO person_keys (place, is_deleted, key, record_id) SELECT places.key, new.is_deleted, own.value, new.id FROM json_each(new.person_keys) places, json_each(places.value) own;
END;
--> statement-breakpoint
CREATE TRIGGER person_keys_external_listings_delete AFTER DELETE ON external_listings
BEGIN
  DELETE FROM person_keys WHERE (place, is_deleted, key, record_id) IN (SELECT places.key, old.is_deleted, own.value, old.id FROM json_each(old.person_keys) places, json_each(places.value) own);
END;
--> statement-breakpoint
-- Cron counts all records anew.
DELETE FROM derivations WHERE name = 'record_counts';
