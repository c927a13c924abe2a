CREATE TABLE `feed_changes` (
	`name` text PRIMARY KEY NOT NULL,
	`version` integer NOT NULL,
	`date` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `feeds` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`format` text NOT NULL,
	`filters` text NOT NULL,
	`languages` text,
	`page_url` text,
	`token` text NOT NULL,
	`date_created` text NOT NULL,
	`date_updated` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `feeds_with_token` ON `feeds` (`token`);
--> statement-breakpoint
-- A row for each name: the triggers count on its being there.
INSERT INTO feed_changes (name, version, date) VALUES ('shown', 0, datetime('now')), ('chosen', 0, datetime('now'));
--> statement-breakpoint
CREATE TRIGGER feed_changes_public_listings_insert AFTER INSERT ON public_listings
BEGIN
  UPDATE feed_changes SET version = version + 1, date = max(date, datetime('now')) WHERE name = 'shown';
END;
--> statement-breakpoint
CREATE TRIGGER feed_changes_public_listings_update AFTER UPDATE ON public_listings
BEGIN
  UPDATE feed_changes SET version = version + 1, date = max(date, datetime('now')) WHERE name = 'shown';
END;
--> statement-breakpoint
CREATE TRIGGER feed_changes_public_listings_delete AFTER DELETE ON public_listings
BEGIN
  UPDATE feed_changes SET version = version + 1, date = max(date, datetime('now')) WHERE name = 'shown';
END;
--> statement-breakpoint
CREATE TRIGGER feed_changes_locations_update AFTER UPDATE OF name_el, name_en, full_name_el, full_name_en ON locations WHEN old.name_el IS NOT new.name_el OR old.name_en IS NOT new.name_en OR old.full_name_el IS NOT new.full_name_el OR old.full_name_en IS NOT new.full_name_en
BEGIN
  UPDATE feed_changes SET version = version + 1, date = max(date, datetime('now')) WHERE name = 'shown';
END;
--> statement-breakpoint
CREATE TRIGGER feed_changes_languages_insert AFTER INSERT ON languages
BEGIN
  UPDATE feed_changes SET version = version + 1, date = max(date, datetime('now')) WHERE name = 'shown';
END;
--> statement-breakpoint
CREATE TRIGGER feed_changes_languages_update AFTER UPDATE OF code ON languages WHEN old.code IS NOT new.code
BEGIN
  UPDATE feed_changes SET version = version + 1, date = max(date, datetime('now')) WHERE name = 'shown';
END;
--> statement-breakpoint
CREATE TRIGGER feed_changes_languages_delete AFTER DELETE ON languages
BEGIN
  UPDATE feed_changes SET version = version + 1, date = max(date, datetime('now')) WHERE name = 'shown';
END;
--> statement-breakpoint
CREATE TRIGGER feed_changes_listing_tag_links_insert AFTER INSERT ON listing_tag_links WHEN EXISTS (SELECT 1 FROM public_listings WHERE id = new.listing_id)
BEGIN
  UPDATE feed_changes SET version = version + 1, date = max(date, datetime('now')) WHERE name = 'chosen';
END;
--> statement-breakpoint
CREATE TRIGGER feed_changes_listing_tag_links_delete AFTER DELETE ON listing_tag_links WHEN EXISTS (SELECT 1 FROM public_listings WHERE id = old.listing_id)
BEGIN
  UPDATE feed_changes SET version = version + 1, date = max(date, datetime('now')) WHERE name = 'chosen';
END;
--> statement-breakpoint
CREATE TRIGGER feed_changes_listing_users_insert AFTER INSERT ON listing_users WHEN EXISTS (SELECT 1 FROM public_listings WHERE id = new.listing_id)
BEGIN
  UPDATE feed_changes SET version = version + 1, date = max(date, datetime('now')) WHERE name = 'chosen';
END;
--> statement-breakpoint
CREATE TRIGGER feed_changes_listing_users_delete AFTER DELETE ON listing_users WHEN EXISTS (SELECT 1 FROM public_listings WHERE id = old.listing_id)
BEGIN
  UPDATE feed_changes SET version = version + 1, date = max(date, datetime('now')) WHERE name = 'chosen';
END;
--> statement-breakpoint
CREATE TRIGGER feed_changes_listings_update AFTER UPDATE OF date_created ON listings WHEN old.date_created IS NOT new.date_created
BEGIN
  UPDATE feed_changes SET version = version + 1, date = max(date, datetime('now')) WHERE name = 'chosen';
END;
