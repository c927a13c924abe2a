ALTER TABLE `idempotency_keys` ADD `resource` text;--> statement-breakpoint
ALTER TABLE `idempotency_keys` ADD `record_id` integer;