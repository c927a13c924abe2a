CREATE TABLE `listing_word_sets` (
	`listing_id` integer PRIMARY KEY NOT NULL,
	`words` text NOT NULL,
	FOREIGN KEY (`listing_id`) REFERENCES `listings`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `listing_words` (
	`word` text NOT NULL,
	`listing_id` integer NOT NULL,
	PRIMARY KEY(`word`, `listing_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `text_fill` (
	`id` integer PRIMARY KEY NOT NULL,
	`form` text,
	`location` integer,
	`listing` integer
);
--> statement-breakpoint
ALTER TABLE `locations` ADD `words` text;
--> statement-breakpoint
-- Nothing has to be filled in a database without records: the writers of the first ones store their words.
INSERT INTO text_fill (id, form, location, listing)
SELECT 1, iif(stored, '', NULL), iif(stored, 0, NULL), iif(stored, 0, NULL)
FROM (SELECT EXISTS (SELECT 1 FROM listings) OR EXISTS (SELECT 1 FROM locations) AS stored);
--> statement-breakpoint
CREATE TRIGGER listing_words_delete AFTER DELETE ON listings BEGIN
  DELETE FROM listing_words WHERE listing_id = old.id
    AND word IN (SELECT value FROM listing_word_sets, json_each(words) WHERE listing_word_sets.listing_id = old.id);
  DELETE FROM listing_word_sets WHERE listing_id = old.id;
END;
