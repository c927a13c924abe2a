CREATE TABLE `searched_listings` (
	`id` integer PRIMARY KEY NOT NULL,
	`store_id` integer NOT NULL,
	`code` text,
	`category` text NOT NULL,
	`availability` text NOT NULL,
	`subcategory` text,
	`subtype` integer,
	`area_level1` integer,
	`area_level2` integer,
	`area_level3` integer,
	`price` integer,
	`price_per_sqm` real,
	`size` real,
	`land_size` real,
	`floor` real,
	`rooms` integer,
	`bathrooms` integer,
	`year_built` integer,
	`property_condition` text,
	`energy_class` text,
	`is_negotiable` integer NOT NULL,
	`has_photos` integer NOT NULL,
	`has_tour` integer NOT NULL,
	`has_video` integer NOT NULL,
	`features` text NOT NULL,
	`positioning` text NOT NULL,
	`view` text NOT NULL,
	`flooring` text NOT NULL,
	`latitude` real,
	`longitude` real,
	`date_listed` text,
	`area` integer,
	`cell` integer,
	`status` text NOT NULL,
	`date_created` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `searched_listings_by_area` ON `searched_listings` (`area`);--> statement-breakpoint
ALTER TABLE `public_listings` ADD `area` integer;--> statement-breakpoint
ALTER TABLE `public_listings` ADD `cell` integer;--> statement-breakpoint
ALTER TABLE `public_listings` ADD `shown` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
CREATE INDEX `public_listings_by_kind` ON `public_listings` (`availability`,`category`,`subcategory`,`price`,`size`,`rooms`,`has_photos`,`bathrooms`,`floor`,`subtype`,`property_condition`,`has_tour`,`has_video`,`is_negotiable`,`store_id`,`price_per_sqm`,`date_listed`,`energy_class`,`year_built`,`land_size`);--> statement-breakpoint
CREATE INDEX `public_listings_by_area` ON `public_listings` (`area`,`availability`,`category`,`subcategory`,`price`,`size`,`rooms`,`has_photos`,`bathrooms`,`floor`,`subtype`,`property_condition`,`has_tour`,`has_video`,`is_negotiable`,`store_id`,`price_per_sqm`,`date_listed`,`energy_class`,`year_built`,`land_size`,`latitude`,`longitude`,`area_level1`,`area_level2`,`area_level3`,`date_updated`,`features`,`positioning`,`view`,`flooring`);--> statement-breakpoint
CREATE INDEX `public_listings_by_cell` ON `public_listings` (`cell`,`latitude`,`longitude`,`availability`,`category`,`subcategory`,`price`,`size`,`rooms`,`has_photos`,`bathrooms`,`floor`,`subtype`,`property_condition`,`has_tour`,`has_video`,`is_negotiable`,`store_id`,`price_per_sqm`,`date_listed`,`energy_class`,`year_built`,`land_size`,`area_level1`,`area_level2`,`area_level3`,`date_updated`,`features`,`positioning`,`view`,`flooring`);