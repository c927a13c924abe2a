CREATE TABLE `custom_fields` (
	`id` integer PRIMARY KEY NOT NULL,
	`resource` text NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`options` text
);
--> statement-breakpoint
CREATE INDEX `custom_fields_by_resource` ON `custom_fields` (`resource`);--> statement-breakpoint
CREATE TABLE `languages` (
	`id` integer PRIMARY KEY NOT NULL,
	`code` text NOT NULL,
	`name` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `locations` (
	`id` integer PRIMARY KEY NOT NULL,
	`level` integer NOT NULL,
	`parent_id` integer,
	`name_el` text NOT NULL,
	`name_en` text NOT NULL,
	`full_name_el` text NOT NULL,
	`full_name_en` text NOT NULL,
	`search` text NOT NULL,
	FOREIGN KEY (`parent_id`) REFERENCES `locations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `locations_by_parent` ON `locations` (`parent_id`);--> statement-breakpoint
CREATE INDEX `locations_by_level` ON `locations` (`level`);--> statement-breakpoint
CREATE TABLE `settings` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `special_locations` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`latitude` real NOT NULL,
	`longitude` real NOT NULL
);
--> statement-breakpoint
CREATE TABLE `stores` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`watermark` text
);
--> statement-breakpoint
CREATE TABLE `users` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`email` text,
	`store_id` integer,
	FOREIGN KEY (`store_id`) REFERENCES `stores`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `contact_tag_links` (
	`contact_id` integer NOT NULL,
	`tag_id` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`contact_id`, `position`),
	FOREIGN KEY (`contact_id`) REFERENCES `contacts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tag_id`) REFERENCES `contact_tags`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `contact_users` (
	`contact_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`contact_id`, `position`),
	FOREIGN KEY (`contact_id`) REFERENCES `contacts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `contacts` (
	`id` integer PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`first_name` text DEFAULT '' NOT NULL,
	`last_name` text DEFAULT '' NOT NULL,
	`source_id` integer,
	`is_lead` integer DEFAULT false NOT NULL,
	`is_company` integer DEFAULT false NOT NULL,
	`company_name` text,
	`phones` text DEFAULT '[]' NOT NULL,
	`emails` text DEFAULT '[]' NOT NULL,
	`notes` text DEFAULT '' NOT NULL,
	`address_area` text,
	`address_street` text,
	`address_postal_code` text,
	`custom_fields` text DEFAULT '{}' NOT NULL,
	`contact_details` text DEFAULT '[]' NOT NULL,
	`created_by` integer NOT NULL,
	`date_created` text NOT NULL,
	`date_updated` text NOT NULL,
	`date_converted_to_client` text,
	`search` text DEFAULT '' NOT NULL,
	`is_deleted` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`source_id`) REFERENCES `contact_sources`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `contacts_by_deleted` ON `contacts` (`is_deleted`);--> statement-breakpoint
CREATE INDEX `contacts_by_search` ON `contacts` (`is_deleted`,`search`);--> statement-breakpoint
CREATE INDEX `contacts_by_date_created` ON `contacts` (`is_deleted`,`date_created`);--> statement-breakpoint
CREATE INDEX `contacts_by_date_updated` ON `contacts` (`is_deleted`,`date_updated`);--> statement-breakpoint
CREATE TABLE `external_listing_tag_links` (
	`external_listing_id` integer NOT NULL,
	`tag_id` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`external_listing_id`, `position`),
	FOREIGN KEY (`external_listing_id`) REFERENCES `external_listings`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tag_id`) REFERENCES `external_listing_tags`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `external_listing_users` (
	`external_listing_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`external_listing_id`, `position`),
	FOREIGN KEY (`external_listing_id`) REFERENCES `external_listings`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `external_listings` (
	`id` integer PRIMARY KEY NOT NULL,
	`store_id` integer NOT NULL,
	`source_id` integer,
	`status` integer,
	`external_url` text,
	`availability` text,
	`category` text,
	`subcategory` text,
	`price` integer,
	`price_per_sqm` real,
	`size` integer,
	`floor` real,
	`levels` integer,
	`rooms` integer,
	`wcs` integer,
	`bathrooms` integer,
	`kitchens` integer,
	`living_rooms` integer,
	`year_built` integer,
	`description` text,
	`address` text,
	`area_level1` integer,
	`area_level2` integer,
	`area_level3` integer,
	`latitude` real,
	`longitude` real,
	`contact_full_name` text,
	`contact_email` text,
	`contact_phones` text,
	`created_by` integer NOT NULL,
	`date_created` text NOT NULL,
	`date_updated` text NOT NULL,
	`photos` text DEFAULT '[]' NOT NULL,
	FOREIGN KEY (`store_id`) REFERENCES `stores`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`source_id`) REFERENCES `external_listing_sources`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`status`) REFERENCES `external_listing_statuses`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`area_level1`) REFERENCES `locations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`area_level2`) REFERENCES `locations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`area_level3`) REFERENCES `locations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `external_listings_by_category` ON `external_listings` (`category`,`availability`);--> statement-breakpoint
CREATE INDEX `external_listings_by_availability` ON `external_listings` (`availability`);--> statement-breakpoint
CREATE INDEX `external_listings_by_status` ON `external_listings` (`status`);--> statement-breakpoint
CREATE INDEX `external_listings_by_store` ON `external_listings` (`store_id`);--> statement-breakpoint
CREATE INDEX `external_listings_by_source` ON `external_listings` (`source_id`);--> statement-breakpoint
CREATE INDEX `external_listings_by_area_level1` ON `external_listings` (`area_level1`);--> statement-breakpoint
CREATE INDEX `external_listings_by_area_level2` ON `external_listings` (`area_level2`);--> statement-breakpoint
CREATE INDEX `external_listings_by_price` ON `external_listings` (`price`);--> statement-breakpoint
CREATE INDEX `external_listings_by_size` ON `external_listings` (`size`);--> statement-breakpoint
CREATE INDEX `external_listings_by_date_created` ON `external_listings` (`date_created`);--> statement-breakpoint
CREATE INDEX `external_listings_by_date_updated` ON `external_listings` (`date_updated`);--> statement-breakpoint
CREATE TABLE `expense_contacts` (
	`expense_id` integer NOT NULL,
	`contact_id` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`expense_id`, `position`),
	FOREIGN KEY (`expense_id`) REFERENCES `expenses`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`contact_id`) REFERENCES `contacts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `expense_contacts_by_contact` ON `expense_contacts` (`contact_id`);--> statement-breakpoint
CREATE TABLE `expenses` (
	`id` integer PRIMARY KEY NOT NULL,
	`category_id` integer NOT NULL,
	`partner_id` integer,
	`linked_income_id` integer,
	`linked_income_commission_id` integer,
	`auto_generated` integer DEFAULT false NOT NULL,
	`amount_cents` integer NOT NULL,
	`date` text NOT NULL,
	`title` text,
	`notes` text,
	`status` text NOT NULL,
	`created_by` integer NOT NULL,
	`date_created` text NOT NULL,
	`date_updated` text,
	FOREIGN KEY (`category_id`) REFERENCES `expense_categories`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`partner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`linked_income_id`) REFERENCES `incomes`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`linked_income_commission_id`) REFERENCES `income_commissions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `expenses_by_category` ON `expenses` (`category_id`);--> statement-breakpoint
CREATE INDEX `expenses_by_partner` ON `expenses` (`partner_id`);--> statement-breakpoint
CREATE INDEX `expenses_by_income` ON `expenses` (`linked_income_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `expenses_by_commission` ON `expenses` (`linked_income_commission_id`);--> statement-breakpoint
CREATE INDEX `expenses_by_status` ON `expenses` (`status`);--> statement-breakpoint
CREATE INDEX `expenses_by_auto_generated` ON `expenses` (`auto_generated`);--> statement-breakpoint
CREATE INDEX `expenses_by_date` ON `expenses` (`date`);--> statement-breakpoint
CREATE INDEX `expenses_by_date_created` ON `expenses` (`date_created`);--> statement-breakpoint
CREATE INDEX `expenses_by_amount` ON `expenses` (`amount_cents`);--> statement-breakpoint
CREATE TABLE `income_commissions` (
	`id` integer PRIMARY KEY NOT NULL,
	`income_id` integer NOT NULL,
	`side` text NOT NULL,
	`partner_id` integer NOT NULL,
	`side_total_cents` integer NOT NULL,
	`partner_cents` integer NOT NULL,
	FOREIGN KEY (`income_id`) REFERENCES `incomes`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`partner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `income_commissions_by_income` ON `income_commissions` (`income_id`);--> statement-breakpoint
CREATE TABLE `income_contacts` (
	`income_id` integer NOT NULL,
	`contact_id` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`income_id`, `position`),
	FOREIGN KEY (`income_id`) REFERENCES `incomes`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`contact_id`) REFERENCES `contacts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `income_contacts_by_contact` ON `income_contacts` (`contact_id`);--> statement-breakpoint
CREATE TABLE `incomes` (
	`id` integer PRIMARY KEY NOT NULL,
	`category` text NOT NULL,
	`other_category_id` integer,
	`contract_id` integer,
	`owner_side_cents` integer,
	`client_side_cents` integer,
	`total_cents` integer NOT NULL,
	`date` text NOT NULL,
	`title` text,
	`notes` text,
	`status` text NOT NULL,
	`created_by` integer NOT NULL,
	`date_created` text NOT NULL,
	`date_updated` text,
	FOREIGN KEY (`other_category_id`) REFERENCES `income_other_categories`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`contract_id`) REFERENCES `contracts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `incomes_by_category` ON `incomes` (`category`);--> statement-breakpoint
CREATE INDEX `incomes_by_status` ON `incomes` (`status`);--> statement-breakpoint
CREATE INDEX `incomes_by_contract` ON `incomes` (`contract_id`);--> statement-breakpoint
CREATE INDEX `incomes_by_date` ON `incomes` (`date`);--> statement-breakpoint
CREATE INDEX `incomes_by_date_created` ON `incomes` (`date_created`);--> statement-breakpoint
CREATE INDEX `incomes_by_total` ON `incomes` (`total_cents`);--> statement-breakpoint
CREATE TABLE `knowledge_base_articles` (
	`id` integer PRIMARY KEY NOT NULL,
	`title` text NOT NULL,
	`title_search` text NOT NULL,
	`category_id` integer NOT NULL,
	`content` text,
	`views` integer DEFAULT 0 NOT NULL,
	`created_by` integer NOT NULL,
	`date_created` text NOT NULL,
	`date_updated` text,
	FOREIGN KEY (`category_id`) REFERENCES `knowledge_base_categories`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `knowledge_base_articles_by_category` ON `knowledge_base_articles` (`category_id`);--> statement-breakpoint
CREATE INDEX `knowledge_base_articles_by_date_created` ON `knowledge_base_articles` (`date_created`);--> statement-breakpoint
CREATE INDEX `knowledge_base_articles_by_title` ON `knowledge_base_articles` (`title_search`);--> statement-breakpoint
CREATE TABLE `knowledge_base_categories` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`description` text,
	`icon` text NOT NULL,
	`color` text NOT NULL,
	`is_active` integer DEFAULT true NOT NULL
);
--> statement-breakpoint
CREATE TABLE `knowledge_base_files` (
	`id` integer PRIMARY KEY NOT NULL,
	`article_id` integer NOT NULL,
	`original_name` text NOT NULL,
	`mime_type` text,
	`size` integer NOT NULL,
	`url` text NOT NULL,
	`date_created` text NOT NULL,
	FOREIGN KEY (`article_id`) REFERENCES `knowledge_base_articles`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `knowledge_base_files_by_article` ON `knowledge_base_files` (`article_id`);--> statement-breakpoint
CREATE INDEX `knowledge_base_files_by_url` ON `knowledge_base_files` (`url`);--> statement-breakpoint
CREATE TABLE `listing_contacts` (
	`listing_id` integer NOT NULL,
	`contact_id` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`listing_id`, `position`),
	FOREIGN KEY (`listing_id`) REFERENCES `listings`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`contact_id`) REFERENCES `contacts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `listing_contacts_by_contact` ON `listing_contacts` (`contact_id`);--> statement-breakpoint
CREATE TABLE `listing_counts` (
	`category` text NOT NULL,
	`status` text NOT NULL,
	`availability` text NOT NULL,
	`subcategory` text NOT NULL,
	`subtype` integer NOT NULL,
	`listings` integer NOT NULL,
	PRIMARY KEY(`category`, `status`, `availability`, `subcategory`, `subtype`)
);
--> statement-breakpoint
CREATE TABLE `listing_panoramas` (
	`listing_id` integer NOT NULL,
	`ordernum` integer NOT NULL,
	`image` text NOT NULL,
	`thumb` text,
	PRIMARY KEY(`listing_id`, `ordernum`),
	FOREIGN KEY (`listing_id`) REFERENCES `listings`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `listing_photos` (
	`listing_id` integer NOT NULL,
	`ordernum` integer NOT NULL,
	`original_image` text,
	`watermark_image` text,
	PRIMARY KEY(`listing_id`, `ordernum`),
	FOREIGN KEY (`listing_id`) REFERENCES `listings`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `listing_tag_links` (
	`listing_id` integer NOT NULL,
	`tag_id` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`listing_id`, `position`),
	FOREIGN KEY (`listing_id`) REFERENCES `listings`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tag_id`) REFERENCES `listing_tags`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `listing_tag_links_by_tag` ON `listing_tag_links` (`tag_id`);--> statement-breakpoint
CREATE TABLE `listing_translations` (
	`listing_id` integer NOT NULL,
	`language_id` integer NOT NULL,
	`title` text,
	`description` text,
	PRIMARY KEY(`listing_id`, `language_id`),
	FOREIGN KEY (`listing_id`) REFERENCES `listings`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`language_id`) REFERENCES `languages`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `listing_users` (
	`listing_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`listing_id`, `position`),
	FOREIGN KEY (`listing_id`) REFERENCES `listings`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `listing_users_by_user` ON `listing_users` (`user_id`);--> statement-breakpoint
CREATE TABLE `listings` (
	`id` integer PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`store_id` integer NOT NULL,
	`code` text,
	`category` text NOT NULL,
	`availability` text NOT NULL,
	`subcategory` text,
	`subtype` integer,
	`price` integer,
	`size` real,
	`price_per_sqm` real,
	`floor` real,
	`levels` integer,
	`rooms` integer,
	`bathrooms` integer,
	`year_built` integer,
	`property_condition` text,
	`source_id` integer,
	`status` text DEFAULT 'draft' NOT NULL,
	`status_date` text,
	`created_by` integer NOT NULL,
	`date_created` text NOT NULL,
	`date_updated` text NOT NULL,
	`notes` text,
	`area_level1` integer,
	`area_level2` integer,
	`area_level3` integer,
	`postal_code` text,
	`display_address` text DEFAULT 'none' NOT NULL,
	`address_el` text,
	`address_en` text,
	`latitude` real,
	`longitude` real,
	`fake_address_el` text,
	`fake_latitude` real,
	`fake_longitude` real,
	`details` text DEFAULT '{}' NOT NULL,
	`extra` text DEFAULT '{}' NOT NULL,
	`features` text DEFAULT '[]' NOT NULL,
	`positioning` text DEFAULT '[]' NOT NULL,
	`view` text DEFAULT '[]' NOT NULL,
	`flooring` text DEFAULT '[]' NOT NULL,
	`floor_configuration` text,
	`tour_token` text,
	FOREIGN KEY (`store_id`) REFERENCES `stores`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`subtype`) REFERENCES `listing_subtypes`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`source_id`) REFERENCES `listing_sources`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `listings_by_code` ON `listings` (`code`);--> statement-breakpoint
CREATE UNIQUE INDEX `listings_by_tour_token` ON `listings` (`tour_token`);--> statement-breakpoint
CREATE INDEX `listings_by_category` ON `listings` (`category`,`status`,`availability`);--> statement-breakpoint
CREATE INDEX `listings_by_subcategory` ON `listings` (`subcategory`,`category`,`status`,`availability`);--> statement-breakpoint
CREATE INDEX `listings_by_subtype` ON `listings` (`subtype`,`subcategory`,`category`,`status`,`availability`);--> statement-breakpoint
CREATE INDEX `listings_by_date_created` ON `listings` (`date_created`,`category`,`status`,`availability`,`subcategory`,`subtype`);--> statement-breakpoint
CREATE INDEX `listings_by_date_updated` ON `listings` (`date_updated`,`category`,`status`,`availability`,`subcategory`,`subtype`);--> statement-breakpoint
CREATE TABLE `contact_sources` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `contact_tags` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `contract_statuses` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`is_completed` integer NOT NULL,
	`is_cancelled` integer NOT NULL,
	`bg_color` text NOT NULL,
	`text_color` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `expense_categories` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `external_listing_sources` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `external_listing_statuses` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `external_listing_tags` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `income_other_categories` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `listing_sources` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `listing_subtypes` (
	`id` integer PRIMARY KEY NOT NULL,
	`subcategory` text NOT NULL,
	`translations` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `listing_tags` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `request_sources` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `request_statuses` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `request_tags` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `contract_contacts` (
	`contract_id` integer NOT NULL,
	`contact_id` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`contract_id`, `position`),
	FOREIGN KEY (`contract_id`) REFERENCES `contracts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`contact_id`) REFERENCES `contacts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `contract_contacts_by_contact` ON `contract_contacts` (`contact_id`);--> statement-breakpoint
CREATE TABLE `contracts` (
	`id` integer PRIMARY KEY NOT NULL,
	`offer_id` integer NOT NULL,
	`request_id` integer,
	`store_id` integer NOT NULL,
	`status_id` integer NOT NULL,
	`created_by` integer NOT NULL,
	`date_created` text NOT NULL,
	`date_updated` text NOT NULL,
	`status_date` text,
	`currency` text NOT NULL,
	`loan_percentage` integer DEFAULT 0 NOT NULL,
	`initial_property_price` integer,
	`final_property_price` integer,
	`deposit_amount` integer,
	`deposit_date` text,
	`notary_contact_id` integer,
	`notes` text,
	`external_contact` integer DEFAULT false NOT NULL,
	`listing_id` integer,
	`external_property` text,
	`external_listing` integer NOT NULL,
	FOREIGN KEY (`offer_id`) REFERENCES `offers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`request_id`) REFERENCES `requests`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`store_id`) REFERENCES `stores`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`status_id`) REFERENCES `contract_statuses`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`notary_contact_id`) REFERENCES `contacts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`listing_id`) REFERENCES `listings`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `contracts_by_status` ON `contracts` (`status_id`);--> statement-breakpoint
CREATE INDEX `contracts_by_store` ON `contracts` (`store_id`);--> statement-breakpoint
CREATE INDEX `contracts_by_offer` ON `contracts` (`offer_id`);--> statement-breakpoint
CREATE INDEX `contracts_by_listing` ON `contracts` (`listing_id`);--> statement-breakpoint
CREATE INDEX `contracts_by_request` ON `contracts` (`request_id`);--> statement-breakpoint
CREATE INDEX `contracts_by_external_listing` ON `contracts` (`external_listing`);--> statement-breakpoint
CREATE INDEX `contracts_by_external_contact` ON `contracts` (`external_contact`);--> statement-breakpoint
CREATE INDEX `contracts_by_date_created` ON `contracts` (`date_created`);--> statement-breakpoint
CREATE INDEX `contracts_by_status_date` ON `contracts` (`status_date`);--> statement-breakpoint
CREATE TABLE `offer_contacts` (
	`offer_id` integer NOT NULL,
	`contact_id` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`offer_id`, `position`),
	FOREIGN KEY (`offer_id`) REFERENCES `offers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`contact_id`) REFERENCES `contacts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `offer_contacts_by_contact` ON `offer_contacts` (`contact_id`);--> statement-breakpoint
CREATE TABLE `offer_rounds` (
	`id` integer PRIMARY KEY NOT NULL,
	`offer_id` integer NOT NULL,
	`type` text NOT NULL,
	`amount` integer,
	`current_listing_price` integer,
	`notes` text,
	`created_by` integer NOT NULL,
	`date_created` text NOT NULL,
	FOREIGN KEY (`offer_id`) REFERENCES `offers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `offer_rounds_by_offer` ON `offer_rounds` (`offer_id`,`date_created`);--> statement-breakpoint
CREATE TABLE `offers` (
	`id` integer PRIMARY KEY NOT NULL,
	`status` text NOT NULL,
	`is_active` integer NOT NULL,
	`request_id` integer,
	`store_id` integer NOT NULL,
	`created_by` integer NOT NULL,
	`date_created` text NOT NULL,
	`date_updated` text NOT NULL,
	`currency` text NOT NULL,
	`current_listing_price` integer NOT NULL,
	`loan_percentage` integer DEFAULT 0 NOT NULL,
	`notes` text,
	`external_contact` integer DEFAULT false NOT NULL,
	`listing_id` integer,
	`external_property` text,
	FOREIGN KEY (`request_id`) REFERENCES `requests`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`store_id`) REFERENCES `stores`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`listing_id`) REFERENCES `listings`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `offers_by_status` ON `offers` (`status`);--> statement-breakpoint
CREATE INDEX `offers_by_active` ON `offers` (`is_active`);--> statement-breakpoint
CREATE INDEX `offers_by_listing` ON `offers` (`listing_id`);--> statement-breakpoint
CREATE INDEX `offers_by_request` ON `offers` (`request_id`);--> statement-breakpoint
CREATE INDEX `offers_by_store` ON `offers` (`store_id`);--> statement-breakpoint
CREATE INDEX `offers_by_creator` ON `offers` (`created_by`);--> statement-breakpoint
CREATE INDEX `offers_by_date_created` ON `offers` (`date_created`);--> statement-breakpoint
CREATE INDEX `offers_by_date_updated` ON `offers` (`date_updated`);--> statement-breakpoint
CREATE TABLE `request_contacts` (
	`request_id` integer NOT NULL,
	`contact_id` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`request_id`, `position`),
	FOREIGN KEY (`request_id`) REFERENCES `requests`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`contact_id`) REFERENCES `contacts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `request_contacts_by_contact` ON `request_contacts` (`contact_id`);--> statement-breakpoint
CREATE TABLE `request_locations` (
	`request_id` integer NOT NULL,
	`location_id` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`request_id`, `position`),
	FOREIGN KEY (`request_id`) REFERENCES `requests`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`location_id`) REFERENCES `locations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `request_locations_by_location` ON `request_locations` (`location_id`);--> statement-breakpoint
CREATE TABLE `request_matches` (
	`request_id` integer NOT NULL,
	`listing_id` integer NOT NULL,
	`score` integer NOT NULL,
	`deviations` text NOT NULL,
	PRIMARY KEY(`request_id`, `listing_id`),
	FOREIGN KEY (`request_id`) REFERENCES `requests`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`listing_id`) REFERENCES `listings`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `request_matches_by_score` ON `request_matches` (`request_id`,`score`,`listing_id`);--> statement-breakpoint
CREATE INDEX `request_matches_by_listing` ON `request_matches` (`listing_id`,`score`,`request_id`);--> statement-breakpoint
CREATE TABLE `request_tag_links` (
	`request_id` integer NOT NULL,
	`tag_id` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`request_id`, `position`),
	FOREIGN KEY (`request_id`) REFERENCES `requests`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tag_id`) REFERENCES `request_tags`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `request_users` (
	`request_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`request_id`, `position`),
	FOREIGN KEY (`request_id`) REFERENCES `requests`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `request_users_by_user` ON `request_users` (`user_id`);--> statement-breakpoint
CREATE TABLE `requests` (
	`id` integer PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`title` text NOT NULL,
	`store_id` integer NOT NULL,
	`source_id` integer,
	`status` integer NOT NULL,
	`availability` text NOT NULL,
	`category` text NOT NULL,
	`subcategories` text NOT NULL,
	`subtypes` text DEFAULT '[]' NOT NULL,
	`price_min` integer,
	`price_max` integer,
	`price_per_sqm_min` integer,
	`price_per_sqm_max` integer,
	`size_min` integer,
	`size_max` integer,
	`year_built_min` integer,
	`year_built_max` integer,
	`rooms_min` integer,
	`rooms_max` integer,
	`floor_min` real,
	`floor_max` real,
	`has_elevator` integer DEFAULT false NOT NULL,
	`elevator_min_floor` real,
	`rating` integer,
	`notes` text,
	`criteria` text DEFAULT '{}' NOT NULL,
	`custom_fields` text DEFAULT '{}' NOT NULL,
	`created_by` integer NOT NULL,
	`date_created` text NOT NULL,
	`date_updated` text NOT NULL,
	`is_deleted` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`store_id`) REFERENCES `stores`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`source_id`) REFERENCES `request_sources`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`status`) REFERENCES `request_statuses`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `requests_by_deleted` ON `requests` (`is_deleted`);--> statement-breakpoint
CREATE INDEX `requests_by_category` ON `requests` (`is_deleted`,`category`,`availability`);--> statement-breakpoint
CREATE INDEX `requests_by_availability` ON `requests` (`is_deleted`,`availability`);--> statement-breakpoint
CREATE INDEX `requests_by_status` ON `requests` (`is_deleted`,`status`);--> statement-breakpoint
CREATE INDEX `requests_by_store` ON `requests` (`is_deleted`,`store_id`);--> statement-breakpoint
CREATE INDEX `requests_by_date_created` ON `requests` (`is_deleted`,`date_created`);--> statement-breakpoint
CREATE INDEX `requests_by_date_updated` ON `requests` (`is_deleted`,`date_updated`);