CREATE TABLE `location_renames` (
	`id` integer PRIMARY KEY NOT NULL,
	`count` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `listing_documents` (
	`listing_id` integer PRIMARY KEY NOT NULL,
	`version` integer NOT NULL,
	`form` text NOT NULL,
	`renames` integer NOT NULL,
	`document` text NOT NULL,
	FOREIGN KEY (`listing_id`) REFERENCES `listings`(`id`) ON UPDATE no action ON DELETE no action
);
