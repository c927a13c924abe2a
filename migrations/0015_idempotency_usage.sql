CREATE TABLE `idempotency_usage` (
	`api_key` text PRIMARY KEY NOT NULL,
	`keys` integer NOT NULL,
	`bytes` integer NOT NULL,
	CONSTRAINT "idempotency_room" CHECK(keys <= 500000 and bytes <= 500000000)
);
--> statement-breakpoint
ALTER TABLE `idempotency_keys` ADD `api_key` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `idempotency_keys` ADD `bytes` integer DEFAULT 0 NOT NULL;