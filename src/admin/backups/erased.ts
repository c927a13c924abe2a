/**
 * The list of the erased: contacts that were erased since a backup, which a restore has to erase again. It lies in the bucket
 * of the backups as `erased.json`. An entry never leaves the file: a new deployment has none of them, and must not empty it.
 */
import { z } from 'zod'
import { type Database, database, runStatement } from '../../db/client.ts'
import { selectErased } from '../people/erase.ts'

/** A contact that was erased. */
export const erasedContact = z
  .object({
    id: z.int().describe('Id of the contact'),
    date: z.string().describe('When it was erased'),
    also: z
      .array(
        z.object({ resource: z.string().describe('The resource'), id: z.int().describe('Id of the record') }),
      )
      .optional()
      .describe('Records that were erased with it, and that a backup may have without a link'),
  })
  .meta({ id: 'ErasedContact', description: 'A contact that was erased' })

export type ErasedContact = z.output<typeof erasedContact>

const KEY = 'erased.json'

/** The erased contacts of a database. */
async function listErased(db: Database): Promise<ErasedContact[]> {
  return runStatement(db, selectErased())
}

/** The erased contacts that the bucket and the database name, by id, and when the file was last written. */
export async function readErased(env: Env): Promise<{ erased: ErasedContact[]; stored: Date | null }> {
  const object = await env.BACKUPS?.get(KEY)
  const stored = object ? z.array(erasedContact).parse(await object.json()) : []
  const byId = new Map<number, ErasedContact>()
  for (const entry of [...stored, ...(await listErased(database(env)))]) {
    // The first date of a contact stays, as a restore erases it once more.
    const { id, date, also = [] } = byId.get(entry.id) ?? entry
    const known = new Map([...also, ...(entry.also ?? [])].map((one) => [`${one.resource} ${one.id}`, one]))
    byId.set(id, { id, date, ...(known.size > 0 ? { also: [...known.values()] } : {}) })
  }
  return { erased: [...byId.values()].toSorted((a, b) => a.id - b.id), stored: object?.uploaded ?? null }
}

/** Adds the erased contacts of the database to the file. */
export async function storeErased(env: Env): Promise<void> {
  const { erased } = await readErased(env)
  await env.BACKUPS?.put(KEY, JSON.stringify(erased), {
    httpMetadata: { contentType: 'application/json' },
  })
}
