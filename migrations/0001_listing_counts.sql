-- Keeps listing_counts: how many listings there are of each kind, so that a total is a sum of a few rows.
CREATE TRIGGER listing_counts_insert AFTER INSERT ON listings BEGIN
  INSERT INTO listing_counts (category, status, availability, subcategory, subtype, listings)
  VALUES (new.category, new.status, new.availability, ifnull(new.subcategory, ''), ifnull(new.subtype, 0), 1)
  ON CONFLICT DO UPDATE SET listings = listings + 1;
END;
--> statement-breakpoint
CREATE TRIGGER listing_counts_update AFTER UPDATE OF category, status, availability, subcategory, subtype ON listings
WHEN old.category <> new.category OR old.status <> new.status OR old.availability <> new.availability
  OR old.subcategory IS NOT new.subcategory OR old.subtype IS NOT new.subtype
BEGIN
  UPDATE listing_counts SET listings = listings - 1
  WHERE category = old.category AND status = old.status AND availability = old.availability
    AND subcategory = ifnull(old.subcategory, '') AND subtype = ifnull(old.subtype, 0);
  INSERT INTO listing_counts (category, status, availability, subcategory, subtype, listings)
  VALUES (new.category, new.status, new.availability, ifnull(new.subcategory, ''), ifnull(new.subtype, 0), 1)
  ON CONFLICT DO UPDATE SET listings = listings + 1;
END;
--> statement-breakpoint
CREATE TRIGGER listing_counts_delete AFTER DELETE ON listings BEGIN
  UPDATE listing_counts SET listings = listings - 1
  WHERE category = old.category AND status = old.status AND availability = old.availability
    AND subcategory = ifnull(old.subcategory, '') AND subtype = ifnull(old.subtype, 0);
END;
