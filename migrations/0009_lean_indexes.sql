DROP INDEX `knowledge_base_files_by_url`;--> statement-breakpoint
DROP INDEX `listing_contacts_by_contact`;--> statement-breakpoint
DROP INDEX `listing_tag_links_by_tag`;--> statement-breakpoint
DROP INDEX `listing_users_by_user`;--> statement-breakpoint
DROP INDEX `listings_by_code`;--> statement-breakpoint
DROP INDEX `listings_by_tour_token`;--> statement-breakpoint
DROP INDEX `listings_by_subcategory`;--> statement-breakpoint
DROP INDEX `listings_by_subtype`;--> statement-breakpoint
CREATE UNIQUE INDEX `listings_with_code` ON `listings` (`code`) WHERE code is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `listings_with_tour` ON `listings` (`tour_token`) WHERE tour_token is not null;--> statement-breakpoint
CREATE INDEX `listings_with_subcategory` ON `listings` (`subcategory`,`category`,`status`,`availability`) WHERE subcategory is not null;--> statement-breakpoint
CREATE INDEX `listings_with_subtype` ON `listings` (`subtype`,`subcategory`,`category`,`status`,`availability`) WHERE subtype is not null;