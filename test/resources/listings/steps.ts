/** Random steps in the life of listings: writes of every kind, and reads between them. */
import fc from 'fast-check'
import { expect } from 'vitest'
import { RED } from '../../../fixtures/pictures.ts'
import { IS_PUBLIC, PUBLIC_COLUMNS } from '../../../src/resources/listings/public/shown.ts'
import { get, importRecords, post, put, remove } from '../../support/api.ts'
import { selectAll } from '../../support/database.ts'
import { minimalListing } from '../../support/factories/listing.ts'

export const rowsOf = (statement: string) => selectAll(statement)

/** Expects that what is stored for visitors is what would be made of the listings now. */
export async function expectShownAnew(): Promise<void> {
  const { date_updated: _, ...columns } = PUBLIC_COLUMNS
  const anew = Object.entries(columns).map(([name, value]) => `${value} as "${name}"`)
  const stored = await rowsOf(`select ${Object.keys(columns).join(', ')} from public_listings order by id`)
  expect(stored).toEqual(
    await rowsOf(`select ${anew.join(', ')} from listings where ${IS_PUBLIC} order by id`),
  )
}

/** Whatever texts may hold that means something to JSON, or to documents. */
export const text = fc
  .array(
    fc.constantFrom(
      ...'aΩ"\\\t\n\u0001\u2028\u2029\r\u007f\ufeff{?😀',
      ...['\\n', '\\t', '\\u0000', 'http://', '$&', '"?"'],
    ),
  )
  .map((parts) => parts.join('').trim() || 'x')

const values = fc.record(
  {
    price: fc.option(fc.nat()),
    notes: fc.option(text),
    size: fc.option(fc.double({ min: 0, max: 1000, noNaN: true })),
    title: fc.option(text),
    tags: fc.subarray([1, 2, 3]),
    contacts: fc.subarray([1, 2]),
    features: fc.subarray(['elevator', 'storage']),
    location: fc.record(
      {
        address: fc.option(fc.constantFrom('Ερμού 5', 'Αθηνάς 12Α')),
        area_level1: fc.constant(1),
        area_level2: fc.constantFrom(11, 12),
        display_address: fc.constantFrom('real', 'fake', 'none'),
        postal_code: fc.option(text),
        latitude: fc.constantFrom(37.97534218762341, 38.1, 0),
        longitude: fc.constantFrom(23.7, 0),
      },
      { requiredKeys: ['area_level1'] },
    ),
    details: fc.record(
      { wcs: fc.nat(), heating_type: fc.constantFrom('central', null) },
      { requiredKeys: [] },
    ),
    extra: fc.record(
      {
        video_url: text,
        has_keys: fc.boolean(),
        has_hidden_price: fc.boolean(),
        is_negotiable: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
)

const [A, D] = ['photos/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.jpg', 'photos/dddddddddddddddddddddddddddddddd.jpg']
const [E, F] = [`photos/${'e'.repeat(32)}.jpg`, `photos/${'f'.repeat(32)}.jpg`]
const C = 'https://b.example/c.jpg'
const panoramas = fc.uniqueArray(fc.constantFrom(A, C, D), { maxLength: 3 })
const photos = fc.array(
  fc.record({
    original_image: fc.constantFrom(A, C, D, null),
    watermark_image: fc.constantFrom(E, F, null, null),
  }),
  { maxLength: 4 },
)

const captions = fc.subarray([
  { language_id: 1, caption: 'Σαλόνι' },
  { language_id: 2, caption: '"Living" room' },
])

const pick = fc.nat()
const kind = fc.constantFrom('photo', 'floor_plan')
const of = fc.constantFrom('photos', 'panorama-photos')

/** What takes a step of this name, with these values. */
export const stepOf = <const Name extends string, Values extends object>(
  name: Name,
  values: { [Key in keyof Values]: fc.Arbitrary<Values[Key]> },
) => fc.record(values).map((drawn) => ({ does: name, ...(drawn as Values) }))

export const step = fc.oneof(
  stepOf('create', { values }),
  stepOf('update', { pick, values }),
  stepOf('status', { pick, to: fc.constantFrom('active', 'pending', 'archived') }),
  stepOf('photo', { pick, of }),
  stepOf('import', {
    ids: fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 }),
    ...{ values, photos, panoramas, captions, kind },
  }),
  stepOf('originals', { pick, original_image: fc.constantFrom(A, D) }),
  stepOf('describe', { pick, of, captions, kind }),
  stepOf('rename', {
    id: fc.constantFrom(1, 11, 12),
    key: fc.constantFrom('name_el', 'name_en', 'full_name_el', 'full_name_en'),
    name: text,
  }),
  stepOf('pictures', { pick, of, removes: fc.boolean() }),
  stepOf('lookup', { entity: fc.constantFrom('users', 'stores', 'listing_tags', 'languages'), name: text }),
  stepOf('read', { pick }),
  stepOf('stale read', { pick }),
  stepOf('list', {}),
)

export type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** Takes a step over HTTP. */
export async function take(action: Step): Promise<unknown> {
  if (action.does === 'create') return post('/api/listings', { ...minimalListing, ...action.values })
  if (action.does === 'list') return get('/api/listings')
  if (action.does === 'rename') {
    const { id, key, name } = action
    return importRecords([['locations', { id, [key]: name }]])
  }
  if (action.does === 'lookup') return importRecords([[action.entity, { id: 1, name: action.name }]])
  if (action.does === 'import') {
    const { extra, title, ...rest } = action.values
    const line = {
      ...minimalListing,
      ...rest,
      ...(title === undefined ? {} : { translations: [{ language_id: 1, title }] }),
      photos: action.photos.map((photo) => ({ ...photo, kind: action.kind, captions: action.captions })),
      panorama_photos: action.panoramas.map((image) => ({ image, captions: action.captions })),
    }
    return importRecords(action.ids.map((id) => ['listings', { ...line, id }]))
  }
  const ids = await rowsOf('select id from listings order by id')
  const id = ids[action.pick % Math.max(ids.length, 1)]?.id
  if (!id) return null
  if (action.does === 'update') return put(`/api/listings/${id}`, action.values)
  if (action.does === 'status') return post(`/api/listings/${id}/status`, { to: action.to })
  if (action.does === 'photo') return post(`/api/listings/${id}/${action.of}`, { photos: [{ data: RED }] })
  if (action.does === 'describe') {
    const { kind, captions } = action
    return put(`/api/listings/${id}/${action.of}/1`, { kind, captions })
  }
  if (action.does === 'originals') return changeOriginals(Number(id), action.original_image)
  if (action.does === 'pictures') return changePictures(`/api/listings/${id}/${action.of}`, action.removes)
  return get(`/api/listings/${id}`, action.does === 'read' ? {} : { headers: { 'X-D1-Bookmark': 'any' } })
}

/** Stores other originals of the photos that have a watermark: visitors see none of it. */
async function changeOriginals(id: number, original_image: string): Promise<unknown> {
  const stored = await rowsOf(
    `select original_image, watermark_image, kind, captions from listing_photos where listing_id = ${id} order by ordernum`,
  )
  const photos = stored.map(({ captions, ...photo }) => ({
    ...{ ...photo, captions: JSON.parse(String(captions)) },
    ...(photo.watermark_image ? { original_image } : {}),
  }))
  return importRecords([['listings', { id, photos }]])
}

/** Takes the first picture away, or turns their order round. */
async function changePictures(path: string, removes: boolean): Promise<unknown> {
  const { data } = (await get(path)).body as { data: { ordernum: number }[] }
  const numbers = data.map(({ ordernum }) => ordernum)
  if (removes && numbers.length > 0) return remove(`${path}/${numbers[0]}`)
  return put(path, { order: numbers.toReversed() })
}
