CREATE TABLE `derivations` (
	`name` text PRIMARY KEY NOT NULL,
	`form` text NOT NULL,
	`cursor` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `text_fill` ADD `places` text;