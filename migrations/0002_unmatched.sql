ALTER TABLE `listings` ADD `matched_version` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `listings_unmatched` ON `listings` (`id`) WHERE matched_version <> version;--> statement-breakpoint
ALTER TABLE `requests` ADD `matched_version` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `requests_unmatched` ON `requests` (`id`) WHERE matched_version <> version;