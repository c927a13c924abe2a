-- The service itself gives no id that nothing could refer to: 2^40 is the highest that it takes (MAX_ID).
CREATE TRIGGER contacts_highest_id AFTER INSERT ON contacts WHEN new.id > 1099511627776
BEGIN
  SELECT RAISE(ABORT, 'No id is left');
END;
--> statement-breakpoint
CREATE TRIGGER listings_highest_id AFTER INSERT ON listings WHEN new.id > 1099511627776
BEGIN
  SELECT RAISE(ABORT, 'No id is left');
END;
--> statement-breakpoint
CREATE TRIGGER external_listings_highest_id AFTER INSERT ON external_listings WHEN new.id > 1099511627776
BEGIN
  SELECT RAISE(ABORT, 'No id is left');
END;
--> statement-breakpoint
CREATE TRIGGER requests_highest_id AFTER INSERT ON requests WHEN new.id > 1099511627776
BEGIN
  SELECT RAISE(ABORT, 'No id is left');
END;
--> statement-breakpoint
CREATE TRIGGER expenses_highest_id AFTER INSERT ON expenses WHEN new.id > 1099511627776
BEGIN
  SELECT RAISE(ABORT, 'No id is left');
END;
--> statement-breakpoint
CREATE TRIGGER expenses_highest_id_update AFTER UPDATE OF id ON expenses WHEN new.id > 1099511627776
BEGIN
  SELECT RAISE(ABORT, 'No id is left');
END;
