import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { RED } from '../../../../fixtures/pictures.ts'
import { database, runStatement } from '../../../../src/db/client.ts'
import form from '../../../../src/http/concurrency/representations.json' with { type: 'json' }
import { publicUrlUnder } from '../../../../src/http/urls.ts'
import {
  compactListing,
  expandListing,
  LACKS_TEXTS,
} from '../../../../src/resources/listings/documents/compact.ts'
import { presentListing } from '../../../../src/resources/listings/present.ts'
import { selectListing, selectListings } from '../../../../src/resources/listings/queries.ts'
import { send, silenceLog } from '../../../http/send.ts'
import { get, keyWith, ORIGIN, post, put } from '../../../support/api.ts'
import { databaseAround, execute, watching, whileBroken } from '../../../support/database.ts'
import { seedAgency } from '../../../support/factories/agency.ts'
import { createListing, readListing } from '../../../support/factories/listing.ts'
import { idsOf } from '../../../support/reads.ts'
import { runs } from '../../../support/runs.ts'
import { rowsOf, step, take, text } from '../steps.ts'

beforeAll(seedAgency)

/** A listing as it is presented from its row, its keys in their order. */
async function presentAnew(id: number): Promise<string> {
  const [row] = await runStatement(database(env), selectListing({ id }))
  return row ? JSON.stringify(presentListing(row, publicUrlUnder(ORIGIN), false)) : ''
}

const readAsText = async (id: number) => JSON.stringify(await readListing(id))

/** Reads a listing so that its document is stored. */
async function readTwice(id: number): Promise<void> {
  for (let times = 0; times < 2; times++) await readListing(id)
}

/** The listing as the list has it. */
const readListed = async (id: number) =>
  (await get('/api/listings')).body.data.find((listing: { id: number }) => listing.id === id)

const storedOf = (id: number) => rowsOf(`select * from listing_documents where listing_id = ${id}`)

/** Makes what is stored of a listing tell that it was served. */
const mark = (id: number) =>
  execute(
    `update listing_documents set document = replace(document, '"sale"', '"rent"') where listing_id = ?`,
    id,
  )

/** Asks for `path`; gives the answer, and the SQL that it took. */
async function readTold(path: string) {
  const headers = { Authorization: `Bearer ${await keyWith('listings:read')}` }
  const texts: string[] = []
  const DB = watching((text) => texts.push(text))
  return { answer: await send('GET', path, { headers }, { DB }), texts }
}

describe('the document of a listing', () => {
  it('is stored when a version is read again, and served from then on', async () => {
    const id = await createListing()
    await readListing(id)
    await put(`/api/listings/${id}`, { price: 4 })
    await readListing(id)
    expect(await storedOf(id)).toEqual([])
    expect(await readAsText(id)).toBe(await presentAnew(id))
    expect(await storedOf(id)).toEqual([
      { listing_id: id, version: 2, form, renames: expect.any(Number), document: expect.any(String) },
    ])
    await mark(id)
    expect((await readListing(id)).availability).toBe('rent')
    expect(await readListed(id)).toMatchObject({ availability: 'rent' })
    expect((await get(`/api/listings/${id}?fields=all`)).body.data.availability).toBe('sale')
  })

  it('is not served to code that presents listings in another form', async () => {
    const id = await createListing()
    await readTwice(id)
    await mark(id)
    await execute(`update listing_documents set form = 'other'`)
    expect(await readAsText(id)).toBe(await presentAnew(id))
    expect((await readListing(id)).availability).toBe('sale')
    expect(await storedOf(id)).toHaveLength(1)
  })

  it.each([
    ['one', (id: number) => `/api/listings/${id}`],
    ['a page', () => '/api/listings'],
  ])('takes one round trip before the answer where it is missing, and one after it: %s', async (_, path) => {
    const id = await createListing()
    const kept = await createListing()
    await get('/api/listings')
    await readListing(kept)
    await execute('delete from listing_documents where listing_id <> ?', kept)
    const { answer, texts } = await readTold(path(id))
    const { data } = (await answer.json()) as { data: { id: number } | { id: number }[] }
    for (const listing of [data].flat()) expect(JSON.stringify(listing)).toBe(await presentAnew(listing.id))
    await vi.waitFor(async () => expect(await storedOf(id)).toHaveLength(1))
    // The write may come before the answer has arrived here.
    expect(texts.map((text) => text.includes('insert into listing_documents'))).toEqual([false, true])
  })

  it('is stored together with those that other calls make meanwhile', async () => {
    const ids = [await createListing(), await createListing(), await createListing()]
    await get('/api/listings')
    const reads = await Promise.all(ids.map((id) => readTold(`/api/listings/${id}`)))
    await vi.waitFor(async () => {
      for (const id of ids) expect(await storedOf(id)).toHaveLength(1)
    })
    expect(reads.flatMap(({ texts }) => texts).filter((text) => text.startsWith('insert'))).toHaveLength(1)
  })

  it('holds every digit of a number', async () => {
    const id = await createListing()
    const double = fc.double({ noNaN: true, noDefaultInfinity: true })
    const quotient = fc.integer().map((value) => value / 7919)
    const store = env.DB.prepare(
      'update listings set latitude = ?, floor = ?, version = version + 1 where id = ?',
    )
    await fc.assert(
      fc.asyncProperty(quotient, fc.oneof(double, quotient), async (...numbers) => {
        await store.bind(...numbers, id).run()
        await readListing(id)
        const listed = (await get('/api/listings')).body.data
        // JSON has one zero.
        for (const { location, floor } of [await readListing(id), listed[0]])
          expect([location.latitude, floor].map(String)).toEqual(numbers.map(String))
      }),
      {
        numRuns: runs(40),
        examples: [
          [37.97534218762341, 0.1 + 0.2],
          [-2.5232829815872647e-8, 9.606788322937627e141],
        ],
      },
    )
    await store.bind(0, 0, id).run()
  })

  it('never takes the place of a newer one, however late it comes', async () => {
    const id = await createListing()
    await readListing(id)
    const DB = databaseAround(async (send, [text = '']) => {
      if (text.startsWith('insert into listing_documents')) await put(`/api/listings/${id}`, { price: 7 })
      return send()
    })
    const late = await get(`/api/listings/${id}`, { bindings: { DB } })
    expect(late.body.data).toMatchObject({ price: null })
    expect(await storedOf(id)).toEqual([])
    await readTwice(id)
    expect(await storedOf(id)).toMatchObject([{ version: 2, document: expect.stringContaining('\t7\t') }])
  })

  it('does not fail the answer when it cannot be stored', async () => {
    const id = await createListing()
    const lines = silenceLog()
    await whileBroken('insert on listing_documents', async () => {
      await readListing(id)
      expect(await readAsText(id)).toBe(await presentAnew(id))
    })
    expect(lines.filter((line) => line.includes('storing documents of listings'))).toHaveLength(1)
    expect(await storedOf(id)).toEqual([])
  })

  it('is stored without long texts, which are read from their own rows', async () => {
    const id = await createListing()
    const characters = Array.from({ length: 0x3ff }, (_, code) => String.fromCodePoint(code + 1)).join('')
    const long = `${characters}\u2028\ufeff\uffff😀"\\u0041</script>${'ω'.repeat(1000)}`
    await execute(
      `insert into listing_translations (listing_id, language_id, title, description)
        select ?1, id, iif(id = 1, ?2, null), ?2 from languages`,
      ...[id, long],
    )
    for (let times = 0; times < 2; times++) {
      expect(await readAsText(id)).toBe(await presentAnew(id))
      expect(JSON.stringify(await readListed(id))).toBe(await presentAnew(id))
      const { document } = (await storedOf(id))[0] as { document: string }
      expect([document[0], document.length < 1500]).toEqual([LACKS_TEXTS, true])
    }
  })

  it('is never made of a listing that is too large for one value of D1', async () => {
    const id = await createListing()
    const other = await createListing()
    const text = 'x'.repeat(1_200_000)
    await execute('update listings set floor_configuration = ? where id = ?', JSON.stringify([{ text }]), id)
    await execute(
      'insert into listing_translations (listing_id, language_id, description) values (?, 1, ?)',
      id,
      text,
    )
    expect(await readAsText(id)).toBe(await presentAnew(id))
    const { data, total_results } = (await get('/api/listings')).body
    expect(idsOf({ data: data.slice(0, 2) })).toEqual([other, id])
    expect(JSON.stringify(data[1])).toBe(await presentAnew(id))
    expect(total_results).toBeGreaterThan(1)
    await execute('delete from listing_translations where listing_id = ?', id)
  })

  it('has pictures, and nothing else, under a base of their own', async () => {
    const id = await createListing()
    await post(`/api/listings/${id}/photos`, { photos: [{ data: RED }] })
    await post(`/api/listings/${id}/panorama-photos`, { photos: [{ data: RED }] })
    const headers = { Authorization: `Bearer ${await keyWith('listings:read')}` }
    const read = async (path: string, changes: Partial<Env> = {}) => {
      const answer = await send('GET', path, { headers }, changes)
      return { text: await answer.text(), tag: answer.headers.get('ETag') }
    }
    for (const path of ['', '?fields=all', '/photos'].map((end) => `/api/listings/${id}${end}`)) {
      const plain = await read(path)
      const other = await read(path, { PICTURES_BASE_URL: 'https://pictures.example/$&/' })
      expect(plain.text).toContain(`"${ORIGIN}/photos/`)
      expect(other.text).toBe(
        plain.text.replaceAll(`"${ORIGIN}/photos/`, () => '"https://pictures.example/$&/photos/'),
      )
      if (plain.tag) expect(other.tag).not.toBe(plain.tag)
    }
    const { text } = await read(`/api/listings/${id}`, { PICTURES_BASE_URL: 'https://pictures.example' })
    expect(JSON.parse(text).data.panorama_tour_url).toMatch(new RegExp(`^${ORIGIN}/tours/`))
  })
})

describe('what is read', () => {
  it('a stored document equals a newly presented listing after random writes', {
    tags: 'slow',
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), async (steps) => {
        for (const action of steps) await take(action)
        // Once from what is stored or made, once from what was stored by that.
        for (let times = 0; times < 2; times++) {
          const listed = (await get('/api/listings')).body.data as { id: number }[]
          for (const listing of listed.slice(0, 12)) {
            const fresh = await presentAnew(listing.id)
            expect(JSON.stringify(listing)).toBe(fresh)
            expect(await readAsText(listing.id)).toBe(fresh)
          }
        }
      }),
      { numRuns: 12, interruptAfterTimeLimit: 40_000 },
    )
  })

  it('is whole again when it was made compact', async () => {
    const [row] = await runStatement(database(env), selectListings(sql`limit 1`))
    if (!row) throw new Error('No listing is stored')
    fc.assert(
      fc.property(text, text, (notes, url) => {
        const photos = [{ original_image: `photos/${url}`, watermark_image: `https://x.example/${url}` }]
        const changed = { ...row, notes, photos, floor_configuration: [{ [notes]: null }, {}] }
        const whole = JSON.stringify(presentListing(changed, publicUrlUnder(ORIGIN), false))
        expect(expandListing(compactListing(changed), publicUrlUnder(ORIGIN))).toBe(whole)
      }),
    )
  })
})
