-- A row for the new counter: its triggers count on its being there.
INSERT INTO feed_changes (name, version, date) VALUES ('words', 0, datetime('now'));
--> statement-breakpoint
CREATE TRIGGER feed_changes_listings_address AFTER UPDATE OF address_el, display_address ON listings
  WHEN 'fake' IN (old.display_address, new.display_address) AND new.fake_address_el IS NOT NULL AND (old.address_el IS NOT new.address_el OR old.display_address IS NOT new.display_address) AND EXISTS (SELECT 1 FROM public_listings WHERE id = new.id)
BEGIN
  UPDATE feed_changes SET version = version + 1, date = max(date, datetime('now')) WHERE name = 'shown';
END;
--> statement-breakpoint
CREATE TRIGGER feed_changes_listing_words_insert AFTER INSERT ON listing_word_sets WHEN EXISTS (SELECT 1 FROM public_listings WHERE id = new.listing_id)
BEGIN
  UPDATE feed_changes SET version = version + 1, date = max(date, datetime('now')) WHERE name = 'words';
END;
--> statement-breakpoint
CREATE TRIGGER feed_changes_listing_words_update AFTER UPDATE ON listing_word_sets WHEN EXISTS (SELECT 1 FROM public_listings WHERE id = new.listing_id)
BEGIN
  UPDATE feed_changes SET version = version + 1, date = max(date, datetime('now')) WHERE name = 'words';
END;
--> statement-breakpoint
CREATE TRIGGER feed_changes_listing_words_delete AFTER DELETE ON listing_word_sets WHEN EXISTS (SELECT 1 FROM public_listings WHERE id = old.listing_id)
BEGIN
  UPDATE feed_changes SET version = version + 1, date = max(date, datetime('now')) WHERE name = 'words';
END;
--> statement-breakpoint
CREATE TRIGGER feed_changes_locations_words AFTER UPDATE OF words ON locations WHEN old.words IS NOT new.words
BEGIN
  UPDATE feed_changes SET version = version + 1, date = max(date, datetime('now')) WHERE name = 'words';
END;
