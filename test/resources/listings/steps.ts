/** Random steps in the life of listings: writes of every kind, and reads between them. */
import fc from 'fast-check'
import { RED } from '../../../fixtures/pictures.ts'
import { get, importRecords, post, put, remove } from '../../support/api.ts'
import { selectAll } from '../../support/database.ts'
import { minimalListing } from '../../support/factories/listing.ts'

export const rowsOf = (statement: string) => selectAll(statement)

/** Whatever texts may hold that means something to JSON, or to documents. */
export const text = fc
  .array(
    fc.constantFrom(
      'a',
      'Ω',
      '"',
      '\\',
      '\t',
      '\n',
      '\\n',
      '\\t',
      '\u0001',
      '\u2028',
      '\u2029',
      '\r',
      '\u007f',
      '\ufeff',
      '\\u0000',
      'http://',
      '{',
      '$&',
      '?',
      '"?"',
      '😀',
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

const pictures = fc.uniqueArray(
  fc.constantFrom(
    'photos/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.jpg',
    'https://b.example/c.jpg',
    'photos/dddddddddddddddddddddddddddddddd.jpg',
  ),
  {
    maxLength: 3,
  },
)

const captions = fc.subarray([
  { language_id: 1, caption: 'Σαλόνι' },
  { language_id: 2, caption: '"Living" room' },
])

const pick = fc.nat()

export const step = fc.oneof(
  fc.record({ does: fc.constant('create' as const), values }),
  fc.record({ does: fc.constant('update' as const), pick, values }),
  fc.record({
    does: fc.constant('status' as const),
    pick,
    to: fc.constantFrom('active', 'pending', 'archived'),
  }),
  fc.record({ does: fc.constant('photo' as const), pick, of: fc.constantFrom('photos', 'panorama-photos') }),
  fc.record({
    does: fc.constant('import' as const),
    ids: fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 }),
    values,
    photos: pictures,
    panoramas: pictures,
    captions,
    kind: fc.constantFrom('photo', 'floor_plan'),
  }),
  fc.record({
    does: fc.constant('describe' as const),
    pick,
    of: fc.constantFrom('photos', 'panorama-photos'),
    captions,
    kind: fc.constantFrom('photo', 'floor_plan'),
  }),
  fc.record({
    does: fc.constant('rename' as const),
    id: fc.constantFrom(1, 11, 12),
    key: fc.constantFrom('name_el', 'name_en', 'full_name_el', 'full_name_en'),
    name: text,
  }),
  fc.record({
    does: fc.constant('pictures' as const),
    pick,
    of: fc.constantFrom('photos' as const, 'panorama-photos' as const),
    removes: fc.boolean(),
  }),
  fc.record({
    does: fc.constant('lookup' as const),
    entity: fc.constantFrom('users', 'stores', 'listing_tags', 'languages'),
    name: text,
  }),
  fc.record({ does: fc.constant('read' as const), pick }),
  fc.record({ does: fc.constant('stale read' as const), pick }),
  fc.record({ does: fc.constant('list' as const) }),
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
      photos: action.photos.map((original_image) => ({
        original_image,
        kind: action.kind,
        captions: action.captions,
      })),
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
  if (action.does === 'pictures') return changePictures(`/api/listings/${id}/${action.of}`, action.removes)
  return get(`/api/listings/${id}`, action.does === 'read' ? {} : { headers: { 'X-D1-Bookmark': 'any' } })
}

/** Takes the first picture away, or turns their order round. */
async function changePictures(path: string, removes: boolean): Promise<unknown> {
  const { data } = (await get(path)).body as { data: { ordernum: number }[] }
  const numbers = data.map(({ ordernum }) => ordernum)
  if (removes && numbers.length > 0) return remove(`${path}/${numbers[0]}`)
  return put(path, { order: numbers.toReversed() })
}
