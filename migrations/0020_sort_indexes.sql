CREATE INDEX `contacts_by_date_converted` ON `contacts` (`is_deleted`,`date_converted_to_client`);--> statement-breakpoint
CREATE INDEX `expenses_by_date_updated` ON `expenses` (`date_updated`);--> statement-breakpoint
CREATE INDEX `incomes_by_date_updated` ON `incomes` (`date_updated`);--> statement-breakpoint
CREATE INDEX `knowledge_base_articles_by_date_updated` ON `knowledge_base_articles` (`date_updated`);--> statement-breakpoint
CREATE INDEX `contracts_by_date_updated` ON `contracts` (`date_updated`);--> statement-breakpoint
CREATE INDEX `contracts_by_deposit_date` ON `contracts` (`deposit_date`);