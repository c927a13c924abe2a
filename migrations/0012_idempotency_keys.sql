CREATE TABLE `idempotency_keys` (
	`id` integer PRIMARY KEY NOT NULL,
	`digest` text NOT NULL,
	`fingerprint` text NOT NULL,
	`token` text NOT NULL,
	`held_until` integer NOT NULL,
	`expires` integer NOT NULL,
	`progress` text,
	`answer` text,
	`told` text,
	`cursor` integer,
	`names` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `idempotency_keys_by_digest` ON `idempotency_keys` (`digest`);