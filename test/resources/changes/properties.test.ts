/**
 * A reader that follows the feed, while others write at random, comes to hold exactly what a full read gives.
 *
 * @module-tag slow
 */
import { env } from 'cloudflare:workers'
import { seeded } from '@estia/photo-codec/fixtures/random'
import { beforeEach, expect, it } from 'vitest'
import { database } from '../../../src/db/client.ts'
import { matchUnmatched } from '../../../src/resources/matching/run.ts'
import { get, type Reply } from '../../support/api.ts'
import { selectAll } from '../../support/database.ts'
import { emptyAndSeed } from '../../support/storage.ts'
import { readFeed } from './feed.ts'
import { seedWrites, TABLES, write } from './random-writes.ts'

const WRITERS = 4
const WRITES = 40
beforeEach(() => emptyAndSeed(seedWrites))

/** What a copy holds of a record; null where there is none. Of matches, which and how well they fit. */
function copyOf(resource: string, { status, body }: Reply): unknown {
  if (status === 404) return null
  expect(status).toBe(200)
  if (resource === 'listings' && body.data.status === 'deleted') return null
  if (resource !== 'matches') return body.data
  const pairs = body.data.map(({ id, score }: { id: number; score: number }) => [id, score])
  return pairs.length > 0 ? pairs : null
}

const read = async (resource: string, id: number) =>
  copyOf(
    resource,
    await get(resource === 'matches' ? `/api/requests/${id}/matches` : `/api/${resource}/${id}`),
  )

/** A reader with a copy, that stores its cursor after each page. */
class Reader {
  readonly copy = new Map<string, unknown>()
  private cursor: string | undefined
  private readonly resources: string | undefined

  constructor(resources?: string) {
    this.resources = resources
  }

  /** Reads one page; whether there is more. */
  async turn(): Promise<boolean> {
    const { data, next, more } = await readFeed({
      limit: 3,
      ...(this.cursor ? { after: this.cursor } : {}),
      ...(this.resources ? { resources: this.resources } : {}),
    })
    for (const { resource, id, change } of data) {
      // Lookups are in the feed, too.
      if (!(resource in TABLES) && resource !== 'matches') continue
      const record = change === 'deleted' ? null : await read(resource, id)
      if (record === null) this.copy.delete(`${resource} ${id}`)
      else this.copy.set(`${resource} ${id}`, record)
    }
    this.cursor = next
    return more
  }
}

async function readEverything(): Promise<Map<string, unknown>> {
  const all = new Map<string, unknown>()
  for (const [resource, table] of [...Object.entries(TABLES), ['matches', 'requests'] as const]) {
    const results = await selectAll<{ id: number }>(`select id from ${table}`)
    for (const { id } of results) {
      const record = await read(resource, id)
      if (record !== null) all.set(`${resource} ${id}`, record)
    }
  }
  return all
}

it.each([1, 2])('whoever writes what, with seed %i', { timeout: 100_000 }, async (seed) => {
  const [whole, part] = [new Reader(), new Reader('contacts,matches')]
  const readers = [whole, part]
  let writing = WRITERS
  const writers = Array.from({ length: WRITERS }, async (_, index) => {
    const random = seeded(seed * 100 + index)
    try {
      for (let count = 0; count < WRITES; count++) await write(random)
    } finally {
      writing--
    }
  })
  const following = readers.map(async (reader) => {
    while (writing > 0) {
      await reader.turn()
    }
    await matchUnmatched(database(env))
    while (await reader.turn());
  })
  await Promise.all([...writers, ...following])
  for (const reader of readers) while (await reader.turn());
  const all = await readEverything()
  expect(all.size).toBeGreaterThan(20)
  const sorted = (copy: Map<string, unknown>) => Object.fromEntries([...copy].toSorted())
  expect(sorted(whole.copy)).toEqual(sorted(all))
  const some = [...all].filter(([record]) => /^(contacts|matches) /.test(record))
  expect(sorted(part.copy)).toEqual(sorted(new Map(some)))
})
