ALTER TABLE `erased_records` ADD `position` integer;--> statement-breakpoint
CREATE INDEX `erased_records_by_position` ON `erased_records` (`position`);