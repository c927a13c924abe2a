-- Counts the renames of locations: whatever was made of their names before is out of date.
INSERT INTO location_renames (id, count) VALUES (1, 0);
--> statement-breakpoint
CREATE TRIGGER location_renames_count AFTER UPDATE OF name_el, name_en, full_name_el, full_name_en ON locations
WHEN old.name_el <> new.name_el OR old.name_en <> new.name_en
  OR old.full_name_el <> new.full_name_el OR old.full_name_en <> new.full_name_en
BEGIN
  UPDATE location_renames SET count = count + 1;
END;
--> statement-breakpoint
-- What was made of a listing goes with it.
CREATE TRIGGER listing_documents_delete AFTER DELETE ON listings BEGIN
  DELETE FROM listing_documents WHERE listing_id = old.id;
END;
