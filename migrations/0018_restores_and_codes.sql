ALTER TABLE `restores` ADD `digest` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `listings_by_code` ON `listings` (lower(code)) WHERE code is not null;