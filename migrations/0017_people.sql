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
ALTER TABLE `contacts` ADD `consents` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `contacts` ADD `is_erased` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `enquiries` ADD `is_erased` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `enquiries_by_contact` ON `enquiries` (`contact_id`) WHERE contact_id is not null;--> statement-breakpoint
CREATE INDEX `listing_contacts_by_contact` ON `listing_contacts` (`contact_id`);--> statement-breakpoint
CREATE INDEX `listings_by_tenant` ON `listings` (extra ->> 'tenant_contact_id') WHERE extra ->> 'tenant_contact_id' is not null;--> statement-breakpoint
CREATE INDEX `contracts_by_notary` ON `contracts` (`notary_contact_id`) WHERE notary_contact_id is not null;