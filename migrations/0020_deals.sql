DROP INDEX `expenses_by_category`;--> statement-breakpoint
DROP INDEX `expenses_by_partner`;--> statement-breakpoint
DROP INDEX `expenses_by_income`;--> statement-breakpoint
DROP INDEX `expenses_by_status`;--> statement-breakpoint
DROP INDEX `expenses_by_auto_generated`;--> statement-breakpoint
DROP INDEX `expenses_by_date`;--> statement-breakpoint
DROP INDEX `expenses_by_date_created`;--> statement-breakpoint
DROP INDEX `expenses_by_date_updated`;--> statement-breakpoint
DROP INDEX `expenses_by_amount`;--> statement-breakpoint
ALTER TABLE `expenses` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `expenses` ADD `is_deleted` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `expenses_by_deleted` ON `expenses` (`is_deleted`);--> statement-breakpoint
CREATE INDEX `expenses_by_category` ON `expenses` (`is_deleted`,`category_id`);--> statement-breakpoint
CREATE INDEX `expenses_by_partner` ON `expenses` (`is_deleted`,`partner_id`);--> statement-breakpoint
CREATE INDEX `expenses_by_income` ON `expenses` (`is_deleted`,`linked_income_id`);--> statement-breakpoint
CREATE INDEX `expenses_by_status` ON `expenses` (`is_deleted`,`status`);--> statement-breakpoint
CREATE INDEX `expenses_by_auto_generated` ON `expenses` (`is_deleted`,`auto_generated`);--> statement-breakpoint
CREATE INDEX `expenses_by_date` ON `expenses` (`is_deleted`,`date`);--> statement-breakpoint
CREATE INDEX `expenses_by_date_created` ON `expenses` (`is_deleted`,`date_created`);--> statement-breakpoint
CREATE INDEX `expenses_by_date_updated` ON `expenses` (`is_deleted`,`date_updated`);--> statement-breakpoint
CREATE INDEX `expenses_by_amount` ON `expenses` (`is_deleted`,`amount_cents`);--> statement-breakpoint
DROP INDEX `incomes_by_category`;--> statement-breakpoint
DROP INDEX `incomes_by_status`;--> statement-breakpoint
DROP INDEX `incomes_by_contract`;--> statement-breakpoint
DROP INDEX `incomes_by_date`;--> statement-breakpoint
DROP INDEX `incomes_by_date_created`;--> statement-breakpoint
DROP INDEX `incomes_by_date_updated`;--> statement-breakpoint
DROP INDEX `incomes_by_total`;--> statement-breakpoint
ALTER TABLE `incomes` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `incomes` ADD `is_deleted` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `incomes_by_deleted` ON `incomes` (`is_deleted`);--> statement-breakpoint
CREATE INDEX `incomes_by_category` ON `incomes` (`is_deleted`,`category`);--> statement-breakpoint
CREATE INDEX `incomes_by_status` ON `incomes` (`is_deleted`,`status`);--> statement-breakpoint
CREATE INDEX `incomes_by_contract` ON `incomes` (`is_deleted`,`contract_id`);--> statement-breakpoint
CREATE INDEX `incomes_by_date` ON `incomes` (`is_deleted`,`date`);--> statement-breakpoint
CREATE INDEX `incomes_by_date_created` ON `incomes` (`is_deleted`,`date_created`);--> statement-breakpoint
CREATE INDEX `incomes_by_date_updated` ON `incomes` (`is_deleted`,`date_updated`);--> statement-breakpoint
CREATE INDEX `incomes_by_total` ON `incomes` (`is_deleted`,`total_cents`);--> statement-breakpoint
ALTER TABLE `users` ADD `is_active` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `knowledge_base_articles` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `knowledge_base_categories` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `contracts` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `offers` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
CREATE INDEX `offers_by_listing_and_status` ON `offers` (`listing_id`,`status`);
--> statement-breakpoint
DROP TRIGGER changes_incomes_insert;
--> statement-breakpoint
DROP TRIGGER changes_incomes_update;
--> statement-breakpoint
DROP TRIGGER changes_expenses_insert;
--> statement-breakpoint
DROP TRIGGER changes_expenses_update;
--> statement-breakpoint
DROP TRIGGER changes_expenses_arrive;
--> statement-breakpoint
DROP TRIGGER changes_knowledge_base_categories_update;
--> statement-breakpoint
DROP TRIGGER record_counts_incomes_insert;
--> statement-breakpoint
DROP TRIGGER record_counts_incomes_update;
--> statement-breakpoint
DROP TRIGGER record_counts_incomes_delete;
--> statement-breakpoint
DROP TRIGGER record_counts_expenses_insert;
--> statement-breakpoint
DROP TRIGGER record_counts_expenses_update;
--> statement-breakpoint
DROP TRIGGER record_counts_expenses_delete;
--> statement-breakpoint
CREATE TRIGGER changes_incomes_insert AFTER INSERT ON incomes
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'incomes', new.id, iif(new.is_deleted, 'deleted', 'changed'), datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_incomes_update AFTER UPDATE OF date_updated ON incomes
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'incomes', new.id, iif(new.is_deleted, 'deleted', 'changed'), datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_expenses_insert AFTER INSERT ON expenses
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'expenses', new.id, iif(new.is_deleted, 'deleted', 'changed'), datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_expenses_update AFTER UPDATE OF date_updated ON expenses
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'expenses', new.id, iif(new.is_deleted, 'deleted', 'changed'), datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_expenses_arrive AFTER UPDATE OF id ON expenses WHEN new.id > 0
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'expenses', new.id, iif(new.is_deleted, 'deleted', 'changed'), datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_knowledge_base_categories_update AFTER UPDATE OF version ON knowledge_base_categories WHEN old.version <> new.version
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'knowledge-base/categories', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_languages_insert AFTER INSERT ON languages
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'languages', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_languages_update AFTER UPDATE ON languages
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'languages', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_languages_delete AFTER DELETE ON languages
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'languages', old.id, 'deleted', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_stores_insert AFTER INSERT ON stores
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'stores', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_stores_update AFTER UPDATE ON stores
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'stores', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_stores_delete AFTER DELETE ON stores
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'stores', old.id, 'deleted', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_users_insert AFTER INSERT ON users
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'users', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_users_update AFTER UPDATE ON users
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'users', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_users_delete AFTER DELETE ON users
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'users', old.id, 'deleted', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_locations_insert AFTER INSERT ON locations
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'locations', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_locations_update AFTER UPDATE OF level, parent_id, name_el, name_en, full_name_el, full_name_en ON locations
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'locations', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_locations_delete AFTER DELETE ON locations
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'locations', old.id, 'deleted', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_special_locations_insert AFTER INSERT ON special_locations
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'special-locations', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_special_locations_update AFTER UPDATE ON special_locations
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'special-locations', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_special_locations_delete AFTER DELETE ON special_locations
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'special-locations', old.id, 'deleted', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_listing_sources_insert AFTER INSERT ON listing_sources
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'listings/sources', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_listing_sources_update AFTER UPDATE ON listing_sources
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'listings/sources', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_listing_sources_delete AFTER DELETE ON listing_sources
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'listings/sources', old.id, 'deleted', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_listing_tags_insert AFTER INSERT ON listing_tags
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'listings/tags', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_listing_tags_update AFTER UPDATE ON listing_tags
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'listings/tags', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_listing_tags_delete AFTER DELETE ON listing_tags
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'listings/tags', old.id, 'deleted', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_external_listing_statuses_insert AFTER INSERT ON external_listing_statuses
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'external-listings/statuses', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_external_listing_statuses_update AFTER UPDATE ON external_listing_statuses
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'external-listings/statuses', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_external_listing_statuses_delete AFTER DELETE ON external_listing_statuses
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'external-listings/statuses', old.id, 'deleted', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_external_listing_sources_insert AFTER INSERT ON external_listing_sources
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'external-listings/sources', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_external_listing_sources_update AFTER UPDATE ON external_listing_sources
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'external-listings/sources', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_external_listing_sources_delete AFTER DELETE ON external_listing_sources
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'external-listings/sources', old.id, 'deleted', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_external_listing_tags_insert AFTER INSERT ON external_listing_tags
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'external-listings/tags', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_external_listing_tags_update AFTER UPDATE ON external_listing_tags
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'external-listings/tags', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_external_listing_tags_delete AFTER DELETE ON external_listing_tags
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'external-listings/tags', old.id, 'deleted', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_request_statuses_insert AFTER INSERT ON request_statuses
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'requests/statuses', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_request_statuses_update AFTER UPDATE ON request_statuses
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'requests/statuses', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_request_statuses_delete AFTER DELETE ON request_statuses
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'requests/statuses', old.id, 'deleted', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_request_sources_insert AFTER INSERT ON request_sources
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'requests/sources', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_request_sources_update AFTER UPDATE ON request_sources
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'requests/sources', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_request_sources_delete AFTER DELETE ON request_sources
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'requests/sources', old.id, 'deleted', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_request_tags_insert AFTER INSERT ON request_tags
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'requests/tags', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_request_tags_update AFTER UPDATE ON request_tags
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'requests/tags', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_request_tags_delete AFTER DELETE ON request_tags
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'requests/tags', old.id, 'deleted', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_contact_sources_insert AFTER INSERT ON contact_sources
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'contacts/sources', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_contact_sources_update AFTER UPDATE ON contact_sources
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'contacts/sources', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_contact_sources_delete AFTER DELETE ON contact_sources
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'contacts/sources', old.id, 'deleted', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_contact_tags_insert AFTER INSERT ON contact_tags
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'contacts/tags', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_contact_tags_update AFTER UPDATE ON contact_tags
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'contacts/tags', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_contact_tags_delete AFTER DELETE ON contact_tags
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'contacts/tags', old.id, 'deleted', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_income_other_categories_insert AFTER INSERT ON income_other_categories
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'incomes/other-categories', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_income_other_categories_update AFTER UPDATE ON income_other_categories
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'incomes/other-categories', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_income_other_categories_delete AFTER DELETE ON income_other_categories
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'incomes/other-categories', old.id, 'deleted', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_expense_categories_insert AFTER INSERT ON expense_categories
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'expenses/categories', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_expense_categories_update AFTER UPDATE ON expense_categories
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'expenses/categories', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_expense_categories_delete AFTER DELETE ON expense_categories
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'expenses/categories', old.id, 'deleted', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_listing_subtypes_insert AFTER INSERT ON listing_subtypes
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'listings/subtypes', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_listing_subtypes_update AFTER UPDATE ON listing_subtypes
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'listings/subtypes', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_listing_subtypes_delete AFTER DELETE ON listing_subtypes
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'listings/subtypes', old.id, 'deleted', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_contract_statuses_insert AFTER INSERT ON contract_statuses
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'contracts/statuses', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_contract_statuses_update AFTER UPDATE ON contract_statuses
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'contracts/statuses', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_contract_statuses_delete AFTER DELETE ON contract_statuses
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'contracts/statuses', old.id, 'deleted', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_custom_fields_insert AFTER INSERT ON custom_fields
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, new.resource || '/custom-fields', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_custom_fields_update AFTER UPDATE ON custom_fields
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, new.resource || '/custom-fields', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_custom_fields_delete AFTER DELETE ON custom_fields
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, old.resource || '/custom-fields', old.id, 'deleted', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_custom_fields_moved AFTER UPDATE OF resource ON custom_fields WHEN old.resource <> new.resource
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, old.resource || '/custom-fields', old.id, 'deleted', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER offers_highest_id AFTER INSERT ON offers WHEN new.id > 1099511627776
BEGIN
  SELECT RAISE(ABORT, 'No id is left');
END;
--> statement-breakpoint
CREATE TRIGGER contracts_highest_id AFTER INSERT ON contracts WHEN new.id > 1099511627776
BEGIN
  SELECT RAISE(ABORT, 'No id is left');
END;
--> statement-breakpoint
CREATE TRIGGER incomes_highest_id AFTER INSERT ON incomes WHEN new.id > 1099511627776
BEGIN
  SELECT RAISE(ABORT, 'No id is left');
END;
--> statement-breakpoint
CREATE TRIGGER knowledge_base_categories_highest_id AFTER INSERT ON knowledge_base_categories WHEN new.id > 1099511627776
BEGIN
  SELECT RAISE(ABORT, 'No id is left');
END;
--> statement-breakpoint
CREATE TRIGGER knowledge_base_articles_highest_id AFTER INSERT ON knowledge_base_articles WHEN new.id > 1099511627776
BEGIN
  SELECT RAISE(ABORT, 'No id is left');
END;
--> statement-breakpoint
CREATE TRIGGER record_counts_incomes_insert AFTER INSERT ON incomes
BEGIN
  INSERT INTO record_counts (resource, deleted, status, records)
  VALUES ('incomes', new.is_deleted, ifnull(new.status, ''), 1)
  ON CONFLICT DO UPDATE SET records = records + 1;
END;
--> statement-breakpoint
CREATE TRIGGER record_counts_incomes_update AFTER UPDATE OF is_deleted,status ON incomes WHEN old.is_deleted IS NOT new.is_deleted OR old.status IS NOT new.status
BEGIN
  UPDATE record_counts SET records = records - 1
  WHERE resource = 'incomes' AND deleted = old.is_deleted AND status = ifnull(old.status, '');
  INSERT INTO record_counts (resource, deleted, status, records)
  VALUES ('incomes', new.is_deleted, ifnull(new.status, ''), 1)
  ON CONFLICT DO UPDATE SET records = records + 1;
END;
--> statement-breakpoint
CREATE TRIGGER record_counts_incomes_delete AFTER DELETE ON incomes
BEGIN
  UPDATE record_counts SET records = records - 1
  WHERE resource = 'incomes' AND deleted = old.is_deleted AND status = ifnull(old.status, '');
END;
--> statement-breakpoint
CREATE TRIGGER record_counts_expenses_insert AFTER INSERT ON expenses
BEGIN
  INSERT INTO record_counts (resource, deleted, status, records)
  VALUES ('expenses', new.is_deleted, ifnull(new.status, ''), 1)
  ON CONFLICT DO UPDATE SET records = records + 1;
END;
--> statement-breakpoint
CREATE TRIGGER record_counts_expenses_update AFTER UPDATE OF is_deleted,status ON expenses WHEN old.is_deleted IS NOT new.is_deleted OR old.status IS NOT new.status
BEGIN
  UPDATE record_counts SET records = records - 1
  WHERE resource = 'expenses' AND deleted = old.is_deleted AND status = ifnull(old.status, '');
  INSERT INTO record_counts (resource, deleted, status, records)
  VALUES ('expenses', new.is_deleted, ifnull(new.status, ''), 1)
  ON CONFLICT DO UPDATE SET records = records + 1;
END;
--> statement-breakpoint
CREATE TRIGGER record_counts_expenses_delete AFTER DELETE ON expenses
BEGIN
  UPDATE record_counts SET records = records - 1
  WHERE resource = 'expenses' AND deleted = old.is_deleted AND status = ifnull(old.status, '');
END;
--> statement-breakpoint
-- Cron counts all records anew.
DELETE FROM derivations WHERE name = 'record_counts';
