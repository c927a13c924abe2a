ALTER TABLE `stores` ADD `phone` text;--> statement-breakpoint
ALTER TABLE `stores` ADD `email` text;--> statement-breakpoint
ALTER TABLE `stores` ADD `address` text;--> statement-breakpoint
ALTER TABLE `stores` ADD `url` text;