// @module-tag slow
import { expect, it } from 'vitest'
import { seeded } from '../../../fixtures/random.ts'
import { seedWrites, TABLES, write } from '../../resources/changes/random-writes.ts'
import { importRecords, keyWith } from '../../support/api.ts'
import { selectAll } from '../../support/database.ts'
import { emptyService } from '../../support/storage.ts'
import { bearer, send } from '../send.ts'

const WRITES = 40

let key = ''

/** A reply as it is: unlike in other tests, its schema is not checked. */
async function read(path: string) {
  const answer = await send('GET', path, { headers: bearer(key) })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

/** Every record in both representations: tag and body of the reply. */
async function readEverything(): Promise<Map<string, { tag: string | null; text: string }>> {
  const all = new Map<string, { tag: string | null; text: string }>()
  for (const [resource, table] of Object.entries(TABLES)) {
    const results = await selectAll<{ id: number }>(`select id from ${table}`)
    for (const path of results.flatMap(({ id }) => [
      `/api/${resource}/${id}`,
      `/api/${resource}/${id}?fields=all`,
    ])) {
      const { status, headers, text } = await read(path)
      expect(headers.has('ETag'), path).toBe(status === 200)
      if (status === 200) all.set(path, { tag: headers.get('ETag'), text })
    }
  }
  return all
}

it.each([1, 2])('with seed %i', { timeout: 100_000 }, async (seed) => {
  await emptyService()
  await seedWrites()
  key = await keyWith('*:read')
  const random = seeded(seed)
  let changes = 0
  /** The body of each tag of each path. */
  const sent = new Map<string, string>()
  let before = await readEverything()
  for (let count = 0; count < WRITES; count++) {
    if (random.int(0, 9) > 0) await write(random)
    else
      await importRecords([['locations', { id: random.pick([1, 2, 11]), name_en: `N${random.int(0, 2)}` }]])
    const after = await readEverything()
    for (const [path, { tag, text }] of after) {
      const known = sent.get(`${path} ${tag}`)
      if (known !== undefined) expect(text, path).toBe(known)
      sent.set(`${path} ${tag}`, text)
      const old = before.get(path)
      if (!old || old.tag === tag) continue
      changes++
      // The tag of a listing may change although it shows none of the renamed places.
      if (!path.startsWith('/api/listings/')) expect(text, path).not.toBe(old.text)
    }
    before = after
  }
  expect(changes).toBeGreaterThan(5)
})
