DROP INDEX `external_listings_by_kind`;--> statement-breakpoint
DROP INDEX `external_listings_by_availability`;--> statement-breakpoint
DROP INDEX `external_listings_by_status`;--> statement-breakpoint
DROP INDEX `external_listings_by_store`;--> statement-breakpoint
DROP INDEX `external_listings_by_source`;--> statement-breakpoint
DROP INDEX `external_listings_by_area_level1`;--> statement-breakpoint
DROP INDEX `external_listings_by_area_level2`;--> statement-breakpoint
DROP INDEX `external_listings_by_price`;--> statement-breakpoint
DROP INDEX `external_listings_by_size`;--> statement-breakpoint
DROP INDEX `external_listings_by_date_created`;--> statement-breakpoint
DROP INDEX `external_listings_by_date_updated`;--> statement-breakpoint
ALTER TABLE `external_listings` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `external_listings` ADD `is_deleted` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `external_listings_by_deleted` ON `external_listings` (`is_deleted`);--> statement-breakpoint
CREATE INDEX `external_listings_by_kind` ON `external_listings` (`is_deleted`,`category`,`availability`,`subcategory`,`store_id`,`status`,`source_id`,`area_level1`,`area_level2`,`area_level3`,`price`,`price_per_sqm`,`size`,`floor`,`rooms`,`bathrooms`,`year_built`,`latitude`,`longitude`,json_array_length(photos));--> statement-breakpoint
CREATE INDEX `external_listings_by_availability` ON `external_listings` (`is_deleted`,`availability`);--> statement-breakpoint
CREATE INDEX `external_listings_by_status` ON `external_listings` (`is_deleted`,`status`);--> statement-breakpoint
CREATE INDEX `external_listings_by_store` ON `external_listings` (`is_deleted`,`store_id`);--> statement-breakpoint
CREATE INDEX `external_listings_by_source` ON `external_listings` (`is_deleted`,`source_id`);--> statement-breakpoint
CREATE INDEX `external_listings_by_area_level1` ON `external_listings` (`is_deleted`,`area_level1`);--> statement-breakpoint
CREATE INDEX `external_listings_by_area_level2` ON `external_listings` (`is_deleted`,`area_level2`);--> statement-breakpoint
CREATE INDEX `external_listings_by_price` ON `external_listings` (`is_deleted`,`price`);--> statement-breakpoint
CREATE INDEX `external_listings_by_size` ON `external_listings` (`is_deleted`,`size`);--> statement-breakpoint
CREATE INDEX `external_listings_by_date_created` ON `external_listings` (`is_deleted`,`date_created`);--> statement-breakpoint
CREATE INDEX `external_listings_by_date_updated` ON `external_listings` (`is_deleted`,`date_updated`);
--> statement-breakpoint
DROP TRIGGER changes_external_listings_insert;
--> statement-breakpoint
CREATE TRIGGER changes_external_listings_insert AFTER INSERT ON external_listings
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'external-listings', new.id, iif(new.is_deleted, 'deleted', 'changed'), datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
DROP TRIGGER changes_external_listings_update;
--> statement-breakpoint
CREATE TRIGGER changes_external_listings_update AFTER UPDATE OF date_updated ON external_listings
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'external-listings', new.id, iif(new.is_deleted, 'deleted', 'changed'), datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
