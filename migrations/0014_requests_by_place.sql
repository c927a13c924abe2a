DROP INDEX `request_locations_by_location`;--> statement-breakpoint
CREATE INDEX `request_locations_by_place` ON `request_locations` (`location_id`,`request_id`);