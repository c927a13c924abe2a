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
ALTER TABLE `file_sweeps` ADD `objects` integer;--> statement-breakpoint
ALTER TABLE `file_sweeps` ADD `bytes` integer;--> statement-breakpoint
ALTER TABLE `file_sweeps` ADD `counted_objects` integer;--> statement-breakpoint
ALTER TABLE `file_sweeps` ADD `counted_bytes` integer;--> statement-breakpoint
ALTER TABLE `file_sweeps` ADD `date_counted` text;
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
