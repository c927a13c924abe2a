-- The names of files that rows refer to (src/files/references.ts), so that the sweep finds them without reading tables.
CREATE INDEX files_of_listing_photos_original_image ON listing_photos (substr(substr(original_image, 1, instr(replace(original_image, '#', '?') || '?', '?') - 1), -37));
--> statement-breakpoint
CREATE INDEX files_of_listing_photos_watermark_image ON listing_photos (substr(substr(watermark_image, 1, instr(replace(watermark_image, '#', '?') || '?', '?') - 1), -37));
--> statement-breakpoint
CREATE INDEX files_of_listing_panoramas_image ON listing_panoramas (substr(substr(image, 1, instr(replace(image, '#', '?') || '?', '?') - 1), -37));
--> statement-breakpoint
CREATE INDEX files_of_listing_panoramas_thumb ON listing_panoramas (substr(substr(thumb, 1, instr(replace(thumb, '#', '?') || '?', '?') - 1), -37));
--> statement-breakpoint
CREATE INDEX files_of_stores_watermark ON stores (substr(substr(watermark, 1, instr(replace(watermark, '#', '?') || '?', '?') - 1), -37));
--> statement-breakpoint
CREATE INDEX files_of_knowledge_base_files_url ON knowledge_base_files (substr(substr(url, 1, instr(replace(url, '#', '?') || '?', '?') - 1), -37));
--> statement-breakpoint
-- A list in one column has no index, so its names are kept in a table.
CREATE TRIGGER external_listing_photo_names_insert AFTER INSERT ON external_listings BEGIN
  INSERT INTO external_listing_photo_names (external_listing_id, name)
  SELECT DISTINCT new.id, substr(substr(value, 1, instr(replace(value, '#', '?') || '?', '?') - 1), -37) FROM json_each(new.photos);
END;
--> statement-breakpoint
CREATE TRIGGER external_listing_photo_names_update AFTER UPDATE OF photos ON external_listings
WHEN old.photos IS NOT new.photos
BEGIN
  DELETE FROM external_listing_photo_names WHERE external_listing_id = new.id;
  INSERT INTO external_listing_photo_names (external_listing_id, name)
  SELECT DISTINCT new.id, substr(substr(value, 1, instr(replace(value, '#', '?') || '?', '?') - 1), -37) FROM json_each(new.photos);
END;
--> statement-breakpoint
CREATE TRIGGER external_listing_photo_names_delete AFTER DELETE ON external_listings BEGIN
  DELETE FROM external_listing_photo_names WHERE external_listing_id = old.id;
END;
--> statement-breakpoint
INSERT INTO external_listing_photo_names (external_listing_id, name)
SELECT DISTINCT external_listings.id, substr(substr(value, 1, instr(replace(value, '#', '?') || '?', '?') - 1), -37) FROM external_listings, json_each(external_listings.photos);
