/**
 * Changes of API keys. D1 adds one to the others, because KV may show for a minute what it had before, and a change that was
 * added to that would undo another. Then the sum goes to KV, which calls read.
 */
import { type Database, database, runStatement } from '../../db/client.ts'
import { textStatement } from '../../db/statements.ts'
import { withoutUndefined } from '../../fields/values.ts'
import type { KeyChanges } from '../../http/caller/key-cache.ts'
import { type StoredKey, storeChanges } from '../../http/caller/stored-keys.ts'

/** How often the changes are stored again in KV when other calls have changed the key meanwhile. */
const MAX_ATTEMPTS = 5

/** Changes a key: immediately in this isolate, within a minute in others. */
export async function changeKey(env: Env, stored: StoredKey, more: KeyChanges): Promise<void> {
  const db = database(env)
  let sum = await addChanges(db, stored, more)
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    await storeChanges(env.API_KEYS, stored, JSON.parse(sum))
    // Another call may have added to them, and been faster in KV.
    const [newest] = await runStatement(db, selectChanges(stored.key.id))
    if (!newest || newest.changes === sum) return
    sum = newest.changes
  }
}

/** Adds to the changes of a key in D1, or to those of KV if D1 has none, and returns all of them as JSON. */
async function addChanges(db: Database, { key, changes }: StoredKey, more: KeyChanges): Promise<string> {
  const values = Object.entries(withoutUndefined(more)).flatMap(([name, value]) => [
    `$.${name}`,
    JSON.stringify(value),
  ])
  const added = values
    .map((_, index) => (index % 2 === 0 ? `, ?${index + 3}` : `, json(?${index + 3})`))
    .join('')
  const [row] = await runStatement(
    db,
    textStatement<{ changes: string }>(
      `insert into key_changes (id, changes) values (?1, json_set(?2${added}))
      on conflict (id) do update set changes = json_set(changes${added}) returning changes`,
      [key.id, JSON.stringify(changes), ...values],
    ),
  )
  if (!row) throw new Error('D1 has returned no row')
  return row.changes
}

const selectChanges = (id: string) =>
  textStatement<{ changes: string }>('select changes from key_changes where id = ?', [id])

/** Removes the changes of a key that is to be revoked. */
export async function forgetChanges(db: Database, id: string): Promise<void> {
  await runStatement(db, textStatement('delete from key_changes where id = ?', [id]))
}
