INSERT INTO change_feed (id, deployment, examined, purged) VALUES (1, lower(hex(randomblob(6))), 0, 0);
--> statement-breakpoint
-- What there is: a record after those that it refers to, of each resource the oldest change first. What was deleted has
-- the date of this day, as its tombstone lives from here on.
INSERT INTO changes (cursor, resource, id, change, date)
SELECT (SELECT ifnull(max(cursor), 0) FROM changes) + row_number() OVER (ORDER BY min(ifnull(date_updated, date_created), datetime('now')), id), 'contacts', id,
  iif(is_deleted, 'deleted', 'changed'), iif(is_deleted, datetime('now'), min(ifnull(date_updated, date_created), datetime('now')))
FROM contacts;
--> statement-breakpoint
INSERT INTO changes (cursor, resource, id, change, date)
SELECT (SELECT ifnull(max(cursor), 0) FROM changes) + row_number() OVER (ORDER BY min(ifnull(date_updated, date_created), datetime('now')), id), 'listings', id,
  iif(status = 'deleted', 'deleted', 'changed'), iif(status = 'deleted', datetime('now'), min(ifnull(date_updated, date_created), datetime('now')))
FROM listings;
--> statement-breakpoint
INSERT INTO changes (cursor, resource, id, change, date)
SELECT (SELECT ifnull(max(cursor), 0) FROM changes) + row_number() OVER (ORDER BY min(ifnull(date_updated, date_created), datetime('now')), id), 'external-listings', id,
  'changed', min(ifnull(date_updated, date_created), datetime('now'))
FROM external_listings;
--> statement-breakpoint
INSERT INTO changes (cursor, resource, id, change, date)
SELECT (SELECT ifnull(max(cursor), 0) FROM changes) + row_number() OVER (ORDER BY min(ifnull(date_updated, date_created), datetime('now')), id), 'requests', id,
  iif(is_deleted, 'deleted', 'changed'), iif(is_deleted, datetime('now'), min(ifnull(date_updated, date_created), datetime('now')))
FROM requests;
--> statement-breakpoint
INSERT INTO changes (cursor, resource, id, change, date)
SELECT (SELECT ifnull(max(cursor), 0) FROM changes) + row_number() OVER (ORDER BY min(ifnull(date_updated, date_created), datetime('now')), id), 'offers', id,
  'changed', min(ifnull(date_updated, date_created), datetime('now'))
FROM offers;
--> statement-breakpoint
INSERT INTO changes (cursor, resource, id, change, date)
SELECT (SELECT ifnull(max(cursor), 0) FROM changes) + row_number() OVER (ORDER BY min(ifnull(date_updated, date_created), datetime('now')), id), 'contracts', id,
  'changed', min(ifnull(date_updated, date_created), datetime('now'))
FROM contracts;
--> statement-breakpoint
INSERT INTO changes (cursor, resource, id, change, date)
SELECT (SELECT ifnull(max(cursor), 0) FROM changes) + row_number() OVER (ORDER BY min(ifnull(date_updated, date_created), datetime('now')), id), 'incomes', id,
  'changed', min(ifnull(date_updated, date_created), datetime('now'))
FROM incomes;
--> statement-breakpoint
INSERT INTO changes (cursor, resource, id, change, date)
SELECT (SELECT ifnull(max(cursor), 0) FROM changes) + row_number() OVER (ORDER BY min(ifnull(date_updated, date_created), datetime('now')), id), 'expenses', id,
  'changed', min(ifnull(date_updated, date_created), datetime('now'))
FROM expenses;
--> statement-breakpoint
INSERT INTO changes (cursor, resource, id, change, date)
SELECT (SELECT ifnull(max(cursor), 0) FROM changes) + row_number() OVER (ORDER BY id), 'knowledge-base/categories', id,
  'changed', datetime('now')
FROM knowledge_base_categories;
--> statement-breakpoint
INSERT INTO changes (cursor, resource, id, change, date)
SELECT (SELECT ifnull(max(cursor), 0) FROM changes) + row_number() OVER (ORDER BY min(ifnull(date_updated, date_created), datetime('now')), id), 'knowledge-base/articles', id,
  'changed', min(ifnull(date_updated, date_created), datetime('now'))
FROM knowledge_base_articles;
--> statement-breakpoint
INSERT INTO changes (cursor, resource, id, change, date)
SELECT (SELECT ifnull(max(cursor), 0) FROM changes) + row_number() OVER (ORDER BY request_id), 'matches', request_id, 'changed', datetime('now')
FROM (SELECT DISTINCT request_id FROM request_matches);
--> statement-breakpoint
-- From here on every change of what single reads show (src/db/changes.ts).
CREATE TRIGGER changes_contacts_insert AFTER INSERT ON contacts
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'contacts', new.id, iif(new.is_deleted, 'deleted', 'changed'), datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_contacts_update AFTER UPDATE OF version ON contacts WHEN old.version <> new.version
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'contacts', new.id, iif(new.is_deleted, 'deleted', 'changed'), datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_contacts_delete AFTER DELETE ON contacts
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'contacts', old.id, 'deleted', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_listings_insert AFTER INSERT ON listings
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'listings', new.id, iif(new.status = 'deleted', 'deleted', 'changed'), datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_listings_update AFTER UPDATE OF version ON listings WHEN old.version <> new.version
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'listings', new.id, iif(new.status = 'deleted', 'deleted', 'changed'), datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_listings_delete AFTER DELETE ON listings
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'listings', old.id, 'deleted', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_external_listings_insert AFTER INSERT ON external_listings
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'external-listings', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_external_listings_update AFTER UPDATE OF date_updated ON external_listings
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'external-listings', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_external_listings_delete AFTER DELETE ON external_listings
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'external-listings', old.id, 'deleted', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_requests_insert AFTER INSERT ON requests
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'requests', new.id, iif(new.is_deleted, 'deleted', 'changed'), datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_requests_update AFTER UPDATE OF date_updated ON requests
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'requests', new.id, iif(new.is_deleted, 'deleted', 'changed'), datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_requests_delete AFTER DELETE ON requests
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'requests', old.id, 'deleted', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_offers_insert AFTER INSERT ON offers
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'offers', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_offers_update AFTER UPDATE OF date_updated ON offers
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'offers', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_offers_delete AFTER DELETE ON offers
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'offers', old.id, 'deleted', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_contracts_insert AFTER INSERT ON contracts
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'contracts', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_contracts_update AFTER UPDATE OF date_updated ON contracts
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'contracts', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_contracts_delete AFTER DELETE ON contracts
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'contracts', old.id, 'deleted', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_incomes_insert AFTER INSERT ON incomes
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'incomes', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_incomes_update AFTER UPDATE OF date_updated ON incomes
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'incomes', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_incomes_delete AFTER DELETE ON incomes
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'incomes', old.id, 'deleted', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_expenses_insert AFTER INSERT ON expenses
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'expenses', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_expenses_update AFTER UPDATE OF date_updated ON expenses
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'expenses', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_expenses_delete AFTER DELETE ON expenses
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'expenses', old.id, 'deleted', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_expenses_shown AFTER UPDATE OF name ON expense_categories WHEN old.name <> new.name
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  SELECT (SELECT ifnull(max(cursor), 0) FROM changes) + row_number() OVER (ORDER BY id), 'expenses', id, 'changed', datetime('now')
  FROM expenses WHERE category_id = new.id
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_expenses_leave AFTER UPDATE OF id ON expenses WHEN old.id > 0
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'expenses', old.id, 'deleted', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_expenses_arrive AFTER UPDATE OF id ON expenses WHEN new.id > 0
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'expenses', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_knowledge_base_categories_insert AFTER INSERT ON knowledge_base_categories
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'knowledge-base/categories', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_knowledge_base_categories_update AFTER UPDATE ON knowledge_base_categories
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'knowledge-base/categories', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_knowledge_base_categories_delete AFTER DELETE ON knowledge_base_categories
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'knowledge-base/categories', old.id, 'deleted', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_knowledge_base_articles_insert AFTER INSERT ON knowledge_base_articles
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'knowledge-base/articles', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_knowledge_base_articles_update AFTER UPDATE OF date_updated ON knowledge_base_articles
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'knowledge-base/articles', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_knowledge_base_articles_delete AFTER DELETE ON knowledge_base_articles
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'knowledge-base/articles', old.id, 'deleted', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_knowledge_base_articles_shown AFTER UPDATE OF name ON knowledge_base_categories WHEN old.name <> new.name
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  SELECT (SELECT ifnull(max(cursor), 0) FROM changes) + row_number() OVER (ORDER BY id), 'knowledge-base/articles', id, 'changed', datetime('now')
  FROM knowledge_base_articles WHERE category_id = new.id
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_requests_matches AFTER UPDATE OF is_deleted ON requests WHEN new.is_deleted AND NOT old.is_deleted
BEGIN
  UPDATE changes SET cursor = (SELECT ifnull(max(cursor), 0) FROM changes) + 1, change = 'deleted', date = datetime('now')
  WHERE resource = 'matches' AND id = new.id;
END;
