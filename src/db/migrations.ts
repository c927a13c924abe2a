/** Whether the database has the migrations that the code needs. The build puts drizzle-kit's list of them into the bundle. */
import journal from '../../migrations/meta/_journal.json' with { type: 'json' }
import { type Database, runStatement } from './client.ts'
import { messagesOfD1 } from './errors.ts'
import { type Statement, textStatement } from './statements.ts'

/** The newest migration that the code needs, as wrangler names it. */
export const NEWEST_MIGRATION = `${journal.entries.at(-1)?.tag}.sql`

/** Whether a migration is missing; further ones do no harm. Reads one row of the table in which wrangler notes them. */
export async function isSchemaBehind(db: Database): Promise<boolean> {
  const statement = textStatement('select 1 from d1_migrations where name = ?', [NEWEST_MIGRATION])
  try {
    return (await runStatement(db, statement)).length === 0
  } catch (error) {
    if (messagesOfD1(error).some((message) => message.includes('no such table'))) return true
    throw error
  }
}

/** The statement that reads the migration that was applied last. */
export const SELECT_NEWEST_APPLIED: Statement<{ name: string }> = textStatement(
  'select name from d1_migrations order by id desc limit 1',
)
