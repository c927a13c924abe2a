CREATE TABLE `agency_changes` (
	`entity` text NOT NULL,
	`key` text NOT NULL,
	`version` integer NOT NULL,
	`added` integer NOT NULL,
	PRIMARY KEY(`entity`, `key`)
);
--> statement-breakpoint
CREATE INDEX `agency_changes_by_version` ON `agency_changes` (`version`);--> statement-breakpoint
CREATE TABLE `backups` (
	`name` text PRIMARY KEY NOT NULL,
	`run` text NOT NULL,
	`date_started` text NOT NULL,
	`date_finished` text,
	`date_tried` text,
	`cursor` text,
	`parts` integer NOT NULL,
	`lease` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `enquiry_mails` (
	`enquiry_id` integer PRIMARY KEY NOT NULL,
	`created` integer NOT NULL,
	`tries` integer NOT NULL,
	`next_try` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `enquiry_mails_by_next_try` ON `enquiry_mails` (`next_try`);--> statement-breakpoint
CREATE TABLE `photo_downloads` (
	`listing_id` integer NOT NULL,
	`address` text NOT NULL,
	`attempts` integer NOT NULL,
	`due` text,
	`image` text,
	PRIMARY KEY(`listing_id`, `address`),
	FOREIGN KEY (`listing_id`) REFERENCES `listings`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `photo_downloads_due` ON `photo_downloads` (`due`) WHERE image is null;--> statement-breakpoint
CREATE TABLE `contact_holds` (
	`contact_id` integer PRIMARY KEY NOT NULL,
	`date` text NOT NULL,
	`reason` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `erased_records` (
	`resource` text NOT NULL,
	`id` integer NOT NULL,
	`contact_id` integer NOT NULL,
	`fields` text,
	PRIMARY KEY(`resource`, `id`, `contact_id`)
);
--> statement-breakpoint
CREATE INDEX `erased_records_by_erasure` ON `erased_records` (`contact_id`,`resource`);--> statement-breakpoint
CREATE TABLE `erasures` (
	`contact_id` integer PRIMARY KEY NOT NULL,
	`date` text NOT NULL,
	`reason` text NOT NULL,
	`progress` text NOT NULL,
	`progress_date` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `erasures_unfinished` ON `erasures` (`progress_date`) WHERE progress <> 'closed';--> statement-breakpoint
CREATE TABLE `job_runs` (
	`name` text PRIMARY KEY NOT NULL,
	`date` text NOT NULL,
	`milliseconds` integer NOT NULL,
	`error` text
);
--> statement-breakpoint
CREATE TABLE `record_counts` (
	`resource` text NOT NULL,
	`deleted` integer NOT NULL,
	`status` text NOT NULL,
	`records` integer NOT NULL,
	PRIMARY KEY(`resource`, `deleted`, `status`)
);
--> statement-breakpoint
CREATE TABLE `trail` (
	`id` integer PRIMARY KEY NOT NULL,
	`date` text NOT NULL,
	`actor_type` text,
	`actor_id` text,
	`address` text,
	`method` text,
	`route` text,
	`resource` text,
	`record_id` text,
	`version` integer,
	`status` integer NOT NULL,
	`request_id` text,
	`changed` text,
	`others` text,
	`count` integer
);
--> statement-breakpoint
CREATE INDEX `trail_by_record` ON `trail` (`resource`,`record_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `trail_by_refusal` ON `trail` (`date`,`address`,`route`,`status`) WHERE count is not null;--> statement-breakpoint
CREATE TABLE `trail_state` (
	`id` integer PRIMARY KEY NOT NULL,
	`examined` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `contacts` ADD `consents` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `contacts` ADD `is_erased` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `enquiries` ADD `notified` text;--> statement-breakpoint
ALTER TABLE `enquiries` ADD `is_erased` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `enquiries_by_contact` ON `enquiries` (`contact_id`) WHERE contact_id is not null;--> statement-breakpoint
CREATE INDEX `enquiries_by_request` ON `enquiries` (`request_id`) WHERE request_id is not null;--> statement-breakpoint
ALTER TABLE `file_sweeps` ADD `objects` integer;--> statement-breakpoint
ALTER TABLE `file_sweeps` ADD `bytes` integer;--> statement-breakpoint
ALTER TABLE `file_sweeps` ADD `counted_objects` integer;--> statement-breakpoint
ALTER TABLE `file_sweeps` ADD `counted_bytes` integer;--> statement-breakpoint
ALTER TABLE `file_sweeps` ADD `date_counted` text;--> statement-breakpoint
CREATE INDEX `listing_contacts_by_contact` ON `listing_contacts` (`contact_id`);--> statement-breakpoint
CREATE INDEX `listings_by_tenant` ON `listings` ((case when json_valid(extra) then extra ->> 'tenant_contact_id' end)) WHERE (case when json_valid(extra) then extra ->> 'tenant_contact_id' end) is not null;--> statement-breakpoint
CREATE INDEX `contracts_by_notary` ON `contracts` (`notary_contact_id`) WHERE notary_contact_id is not null;
--> statement-breakpoint
CREATE TRIGGER record_counts_contacts_insert AFTER INSERT ON contacts
BEGIN
  INSERT INTO record_counts (resource, deleted, status, records)
  VALUES ('contacts', new.is_deleted, '', 1)
  ON CONFLICT DO UPDATE SET records = records + 1;
END;
--> statement-breakpoint
CREATE TRIGGER record_counts_contacts_update AFTER UPDATE OF is_deleted ON contacts WHEN old.is_deleted IS NOT new.is_deleted
BEGIN
  UPDATE record_counts SET records = records - 1
  WHERE resource = 'contacts' AND deleted = old.is_deleted AND status = '';
  INSERT INTO record_counts (resource, deleted, status, records)
  VALUES ('contacts', new.is_deleted, '', 1)
  ON CONFLICT DO UPDATE SET records = records + 1;
END;
--> statement-breakpoint
CREATE TRIGGER record_counts_contacts_delete AFTER DELETE ON contacts
BEGIN
  UPDATE record_counts SET records = records - 1
  WHERE resource = 'contacts' AND deleted = old.is_deleted AND status = '';
END;
--> statement-breakpoint
CREATE TRIGGER record_counts_external_listings_insert AFTER INSERT ON external_listings
BEGIN
  INSERT INTO record_counts (resource, deleted, status, records)
  VALUES ('external-listings', new.is_deleted, ifnull(new.status, ''), 1)
  ON CONFLICT DO UPDATE SET records = records + 1;
END;
--> statement-breakpoint
CREATE TRIGGER record_counts_external_listings_update AFTER UPDATE OF is_deleted,status ON external_listings WHEN old.is_deleted IS NOT new.is_deleted OR old.status IS NOT new.status
BEGIN
  UPDATE record_counts SET records = records - 1
  WHERE resource = 'external-listings' AND deleted = old.is_deleted AND status = ifnull(old.status, '');
  INSERT INTO record_counts (resource, deleted, status, records)
  VALUES ('external-listings', new.is_deleted, ifnull(new.status, ''), 1)
  ON CONFLICT DO UPDATE SET records = records + 1;
END;
--> statement-breakpoint
CREATE TRIGGER record_counts_external_listings_delete AFTER DELETE ON external_listings
BEGIN
  UPDATE record_counts SET records = records - 1
  WHERE resource = 'external-listings' AND deleted = old.is_deleted AND status = ifnull(old.status, '');
END;
--> statement-breakpoint
CREATE TRIGGER record_counts_requests_insert AFTER INSERT ON requests
BEGIN
  INSERT INTO record_counts (resource, deleted, status, records)
  VALUES ('requests', new.is_deleted, ifnull(new.status, ''), 1)
  ON CONFLICT DO UPDATE SET records = records + 1;
END;
--> statement-breakpoint
CREATE TRIGGER record_counts_requests_update AFTER UPDATE OF is_deleted,status ON requests WHEN old.is_deleted IS NOT new.is_deleted OR old.status IS NOT new.status
BEGIN
  UPDATE record_counts SET records = records - 1
  WHERE resource = 'requests' AND deleted = old.is_deleted AND status = ifnull(old.status, '');
  INSERT INTO record_counts (resource, deleted, status, records)
  VALUES ('requests', new.is_deleted, ifnull(new.status, ''), 1)
  ON CONFLICT DO UPDATE SET records = records + 1;
END;
--> statement-breakpoint
CREATE TRIGGER record_counts_requests_delete AFTER DELETE ON requests
BEGIN
  UPDATE record_counts SET records = records - 1
  WHERE resource = 'requests' AND deleted = old.is_deleted AND status = ifnull(old.status, '');
END;
--> statement-breakpoint
CREATE TRIGGER record_counts_enquiries_insert AFTER INSERT ON enquiries
BEGIN
  INSERT INTO record_counts (resource, deleted, status, records)
  VALUES ('enquiries', 0, ifnull(new.status, ''), 1)
  ON CONFLICT DO UPDATE SET records = records + 1;
END;
--> statement-breakpoint
CREATE TRIGGER record_counts_enquiries_update AFTER UPDATE OF status ON enquiries WHEN old.status IS NOT new.status
BEGIN
  UPDATE record_counts SET records = records - 1
  WHERE resource = 'enquiries' AND deleted = 0 AND status = ifnull(old.status, '');
  INSERT INTO record_counts (resource, deleted, status, records)
  VALUES ('enquiries', 0, ifnull(new.status, ''), 1)
  ON CONFLICT DO UPDATE SET records = records + 1;
END;
--> statement-breakpoint
CREATE TRIGGER record_counts_enquiries_delete AFTER DELETE ON enquiries
BEGIN
  UPDATE record_counts SET records = records - 1
  WHERE resource = 'enquiries' AND deleted = 0 AND status = ifnull(old.status, '');
END;
--> statement-breakpoint
CREATE TRIGGER record_counts_offers_insert AFTER INSERT ON offers
BEGIN
  INSERT INTO record_counts (resource, deleted, status, records)
  VALUES ('offers', 0, ifnull(new.status, ''), 1)
  ON CONFLICT DO UPDATE SET records = records + 1;
END;
--> statement-breakpoint
CREATE TRIGGER record_counts_offers_update AFTER UPDATE OF status ON offers WHEN old.status IS NOT new.status
BEGIN
  UPDATE record_counts SET records = records - 1
  WHERE resource = 'offers' AND deleted = 0 AND status = ifnull(old.status, '');
  INSERT INTO record_counts (resource, deleted, status, records)
  VALUES ('offers', 0, ifnull(new.status, ''), 1)
  ON CONFLICT DO UPDATE SET records = records + 1;
END;
--> statement-breakpoint
CREATE TRIGGER record_counts_offers_delete AFTER DELETE ON offers
BEGIN
  UPDATE record_counts SET records = records - 1
  WHERE resource = 'offers' AND deleted = 0 AND status = ifnull(old.status, '');
END;
--> statement-breakpoint
CREATE TRIGGER record_counts_contracts_insert AFTER INSERT ON contracts
BEGIN
  INSERT INTO record_counts (resource, deleted, status, records)
  VALUES ('contracts', 0, ifnull(new.status_id, ''), 1)
  ON CONFLICT DO UPDATE SET records = records + 1;
END;
--> statement-breakpoint
CREATE TRIGGER record_counts_contracts_update AFTER UPDATE OF status_id ON contracts WHEN old.status_id IS NOT new.status_id
BEGIN
  UPDATE record_counts SET records = records - 1
  WHERE resource = 'contracts' AND deleted = 0 AND status = ifnull(old.status_id, '');
  INSERT INTO record_counts (resource, deleted, status, records)
  VALUES ('contracts', 0, ifnull(new.status_id, ''), 1)
  ON CONFLICT DO UPDATE SET records = records + 1;
END;
--> statement-breakpoint
CREATE TRIGGER record_counts_contracts_delete AFTER DELETE ON contracts
BEGIN
  UPDATE record_counts SET records = records - 1
  WHERE resource = 'contracts' AND deleted = 0 AND status = ifnull(old.status_id, '');
END;
--> statement-breakpoint
CREATE TRIGGER record_counts_incomes_insert AFTER INSERT ON incomes
BEGIN
  INSERT INTO record_counts (resource, deleted, status, records)
  VALUES ('incomes', 0, ifnull(new.status, ''), 1)
  ON CONFLICT DO UPDATE SET records = records + 1;
END;
--> statement-breakpoint
CREATE TRIGGER record_counts_incomes_update AFTER UPDATE OF status ON incomes WHEN old.status IS NOT new.status
BEGIN
  UPDATE record_counts SET records = records - 1
  WHERE resource = 'incomes' AND deleted = 0 AND status = ifnull(old.status, '');
  INSERT INTO record_counts (resource, deleted, status, records)
  VALUES ('incomes', 0, ifnull(new.status, ''), 1)
  ON CONFLICT DO UPDATE SET records = records + 1;
END;
--> statement-breakpoint
CREATE TRIGGER record_counts_incomes_delete AFTER DELETE ON incomes
BEGIN
  UPDATE record_counts SET records = records - 1
  WHERE resource = 'incomes' AND deleted = 0 AND status = ifnull(old.status, '');
END;
--> statement-breakpoint
CREATE TRIGGER record_counts_expenses_insert AFTER INSERT ON expenses
BEGIN
  INSERT INTO record_counts (resource, deleted, status, records)
  VALUES ('expenses', 0, ifnull(new.status, ''), 1)
  ON CONFLICT DO UPDATE SET records = records + 1;
END;
--> statement-breakpoint
CREATE TRIGGER record_counts_expenses_update AFTER UPDATE OF status ON expenses WHEN old.status IS NOT new.status
BEGIN
  UPDATE record_counts SET records = records - 1
  WHERE resource = 'expenses' AND deleted = 0 AND status = ifnull(old.status, '');
  INSERT INTO record_counts (resource, deleted, status, records)
  VALUES ('expenses', 0, ifnull(new.status, ''), 1)
  ON CONFLICT DO UPDATE SET records = records + 1;
END;
--> statement-breakpoint
CREATE TRIGGER record_counts_expenses_delete AFTER DELETE ON expenses
BEGIN
  UPDATE record_counts SET records = records - 1
  WHERE resource = 'expenses' AND deleted = 0 AND status = ifnull(old.status, '');
END;
--> statement-breakpoint
CREATE TRIGGER record_counts_knowledge_base_categories_insert AFTER INSERT ON knowledge_base_categories
BEGIN
  INSERT INTO record_counts (resource, deleted, status, records)
  VALUES ('knowledge-base/categories', 0, '', 1)
  ON CONFLICT DO UPDATE SET records = records + 1;
END;
--> statement-breakpoint
CREATE TRIGGER record_counts_knowledge_base_categories_delete AFTER DELETE ON knowledge_base_categories
BEGIN
  UPDATE record_counts SET records = records - 1
  WHERE resource = 'knowledge-base/categories' AND deleted = 0 AND status = '';
END;
--> statement-breakpoint
CREATE TRIGGER record_counts_knowledge_base_articles_insert AFTER INSERT ON knowledge_base_articles
BEGIN
  INSERT INTO record_counts (resource, deleted, status, records)
  VALUES ('knowledge-base/articles', 0, '', 1)
  ON CONFLICT DO UPDATE SET records = records + 1;
END;
--> statement-breakpoint
CREATE TRIGGER record_counts_knowledge_base_articles_delete AFTER DELETE ON knowledge_base_articles
BEGIN
  UPDATE record_counts SET records = records - 1
  WHERE resource = 'knowledge-base/articles' AND deleted = 0 AND status = '';
END;
--> statement-breakpoint
-- Cron counts all records anew.
DELETE FROM derivations WHERE name = 'record_counts';
