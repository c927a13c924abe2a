CREATE TABLE `external_listing_photo_names` (
	`external_listing_id` integer NOT NULL,
	`name` text NOT NULL,
	PRIMARY KEY(`external_listing_id`, `name`),
	FOREIGN KEY (`external_listing_id`) REFERENCES `external_listings`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `external_listing_photo_names_by_name` ON `external_listing_photo_names` (`name`);--> statement-breakpoint
CREATE TABLE `file_sweeps` (
	`id` integer PRIMARY KEY NOT NULL,
	`last_key` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `unreferenced_files` (
	`key` text PRIMARY KEY NOT NULL,
	`first_seen` text NOT NULL
);
