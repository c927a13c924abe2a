CREATE TABLE `agency_changes` (
	`entity` text NOT NULL,
	`key` text NOT NULL,
	`version` integer NOT NULL,
	`added` integer NOT NULL,
	PRIMARY KEY(`entity`, `key`)
);
--> statement-breakpoint
CREATE INDEX `agency_changes_by_version` ON `agency_changes` (`version`);--> statement-breakpoint
CREATE TABLE `backups` (
	`name` text PRIMARY KEY NOT NULL,
	`run` text NOT NULL,
	`date_started` text NOT NULL,
	`date_finished` text,
	`date_tried` text,
	`cursor` text,
	`parts` integer NOT NULL,
	`lease` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `enquiry_mails` (
	`enquiry_id` integer PRIMARY KEY NOT NULL,
	`created` integer NOT NULL,
	`tries` integer NOT NULL,
	`next_try` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `enquiry_mails_by_next_try` ON `enquiry_mails` (`next_try`);--> statement-breakpoint
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
CREATE INDEX `photo_downloads_due` ON `photo_downloads` (`due`) WHERE image is null;--> statement-breakpoint
CREATE TABLE `contact_holds` (
	`contact_id` integer PRIMARY KEY NOT NULL,
	`date` text NOT NULL,
	`reason` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `erased_records` (
	`resource` text NOT NULL,
	`id` integer NOT NULL,
	`contact_id` integer NOT NULL,
	`fields` text,
	PRIMARY KEY(`resource`, `id`, `contact_id`)
);
--> statement-breakpoint
CREATE INDEX `erased_records_by_erasure` ON `erased_records` (`contact_id`,`resource`);--> statement-breakpoint
CREATE TABLE `erasures` (
	`contact_id` integer PRIMARY KEY NOT NULL,
	`date` text NOT NULL,
	`reason` text NOT NULL,
	`progress` text NOT NULL,
	`progress_date` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `erasures_unfinished` ON `erasures` (`progress_date`) WHERE progress <> 'closed';--> statement-breakpoint
CREATE TABLE `trail` (
	`id` integer PRIMARY KEY NOT NULL,
	`date` text NOT NULL,
	`actor_type` text,
	`actor_id` text,
	`address` text,
	`method` text,
	`route` text,
	`resource` text,
	`record_id` text,
	`version` integer,
	`status` integer NOT NULL,
	`request_id` text,
	`changed` text,
	`others` text,
	`count` integer
);
--> statement-breakpoint
CREATE INDEX `trail_by_record` ON `trail` (`resource`,`record_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `trail_by_refusal` ON `trail` (`date`,`address`,`route`,`status`) WHERE count is not null;--> statement-breakpoint
CREATE TABLE `trail_state` (
	`id` integer PRIMARY KEY NOT NULL,
	`examined` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `contacts` ADD `consents` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `contacts` ADD `is_erased` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `enquiries` ADD `notified` text;--> statement-breakpoint
ALTER TABLE `enquiries` ADD `is_erased` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `enquiries_by_contact` ON `enquiries` (`contact_id`) WHERE contact_id is not null;--> statement-breakpoint
CREATE INDEX `listing_contacts_by_contact` ON `listing_contacts` (`contact_id`);--> statement-breakpoint
CREATE INDEX `listings_by_tenant` ON `listings` (extra ->> 'tenant_contact_id') WHERE extra ->> 'tenant_contact_id' is not null;--> statement-breakpoint
CREATE INDEX `contracts_by_notary` ON `contracts` (`notary_contact_id`) WHERE notary_contact_id is not null;