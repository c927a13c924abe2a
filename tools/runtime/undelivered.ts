/** Changes that no write delivers: webhooks get them when cron runs. */
import type { AgencyService } from './agency.ts'

/** Stores `count` contacts directly in the database, so that no write triggers a delivery. Requires user 1. */
export async function writeWithoutDelivery({ miniflare }: AgencyService, count: number): Promise<void> {
  const db = await miniflare.getD1Database('DB')
  await db
    .prepare(
      `insert into contacts (first_name, created_by, date_created, date_updated)
      select 'Quiet', 1, datetime('now'), datetime('now') from json_each(?)`,
    )
    .bind(JSON.stringify(Array.from({ length: count }, () => 1)))
    .run()
}
