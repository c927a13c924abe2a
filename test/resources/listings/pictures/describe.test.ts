/** What is said of pictures: kind, captions and size; by the API, by import, and by cron. */
import { env } from 'cloudflare:workers'
import { texture, toJpeg } from '@estia/photo-codec/testing'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { RED } from '../../../../fixtures/pictures.ts'
import { measurePictures } from '../../../../src/resources/listings/pictures/measure.ts'
import {
  expectError,
  expectInvalid,
  get,
  keyWith,
  ORIGIN,
  post,
  put,
  websiteKey,
} from '../../../support/api.ts'
import { execute, selectAll, selectFirst } from '../../../support/database.ts'
import { seedAgency } from '../../../support/factories/agency.ts'
import { createActive } from '../../../support/factories/listing.ts'
import { expectSameAfterReimport, importLine } from '../../../support/transfer.ts'

const LONG_AGO = '2020-01-01 00:00:00'
const [EL, EN] = [1, 2]

let id = 0
let visitor = ''

beforeAll(async () => {
  await seedAgency()
  visitor = await websiteKey()
})

beforeEach(async () => {
  id = await createActive()
  for (const kind of ['photos', 'panorama-photos'])
    await post(`/api/listings/${id}/${kind}`, { photos: [{ data: RED }, { data: RED }] })
  await backdate()
})

async function backdate(): Promise<void> {
  for (const table of ['listings', 'public_listings'])
    await execute(`update ${table} set date_updated = ? where id = ?`, LONG_AGO, id)
}

const path = (suffix = '') => `/api/listings/${id}/photos${suffix}`
const listed = async (kind = 'photos') => (await get(`/api/listings/${id}/${kind}`)).body.data
const shown = async () => (await get(`/api/listings/${id}`, { key: visitor })).body.data
const listingRow = () =>
  selectFirst<{ version: number; matched_version: number; date_updated: string }>(
    'select version, matched_version, date_updated from listings where id = ?',
    id,
  )
/** Imports a change of the listing; the message if it is refused. */
const line = (data: object) => importLine('listings', { id, ...data })
const text = (language_id: number, caption: string | null) => ({ language_id, caption })

describe('PUT /api/listings/{id}/photos/{ordernum}', () => {
  /** The captions in Greek and in English; none where a text is undefined. */
  const says = (...texts: (string | null | undefined)[]) => ({
    captions: texts.flatMap((caption, at) => (caption === undefined ? [] : text(at + 1, caption))),
  })
  const NONE = undefined

  it.each<[first: object, second: object, then: object]>([
    [{}, { kind: 'floor_plan' }, { kind: 'floor_plan' }],
    [{ kind: 'floor_plan' }, { kind: 'photo' }, {}],
    [{}, says(NONE, 'Kitchen'), says(NONE, 'Kitchen')],
    [
      { kind: 'floor_plan', ...says(NONE, 'Ground floor') },
      says('Ισόγειο'),
      { kind: 'floor_plan', ...says('Ισόγειο', 'Ground floor') },
    ],
    [says('Α', 'A'), says(NONE, 'B'), says('Α', 'B')],
    [says('Α', 'A'), says(null), says(NONE, 'A')],
    [says('Α', 'A'), says(''), says(NONE, 'A')],
    [says('Α'), { captions: null }, {}],
    [says('Α'), says(), says('Α')],
    [says('Α'), {}, says('Α')],
    [{}, says(null), {}],
    [{}, says(NONE, '😀'.repeat(255)), says(NONE, '😀'.repeat(255))],
  ])('%j and then %j', async (first, second, then) => {
    const described = { kind: 'photo', captions: [], ...then }
    const [before, other] = await listed()
    expect((await put(path('/1'), first)).status).toBe(200)
    await backdate()
    const row = await listingRow()
    const was = await listed()
    const reply = await put(path('/1'), second)
    expect(reply.body).toEqual({ status: 200, updated_id: id })
    const now = await listed()
    expect(now).toEqual([{ ...before, ...described }, other])
    const changes = JSON.stringify(now) !== JSON.stringify(was)
    const after = await listingRow()
    expect(after?.version).toBe((row?.version ?? 0) + (changes ? 1 : 0))
    expect(after?.matched_version).toBe(after?.version)
    expect(after?.date_updated === LONG_AGO).toBe(!changes)
    const { photos, date_updated } = await shown()
    expect(photos).toEqual([
      { image: before.original_image, ...described, width: 4, height: 2 },
      { image: other.original_image, kind: 'photo', captions: [], width: 4, height: 2 },
    ])
    expect(date_updated === LONG_AGO).toBe(!changes)
  })

  it('takes captions of panoramas, and no kind', async () => {
    const [first, second] = await listed('panorama-photos')
    const body = { kind: 'floor_plan', captions: [text(EN, 'Hall')] }
    const { status, headers } = await put(`/api/listings/${id}/panorama-photos/2`, body)
    expect([status, headers.get('X-Ignored-Fields')]).toEqual([200, 'kind'])
    expect(await listed('panorama-photos')).toEqual([first, { ...second, captions: [text(EN, 'Hall')] }])
    const { panorama_photos } = await shown()
    expect(panorama_photos.map((panorama: object) => Object.keys(panorama))).toEqual([
      ['image', 'thumb'],
      ['image', 'thumb'],
    ])
  })

  it.each<[unknown, string]>([
    [{ kind: null }, 'Missing kind'],
    [{ captions: [{ caption: 'A' }] }, 'Missing captions.0.language_id'],
    [{ captions: [{ language_id: EN }] }, 'Invalid captions.0.caption: must be text'],
    [{ captions: [text(EN, 'A'), text(99, 'B')] }, 'Unknown captions.1.language_id 99'],
    [{ captions: [text(EN, 'A'), text(EN, 'B')] }, 'Invalid captions: must not name a language twice'],
  ])('%j → 400, and nothing is stored', async (body, message) => {
    const before = [await listed(), await listingRow()]
    await expectInvalid(put(path('/1'), body), message)
    expect([await listed(), await listingRow()]).toEqual(before)
  })

  it('is 404 for an unknown listing or picture, before the body is judged', async () => {
    await expectError(put('/api/listings/99999/photos/1', { kind: 1 }), 404, 'Listing not found')
    for (const number of ['3', '0', '-1', 'x', '1.5'])
      await expectError(put(path(`/${number}`), { kind: 'photo' }), 404, 'Photo not found')
    const key = await keyWith('listings:read')
    expect((await put(path('/1'), {}, { key })).status).toBe(403)
  })

  it('keeps what concurrent calls set', async () => {
    const replies = await Promise.all([
      put(path('/1'), { captions: [text(EL, 'Α')] }),
      put(path('/1'), { captions: [text(EN, 'A')] }),
      put(path('/2'), { kind: 'floor_plan' }),
      put(`/api/listings/${id}`, { price: 5 }),
    ])
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await listed()).toMatchObject([
      { captions: [text(EL, 'Α'), text(EN, 'A')] },
      { kind: 'floor_plan' },
    ])
  })

  it('keeps the description with its picture when pictures are ordered', async () => {
    await put(path('/2'), { kind: 'floor_plan', captions: [text(EN, 'Plan')] })
    const [first, second] = await listed()
    await put(path(), { order: [2, 1] })
    expect(await listed()).toEqual([
      { ...second, ordernum: 1 },
      { ...first, ordernum: 2 },
    ])
  })

  it('bounds the captions of a listing as a whole', async () => {
    const many = JSON.stringify([text(EN, 'x'.repeat(199_990))])
    await execute('update listing_photos set captions = ? where listing_id = ? and ordernum = 2', many, id)
    const message = 'Invalid captions: those of a listing must be at most 200000 bytes in all'
    await expectInvalid(put(path('/1'), { captions: [text(EN, 'A')] }), message)
    expect((await put(path('/2'), { captions: [text(EN, 'A')] })).status).toBe(200)
    expect((await put(path('/1'), { captions: [text(EN, 'A')] })).status).toBe(200)
  })
})

describe('import and export', () => {
  it('carry kind and captions, and keep the sizes of pictures that stay', async () => {
    const [first, second] = await listed()
    const elsewhere = 'https://elsewhere.example/1.jpg'
    const [firstKey, secondKey] = [first, second].map((photo) =>
      photo.original_image.slice(ORIGIN.length + 1),
    )
    const photos = [
      { original_image: secondKey, kind: 'floor_plan', captions: [text(EN, 'Plan'), text(EL, 'Κάτοψη')] },
      { original_image: firstKey, captions: null, kind: null },
      { original_image: elsewhere, captions: [text(EL, null)] },
    ]
    expect(await line({ photos })).toBeNull()
    const imported = { ...first, kind: 'photo', captions: [], watermark_image: null }
    expect(await listed()).toEqual([
      { ...second, ordernum: 1, kind: 'floor_plan', captions: [text(EL, 'Κάτοψη'), text(EN, 'Plan')] },
      { ...imported, ordernum: 2 },
      { ...imported, ordernum: 3, original_image: elsewhere, width: null, height: null },
    ])
    const image = `photos/${'9'.repeat(32)}.jpg`
    await line({ panorama_photos: [{ image, captions: [text(EN, 'Hall')] }] })
    const [exported = ''] = (await expectSameAfterReimport(['listings'])).filter((text) =>
      text.includes(`"id":${id},`),
    )
    const { data } = JSON.parse(exported)
    expect([data.photos, data.panorama_photos]).toEqual([
      [
        {
          original_image: secondKey,
          watermark_image: null,
          kind: 'floor_plan',
          captions: [text(EL, 'Κάτοψη'), text(EN, 'Plan')],
          ...{ width: 4, height: 2 },
        },
        { original_image: firstKey, watermark_image: null, width: 4, height: 2 },
        { original_image: elsewhere, watermark_image: null },
      ],
      [{ image, thumb: null, captions: [text(EN, 'Hall')] }],
    ])
  })

  it.each<[object, string]>([
    [{ photos: [{ kind: 'plan' }] }, 'Invalid photos.0.kind: must be one of photo, floor_plan'],
    [{ photos: [{ captions: [text(99, 'A')] }] }, 'Unknown photos.captions.language_id 99'],
    [
      { panorama_photos: [{ image: 'https://cdn.example/a.jpg', captions: [text(99, 'A')] }] },
      'Unknown panorama_photos.captions.language_id 99',
    ],
    [
      { photos: [{ captions: [text(EN, 'A'), text(EN, 'B')] }] },
      'Invalid photos.0.captions: must not name a language twice',
    ],
  ])('refuses %j', async (data, message) => {
    const before = await listed()
    expect(await line(data)).toBe(message)
    expect(await listed()).toEqual(before)
  })
})

describe('cron', () => {
  const SIZE = { width: 4, height: 2 }
  /** A picture that has no size, and one that is tried again. */
  const [NONE, LATER] = [{ width: 0, height: 0 } as const, { width: null, height: 0 } as const]

  const sizes = (kind = 'photos') =>
    selectAll<{ width: number | null; height: number | null }>(
      `select width, height from ${kind === 'photos' ? 'listing_photos' : 'listing_panoramas'}
      where listing_id = ? order by ordernum`,
      id,
    )

  const forget = async () => {
    for (const table of ['listing_photos', 'listing_panoramas'])
      await execute(`update ${table} set width = null, height = null where listing_id = ?`, id)
    await execute('update listings set version = version + 1, matched_version = version + 1 where id = ?', id)
    await backdate()
  }

  it('notes the sizes of stored pictures, with a new version and no new date', async () => {
    await forget()
    expect((await shown()).photos).toMatchObject([{ width: null }, { width: null }])
    const before = await listingRow()
    const tag = (await get(`/api/listings/${id}`)).headers.get('ETag')
    await measurePictures(env)
    for (const kind of ['photos', 'panorama-photos']) expect(await sizes(kind)).toEqual([SIZE, SIZE])
    expect((await shown()).photos).toMatchObject([SIZE, SIZE])
    const after = await listingRow()
    expect(after?.version).toBeGreaterThan(before?.version ?? 0)
    expect([after?.matched_version, after?.date_updated]).toEqual([after?.version, LONG_AGO])
    expect((await shown()).date_updated).toBe(LONG_AGO)
    expect((await get(`/api/listings/${id}`)).headers.get('ETag')).not.toBe(tag)
  })

  it('moves no date of visitors after a private edit, either', async () => {
    await forget()
    await put(`/api/listings/${id}`, { notes: 'private' })
    expect((await shown()).date_updated).toBe(LONG_AGO)
    await measurePictures(env)
    expect(await shown()).toMatchObject({ date_updated: LONG_AGO, photos: [{ width: 4 }, { width: 4 }] })
  })

  it('gives up on what is no picture of the bucket, once, without a new version', async () => {
    await env.PHOTOS.put(`photos/${'0'.repeat(32)}.jpg`, 'no picture')
    const photos = [
      { original_image: 'https://elsewhere.example/1.jpg' },
      { original_image: `photos/${'0'.repeat(32)}.jpg` },
      { original_image: `photos/${'1'.repeat(32)}.jpg` },
      {},
    ]
    await line({ photos })
    const before = await listingRow()
    await measurePictures(env)
    expect(await sizes()).toEqual([NONE, NONE, LATER, NONE])
    expect(await listingRow()).toEqual(before)
    expect((await listed()).map(({ width }: { width: unknown }) => width)).toEqual([null, null, null, null])
    const read = vi.spyOn(env.PHOTOS, 'get')
    await measurePictures(env)
    expect(read).not.toHaveBeenCalled()
    read.mockRestore()
  })

  it('measures a picture whose file comes later, however long that takes', async () => {
    const keys = [...'abcdef'].map((digit) => `photos/${digit.repeat(32)}.jpg`)
    await line({ photos: keys.map((original_image) => ({ original_image })) })
    for (let run = 0; run < 5; run++) await measurePictures(env)
    expect(new Set((await sizes()).map(({ width }) => width))).toEqual(new Set([null]))
    for (const key of keys) await env.PHOTOS.put(key, await toJpeg(texture(40, 30)))
    for (let run = 0; run < 5; run++) await measurePictures(env)
    expect(await sizes()).toEqual(keys.map(() => ({ width: 40, height: 30 })))
  })

  it('reads the first 64 KB of each file, and notes with 0 what has no size there', async () => {
    const jpeg = await toJpeg(texture(40, 30))
    const comment = new Uint8Array(64_000)
    comment.set([0xff, 0xfe, (63_998 >> 8) & 255, 63_998 & 255])
    const long = (comments: number) =>
      new Uint8Array([
        ...jpeg.slice(0, 2),
        ...Array(comments)
          .fill([...comment])
          .flat(),
        ...jpeg.slice(2),
      ])
    const keys = [1, 2, 3, 4].map((digit) => `photos/${String(digit).repeat(32)}.jpg`)
    const files = [long(1), long(2), new Uint8Array(0), new Uint8Array(20_000_000)]
    for (const [index, key] of keys.entries()) await env.PHOTOS.put(key, files[index] ?? '')
    await line({ photos: keys.map((original_image) => ({ original_image })) })
    const read = vi.spyOn(env.PHOTOS, 'get')
    for (let run = 0; run < 3; run++) await measurePictures(env)
    expect(await sizes()).toEqual([{ width: 40, height: 30 }, NONE, NONE, NONE])
    const calls = read.mock.calls
    expect(new Set(calls.map(([key]) => key)).size).toBe(4)
    for (const [, options] of calls) expect(options).toEqual({ range: { offset: 0, length: 65_536 } })
    read.mockRestore()
  })

  it('begins a run with other pictures than the one during which a run died, which is tried once more', async () => {
    await forget()
    const read = vi.spyOn(env.PHOTOS, 'get').mockImplementation(() => new Promise(() => undefined) as never)
    // Nothing comes back, as if the Worker had been cut off.
    const died = await Promise.race([measurePictures(env, 1), scheduler.wait(500).then(() => 'died')])
    expect(died).toBe('died')
    const [first] = read.mock.calls.map(([key]) => key)
    expect(await sizes()).toContainEqual(LATER)
    read.mockClear()
    await Promise.race([measurePictures(env, 1), scheduler.wait(500)])
    const [second] = read.mock.calls.map(([key]) => key)
    expect(second).not.toBe(first)
    read.mockClear()
    // By now each has been tried once. The last attempt is noted before it begins.
    await Promise.race([measurePictures(env, 1), scheduler.wait(500)])
    const [third] = read.mock.calls.map(([key]) => key)
    expect([first, second]).toContain(third)
    expect(await sizes()).toContainEqual(NONE)
    read.mockRestore()
    await measurePictures(env, 1)
    expect(new Set((await sizes()).map(({ width }) => width))).toEqual(new Set([0, 4]))
    const again = vi.spyOn(env.PHOTOS, 'get')
    await measurePictures(env)
    expect(again.mock.calls.filter(([key]) => key === third)).toEqual([])
    again.mockRestore()
  })

  it('tries again when the bucket fails', async () => {
    await forget()
    vi.spyOn(env.PHOTOS, 'get').mockRejectedValue(new Error('R2 is away'))
    vi.spyOn(env.PHOTOS, 'head').mockRejectedValue(new Error('R2 is away'))
    await measurePictures(env)
    // It is tried a second time, and is no less unmeasured than before.
    await measurePictures(env)
    vi.restoreAllMocks()
    expect(await sizes()).toEqual([LATER, LATER])
    await measurePictures(env)
    expect(await sizes()).toMatchObject([{ width: 4 }, { width: 4 }])
  })

  it('tries again when the bucket fails for a moment, at the last attempt, too', async () => {
    await forget()
    for (let run = 0; run < 2; run++) {
      vi.spyOn(env.PHOTOS, 'get').mockRejectedValue(new Error('R2 is away'))
      await measurePictures(env)
      vi.restoreAllMocks()
    }
    await measurePictures(env)
    expect(await sizes()).toMatchObject([{ width: 4 }, { width: 4 }])
  })

  it('does not note the size of a picture that has been replaced meanwhile', async () => {
    await forget()
    const file = await env.PHOTOS.get((await listed())[0].original_image.slice(ORIGIN.length + 1))
    expect(file).not.toBeNull()
    const read = vi.spyOn(env.PHOTOS, 'get').mockImplementationOnce(async () => {
      await line({ photos: [{ original_image: 'https://elsewhere.example/2.jpg' }] })
      return file as never
    })
    await measurePictures(env, 1)
    read.mockRestore()
    expect(await sizes()).toEqual([{ width: null, height: null }])
  })
})
