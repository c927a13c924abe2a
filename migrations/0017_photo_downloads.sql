CREATE TABLE `photo_downloads` (
	`listing_id` integer NOT NULL,
	`address` text NOT NULL,
	`attempts` integer NOT NULL,
	`due` text,
	`image` text,
	PRIMARY KEY(`listing_id`, `address`),
	FOREIGN KEY (`listing_id`) REFERENCES `listings`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `photo_downloads_due` ON `photo_downloads` (`due`) WHERE image is null;