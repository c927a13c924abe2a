CREATE TABLE `enquiry_mails` (
	`enquiry_id` integer PRIMARY KEY NOT NULL,
	`created` integer NOT NULL,
	`tries` integer NOT NULL,
	`next_try` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `enquiry_mails_by_next_try` ON `enquiry_mails` (`next_try`);--> statement-breakpoint
ALTER TABLE `enquiries` ADD `notified` text;