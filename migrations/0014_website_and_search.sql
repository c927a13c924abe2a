CREATE TABLE `agency_versions` (
	`name` text PRIMARY KEY NOT NULL,
	`version` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `derivations` (
	`name` text PRIMARY KEY NOT NULL,
	`form` text NOT NULL,
	`cursor` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `enquiries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`reference` text DEFAULT '' NOT NULL,
	`date_created` text NOT NULL,
	`date_updated` text NOT NULL,
	`status_date` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`type` text NOT NULL,
	`listing_id` integer,
	`first_name` text,
	`last_name` text NOT NULL,
	`email` text,
	`phone` text,
	`message` text NOT NULL,
	`language_id` integer,
	`amount` integer,
	`page_url` text,
	`dates` text DEFAULT '[]' NOT NULL,
	`sought` text,
	`consents_to_marketing` integer NOT NULL,
	`status` text NOT NULL,
	`notes` text,
	`contact_id` integer,
	`request_id` integer,
	`search` text DEFAULT '' NOT NULL,
	`sent_by` text DEFAULT '' NOT NULL,
	`bytes` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`listing_id`) REFERENCES `listings`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`language_id`) REFERENCES `languages`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`contact_id`) REFERENCES `contacts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`request_id`) REFERENCES `requests`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `enquiries_by_status` ON `enquiries` (`status`,`status_date`);--> statement-breakpoint
CREATE INDEX `enquiries_by_type` ON `enquiries` (`type`);--> statement-breakpoint
CREATE INDEX `enquiries_by_listing` ON `enquiries` (`listing_id`);--> statement-breakpoint
CREATE INDEX `enquiries_by_date_created` ON `enquiries` (`date_created`);--> statement-breakpoint
CREATE INDEX `enquiries_by_date_updated` ON `enquiries` (`date_updated`);--> statement-breakpoint
CREATE TABLE `enquiry_usage` (
	`api_key` text PRIMARY KEY NOT NULL,
	`enquiries` integer NOT NULL,
	`bytes` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `enquiry_users` (
	`enquiry_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`enquiry_id`, `position`),
	FOREIGN KEY (`enquiry_id`) REFERENCES `enquiries`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
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
CREATE UNIQUE INDEX `feeds_with_token` ON `feeds` (`token`);--> statement-breakpoint
CREATE TABLE `idempotency_total` (
	`id` integer PRIMARY KEY NOT NULL,
	`bytes` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `idempotency_usage` (
	`api_key` text PRIMARY KEY NOT NULL,
	`keys` integer NOT NULL,
	`bytes` integer NOT NULL,
	CONSTRAINT "idempotency_room" CHECK(keys <= 500000 and bytes <= 500000000)
);
--> statement-breakpoint
CREATE TABLE `public_listings` (
	`id` integer PRIMARY KEY NOT NULL,
	`store_id` integer NOT NULL,
	`price` integer,
	`price_per_sqm` real,
	`has_photos` integer NOT NULL,
	`latitude` real,
	`longitude` real,
	`date_updated` text NOT NULL,
	`shown` text NOT NULL,
	`photo_sizes` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `search_portion_data` (
	`first_id` integer PRIMARY KEY NOT NULL,
	`data` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `search_portions` (
	`first_id` integer PRIMARY KEY NOT NULL,
	`form` text NOT NULL,
	`rows` integer NOT NULL,
	`cursor` integer NOT NULL
);
--> statement-breakpoint
DROP INDEX `external_listings_by_category`;--> statement-breakpoint
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
ALTER TABLE `external_listings` ADD `photo_sources` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
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
CREATE INDEX `external_listings_by_date_updated` ON `external_listings` (`is_deleted`,`date_updated`);--> statement-breakpoint
DROP INDEX `request_locations_by_location`;--> statement-breakpoint
CREATE INDEX `request_locations_by_place` ON `request_locations` (`location_id`,`request_id`);--> statement-breakpoint
ALTER TABLE `stores` ADD `phone` text;--> statement-breakpoint
ALTER TABLE `stores` ADD `email` text;--> statement-breakpoint
ALTER TABLE `stores` ADD `address` text;--> statement-breakpoint
ALTER TABLE `stores` ADD `url` text;--> statement-breakpoint
ALTER TABLE `idempotency_keys` ADD `api_key` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `idempotency_keys` ADD `bytes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `listing_panoramas` ADD `captions` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `listing_panoramas` ADD `width` integer;--> statement-breakpoint
ALTER TABLE `listing_panoramas` ADD `height` integer;--> statement-breakpoint
CREATE INDEX `listing_panoramas_unmeasured` ON `listing_panoramas` (`listing_id`) WHERE width is null;--> statement-breakpoint
ALTER TABLE `listing_photos` ADD `kind` text DEFAULT 'photo' NOT NULL;--> statement-breakpoint
ALTER TABLE `listing_photos` ADD `captions` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `listing_photos` ADD `width` integer;--> statement-breakpoint
ALTER TABLE `listing_photos` ADD `height` integer;--> statement-breakpoint
CREATE INDEX `listing_photos_unmeasured` ON `listing_photos` (`listing_id`) WHERE width is null;--> statement-breakpoint
ALTER TABLE `listings` ADD `checked_latitude` real;--> statement-breakpoint
ALTER TABLE `listings` ADD `checked_longitude` real;--> statement-breakpoint
CREATE INDEX `listings_with_unchecked_point` ON `listings` (`id`) WHERE (fake_latitude, fake_longitude) is not (checked_latitude, checked_longitude);--> statement-breakpoint
CREATE INDEX `contacts_by_date_converted` ON `contacts` (`is_deleted`,`date_converted_to_client`);--> statement-breakpoint
CREATE INDEX `expenses_by_date_updated` ON `expenses` (`date_updated`);--> statement-breakpoint
CREATE INDEX `incomes_by_date_updated` ON `incomes` (`date_updated`);--> statement-breakpoint
CREATE INDEX `knowledge_base_articles_by_date_updated` ON `knowledge_base_articles` (`date_updated`);--> statement-breakpoint
CREATE INDEX `contracts_by_date_updated` ON `contracts` (`date_updated`);--> statement-breakpoint
CREATE INDEX `contracts_by_deposit_date` ON `contracts` (`deposit_date`);