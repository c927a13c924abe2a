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
