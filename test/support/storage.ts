/** Empties the storage of the tests. */
import { reset } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { notedMigrations } from '../../tools/runtime/migrations.ts'
import { resetDefaultKey } from './api.ts'

/** How often emptying is repeated when work of an earlier test still writes to the storage. */
const ATTEMPTS = 5

/** Empties database, bucket and keys, and creates the tables. One batch, as each costs a transaction. */
export async function emptyService(): Promise<void> {
  const statements = [...env.SCHEMA, ...notedMigrations(env.MIGRATIONS.map(({ name }) => name))]
  for (let attempt = 1; ; attempt++) {
    await reset()
    try {
      await env.DB.batch(statements.map((query) => env.DB.prepare(query)))
      break
    } catch (error) {
      if (attempt === ATTEMPTS) throw error
    }
  }
  resetDefaultKey()
}
