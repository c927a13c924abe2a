CREATE TABLE `webhook_attempts` (
	`webhook_id` integer NOT NULL,
	`number` integer NOT NULL,
	`date` text NOT NULL,
	`batch_id` text NOT NULL,
	`type` text NOT NULL,
	`status` integer,
	`error` text,
	`milliseconds` integer NOT NULL,
	PRIMARY KEY(`webhook_id`, `number`),
	FOREIGN KEY (`webhook_id`) REFERENCES `webhooks`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`url` text NOT NULL,
	`description` text,
	`resources` text,
	`secret` text NOT NULL,
	`old_secret` text,
	`old_secret_expires` integer,
	`date_created` text NOT NULL,
	`position` integer NOT NULL,
	`floor` integer NOT NULL,
	`batch_id` text,
	`batch_until` integer,
	`lease` text,
	`leased_until` integer NOT NULL,
	`failures` integer NOT NULL,
	`error` text,
	`next_attempt` integer,
	`date_delivered` text,
	`enabled` integer NOT NULL,
	`disabled_reason` text,
	`date_disabled` text
);
