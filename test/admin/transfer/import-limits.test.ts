// @module-tag slow
import { beforeEach, describe, expect, it } from 'vitest'
import { bearer, send } from '../../http/send.ts'
import { ADMIN_TOKEN, importRecords, textOf } from '../../support/api.ts'
import { selectAll } from '../../support/database.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import { minimalListing } from '../../support/factories/listing.ts'
import { emptyAndSeed, emptyService } from '../../support/storage.ts'
import { importText, withProblems } from '../../support/transfer.ts'

beforeEach(() => emptyAndSeed(seedAgency))

const store = (id: number, rest = '') => `{"entity":"stores","data":{"id":${id},"name":"S"${rest}}}`
const manyKeys = (count: number) => Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',')
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

describe('a line', () => {
  const tooMany = 'Too large: a line has at most 400000 values'

  it.each<[string, string, string]>([
    ['of 600,000 unknown keys', store(80, `,${manyKeys(600_000)}`), tooMany],
    ['of a list without end', store(80, `,"u":[${'1,'.repeat(3_900_000)}1]`), tooMany],
    ['with keys beside its data', `{${manyKeys(600_000)},"entity":"stores","data":{"id":80}}`, tooMany],
    ['nested 65 deep', store(80, `,"u":${nested(63)}`), 'Invalid JSON'],
    ['nested without end', store(80, `,"u":${nested(3_900_000)}`), 'Invalid JSON'],
  ])('%s is refused alone', async (_, line, message) => {
    const { accepted, errors } = await importText([store(81), line, store(82)].join('\n'))
    expect({ accepted, errors }).toEqual({
      accepted: 2,
      errors: withProblems([{ line: 2, entity: null, id: null, message }]),
    })
    const results = await selectAll('select id from stores where id >= 80')
    expect(results).toEqual([{ id: 81 }, { id: 82 }])
  })

  it('nested 64 deep is accepted', async () => {
    const { accepted, ignored } = await importText(store(80, `,"u":${nested(62)}`))
    expect({ accepted, ignored }).toEqual({ accepted: 1, ignored: [{ line: 1, fields: ['u'] }] })
  })

  it('names 20 of its unknown keys, those of groups and lists too', async () => {
    const line = {
      entity: 'listings',
      data: {
        ...minimalListing,
        id: 50,
        colour: 1,
        location: { planet: 1 },
        translations: [{ language_id: 1, title: 'T', tone: 1 }],
        ...Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`k${index}`, 1])),
      },
    }
    const few = { ...line, data: { ...line.data } }
    for (let index = 0; index < 30; index++) delete (few.data as Record<string, unknown>)[`k${index}`]
    const { ignored } = await importText(JSON.stringify(few))
    expect(ignored).toEqual([{ line: 1, fields: ['colour', 'location.planet', 'translations.0.tone'] }])
    const { ignored: many } = await importText(JSON.stringify(line))
    expect(many[0]?.fields).toHaveLength(20)
  })
})

describe('captions in a line', () => {
  const captioned = (pictures: number, caption: string, language_id = 1) =>
    Array.from({ length: pictures }, (_, index) => ({
      original_image: `photos/${String(index).padStart(32, '0')}.jpg`,
      image: `photos/${String(index).padStart(32, '0')}.jpg`,
      captions: [{ language_id, caption }],
    }))
  // With 255 letters, the captions of a picture are 287 bytes of JSON.
  const most = captioned(696, 'x'.repeat(255))
  const tooMany = captioned(697, 'x'.repeat(255))
  const bound = 'must have captions of at most 200000 bytes in all'

  it.each(['photos', 'panorama_photos'])('are bound as those of the API are: %s', async (key) => {
    const line = (pictures: unknown) =>
      JSON.stringify({ entity: 'listings', data: { ...minimalListing, id: 50, [key]: pictures } })
    const bare = Array.from({ length: 5000 }, (_, index) => ({ image: `https://cdn.example/${index}.jpg` }))
    for (const pictures of [most, captioned(2, ''), key === 'photos' ? most : [...most, ...bare]]) {
      expect(await importText(line(pictures))).toMatchObject({ accepted: 1, errors: [] })
    }
    const twice = [{ ...most[0], captions: [...(most[0]?.captions ?? []), ...(most[0]?.captions ?? [])] }]
    for (const [pictures, message] of [
      [tooMany, `Invalid ${key}: ${bound}`],
      [captioned(1000, 'ω'.repeat(255)), `Invalid ${key}: ${bound}`],
      [captioned(1, 'x', 99), `Unknown ${key}.captions.language_id 99`],
      [twice, `Invalid ${key}.0.captions: must not name a language twice`],
      [new Array(10_001).fill(null), `Invalid ${key}: must have at most 10000 entries`],
      [[null], `Invalid ${key}.0: must be an object`],
    ] as const) {
      const { accepted, errors } = await importText(line(pictures))
      expect({ accepted, messages: errors.map(({ message: found }: { message: string }) => found) }).toEqual({
        accepted: 0,
        messages: [message],
      })
    }
  })
})

it('The widest listing that can be stored fits a line', async () => {
  const floor_configuration = [{ rooms: Array.from({ length: 249_000 }, () => 1) }]
  const photos = Array.from({ length: 10_000 }, (_, index) => ({
    original_image: `photos/${String(index).padStart(32, '0')}.jpg`,
  }))
  const panoramas = Array.from({ length: 10_000 }, (_, index) => ({
    image: `photos/${String(index).padStart(32, '0')}.jpg`,
  }))
  const data = { ...minimalListing, id: 50, floor_configuration, photos, panorama_photos: panoramas }
  await importRecords([['listings', data]])
  const answer = await send('GET', '/admin/export', { headers: bearer(ADMIN_TOKEN) })
  const text = await textOf(answer)
  await emptyService()
  expect(await importText(text)).toMatchObject({ rejected: 0, errors: [] })
})
