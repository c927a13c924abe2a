DROP INDEX `contacts_by_search`;--> statement-breakpoint
CREATE INDEX `contacts_without_keys` ON `contacts` (`is_deleted`) WHERE person_keys = '{}';--> statement-breakpoint
CREATE INDEX `contact_merge_references_by_part` ON `contact_merge_references` (`place`,`record_id`,`part`) WHERE part > 0;