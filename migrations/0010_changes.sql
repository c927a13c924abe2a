CREATE TABLE `change_feed` (
	`id` integer PRIMARY KEY NOT NULL,
	`deployment` text NOT NULL,
	`examined` integer NOT NULL,
	`purged` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `changes` (
	`cursor` integer PRIMARY KEY NOT NULL,
	`resource` text NOT NULL,
	`id` integer NOT NULL,
	`change` text NOT NULL,
	`date` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `changes_by_record` ON `changes` (`resource`,`id`);--> statement-breakpoint
CREATE INDEX `changes_by_resource` ON `changes` (`resource`);