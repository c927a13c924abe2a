DROP INDEX `contacts_by_search`;--> statement-breakpoint
CREATE INDEX `contacts_without_keys` ON `contacts` (`is_deleted`) WHERE person_keys = '{}';