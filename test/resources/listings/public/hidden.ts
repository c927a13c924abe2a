/** Databases that differ only in what visitors may not see. */
import { pointOfCell } from '../../../../src/resources/listings/address/public-point.ts'
import { minimalListing } from '../../../support/factories/listing.ts'

type Line = [entity: string, data: Record<string, unknown>]

// Not an interface, so that it is a location, too.
export type Point = { latitude: number; longitude: number }

/** Hidden values in one state of the database: words, numbers, dates and a place in each cell that nothing else has. */
export interface Hidden {
  /** The beginning of every hidden word. */
  word: string
  price: number
  amount: number
  date: string
  house: number
  postal: string
  /** Seen from the middle of a cell. */
  place: Point
  tags: number[]
  users: number[]
  /** How many listings of each status are not active. */
  others: number
}

export const STATES: readonly [Hidden, Hidden] = [
  {
    word: 'qalpha',
    price: 431_771,
    amount: 97.531,
    date: '2026-03-05',
    house: 17_337,
    postal: '73391',
    place: { latitude: 0.0011234, longitude: -0.0012345 },
    tags: [1],
    users: [1],
    others: 1,
  },
  {
    word: 'zomega',
    price: 284_913,
    amount: 13.579,
    date: '2026-08-09',
    house: 29_449,
    postal: '84462',
    place: { latitude: -0.0014321, longitude: 0.0004567 },
    tags: [2, 3],
    users: [2, 1],
    others: 3,
  },
]

const PRECISIONS = ['real', 'circle', 'cell', 'none'] as const
type Precision = (typeof PRECISIONS)[number]

/** Every way to hide a point, with the price and without, in two stores. */
const KINDS = PRECISIONS.flatMap((precision) =>
  [true, false].flatMap((hidesPrice) => [1, 2].map((store_id) => ({ precision, hidesPrice, store_id }))),
).map((kind, index) => ({ ...kind, id: index + 1 }))

/** Ids that are active in both states, and ids that are not active in any. */
export const ACTIVE = Array.from({ length: 24 }, (_, index) => index + 1)
export const OTHER_STATUSES = ['draft', 'pending', 'inactive', 'archived', 'deleted'] as const
export const OTHERS = Array.from({ length: 20 }, (_, index) => 101 + index)

/** The listing whose price and point are hidden behind a circle, and the one that shows no point at all. */
export const IN_CIRCLE = idOf('circle')
export const WITHOUT_POINT = idOf('none')

function idOf(precision: Precision): number {
  return KINDS.find((kind) => kind.precision === precision && kind.hidesPrice)?.id ?? 0
}

const shifted = (value: number, steps: number) => Number((value + steps * 0.0011).toFixed(7))

const pointNear = ({ latitude, longitude }: Point, steps: number): Point => ({
  latitude: shifted(latitude, steps),
  longitude: shifted(longitude, steps),
})

const pointAs = (prefix: string, { latitude, longitude }: Point) => ({
  [`${prefix}latitude`]: latitude,
  [`${prefix}longitude`]: longitude,
})

const SHOWN_POINT = { latitude: 37.9735, longitude: 23.727 }

/** The middle of the cell in which the listing is. */
const cellOf = (id: number) => pointOfCell(pointNear(SHOWN_POINT, id))

export const hiddenPrice = ({ price }: Hidden, id: number) => price + 7 * id
export const exactPoint = ({ place }: Hidden, id: number): Point => ({
  latitude: Number((cellOf(id).latitude + place.latitude).toFixed(7)),
  longitude: Number((cellOf(id).longitude + place.longitude).toFixed(7)),
})
/** The points that visitors see in either state: of real addresses, and by import. */
export const shownPoint = (id: number) => pointNear(cellOf(id), 4)

/** Values that visitors see. They are spread over all filters. */
const shown = (id: number) => ({
  ...minimalListing,
  id,
  code: `PUB-${id}`,
  status: 'active',
  status_date: `2026-0${1 + (id % 8)}-0${1 + (id % 9)} 03:04:05`,
  date_updated: '2026-01-03 00:00:00',
  availability: id % 3 === 0 ? 'rent' : 'sale',
  subcategory: id % 2 === 0 ? 'apartment' : 'villa',
  subtype: id % 2 === 0 ? 1 + (id % 4 === 0 ? 1 : 0) : null,
  price: 25_000 * id,
  price_per_sqm: 4 * id,
  rooms: id % 4,
  bathrooms: id % 3,
  size: 60 + 5 * id,
  floor: (id % 6) - 1,
  year_built: 1990 + id,
  property_condition: id % 2 === 0 ? 'good' : 'new',
  features: id % 3 === 0 ? ['elevator'] : ['elevator', 'parking'],
  photos: id % 2 === 0 ? [{ original_image: `https://photo.example/${id}.jpg` }] : [],
  translations: [{ language_id: 2, title: id % 2 === 0 ? 'Sunny flat' : 'Quiet villa' }],
})

const areas = (id: number) => ({
  area_level1: 1,
  area_level2: id % 3 === 0 ? 12 : 11,
  area_level3: id % 3 === 0 ? null : 111 + (id % 2),
})

const SHOWN_EXTRA = {
  energy_class: 'b',
  is_negotiable: true,
  video_url: 'https://video.example/1',
  virtual_tour_url: null,
}

/** Fields that visitors never see. */
export const hiddenFields = ({ word, price, amount, date, tags, users }: Hidden) => ({
  source_id: tags[0],
  notes: `${word}note`,
  tags,
  users,
  contacts: [tags[0]],
  details: { assignment: 'exclusive', assignment_fee: amount, assignment_expires: date },
  extra: {
    min_price: price - 1,
    rating: price % 89,
    project_unit_name: `${word}unit`,
    lease_expiry_date: date,
    has_keys: price % 4 === 1,
    is_rented: price % 4 === 3,
    yield: amount,
    tenant_contact_id: tags[0],
  },
  floor_configuration: [{ note: `${word}floor` }],
})

/** The part of a location that the state decides, and what is shown in its place. */
export function hiddenLocation(hidden: Hidden, id: number, precision: Precision) {
  const { word, house, postal } = hidden
  const exact = exactPoint(hidden, id)
  if (precision === 'real')
    return {
      ...{ display_address: 'real', address: 'Ερμού 5', postal_code: '10563', ...shownPoint(id) },
      ...{ ...pointAs('fake_', exact), fake_address_el: `${word}fake` },
    }
  const own = { ...exact, address: `Ερμού ${house}`, postal_code: postal }
  // The number of an imported public address is not shown either.
  const street = { display_address: 'fake', fake_address_el: id % 2 === 0 ? 'Ερμού' : `Ερμού ${house}` }
  if (precision === 'circle') return { ...own, ...street, ...pointAs('fake_', shownPoint(id)) }
  // Some 60 m away, so that the point of the cell is shown.
  if (precision === 'cell') return { ...own, ...street, ...pointAs('fake_', pointNear(exact, 0.4)) }
  const none = { display_address: 'none', address: `${word}street 5`, fake_address_el: `${word}fake` }
  return { ...own, ...none, ...pointAs('fake_', pointNear(exact, 4)) }
}

/** A listing of which visitors see the same in either state. */
function lineOf(hidden: Hidden, { id, precision, hidesPrice, store_id }: (typeof KINDS)[number]): Line {
  const { extra, ...fields } = hiddenFields(hidden)
  const amounts = { price: hiddenPrice(hidden, id), price_per_sqm: hidden.amount + id }
  // With a watermark, the original is hidden.
  const photos = [
    {
      original_image: `https://photo.example/${hidden.word}.jpg`,
      watermark_image: `https://photo.example/m${id}.jpg`,
    },
  ]
  return [
    'listings',
    {
      ...shown(id),
      ...fields,
      ...(hidesPrice ? amounts : {}),
      store_id,
      photos,
      date_created: `${hidden.date} 00:00:00`,
      location: { ...areas(id), ...hiddenLocation(hidden, id, precision) },
      extra: { ...SHOWN_EXTRA, ...extra, has_hidden_price: hidesPrice },
    },
  ]
}

/** A listing that shows all that it has. */
const openLine = (id: number): Line => [
  'listings',
  {
    ...shown(id),
    store_id: 1 + (id % 2),
    location: { ...areas(id), ...hiddenLocation(STATES[0], id, 'real'), fake_address_el: null },
  },
]

/** A listing that has the hidden values in the place of every shown one. */
const otherLine = (hidden: Hidden, id: number, values: Record<string, unknown>): Line => {
  const { word, price, amount, house, postal } = hidden
  const { extra, ...fields } = hiddenFields(hidden)
  return [
    'listings',
    {
      ...minimalListing,
      ...fields,
      ...{ id, code: `${word}-${id}`, price, price_per_sqm: amount, size: amount, rooms: 7, bathrooms: 6 },
      ...{ category: 'commercial', subcategory: 'office', subtype: 3, availability: 'auction' },
      ...{
        status_date: `${hidden.date} 00:00:00`,
        year_built: 1950,
        property_condition: 'average',
        floor: 9,
      },
      ...{ features: ['fireplace'], extra: { ...extra, energy_class: 'a', is_negotiable: false } },
      location: {
        ...{ area_level1: 2, area_level2: 21, display_address: 'real', ...exactPoint(hidden, id % 10) },
        ...{ address: `Ερμού ${house}`, postal_code: postal },
      },
      translations: [{ language_id: 2, title: `${word}title` }],
      ...values,
    },
  ]
}

/** People and labels: their names differ, too. */
const namesOf = ({ word }: Hidden): Line[] =>
  [1, 2, 3].flatMap((id): Line[] => [
    ['users', { id, name: `${word}user ${id}`, email: `${word}${id}@example.com` }],
    ['listing_tags', { id, name: `${word}tag ${id}` }],
    ['contacts', { id, first_name: `${word}owner`, last_name: 'One', created_by: 1 }],
  ])

/** All lines of a state. */
export function linesOf(hidden: Hidden): Line[] {
  const others = OTHER_STATUSES.flatMap((status, index) =>
    Array.from({ length: hidden.others }, (_, turn) =>
      otherLine(hidden, 101 + index + 5 * (turn + (hidden.others > 1 ? 1 : 0)), { status }),
    ),
  )
  const open = ACTIVE.slice(KINDS.length).map(openLine)
  return [...namesOf(hidden), ...KINDS.map((kind) => lineOf(hidden, kind)), ...others, ...open]
}

/** The same for visitors of store 1 alone: the other store shows the hidden values. */
export function linesOfStore(hidden: Hidden): Line[] {
  const lines = linesOf(hidden).map((line): Line => {
    const [entity, { id, store_id }] = line
    return entity === 'listings' && store_id === 2
      ? otherLine(hidden, Number(id), { status: 'active', store_id })
      : line
  })
  return [['stores', { id: 2, name: `${hidden.word}store` }], ...lines]
}

/** What no answer may contain. */
export const sentinelsOf = (hidden: Hidden): string[] => [
  ...[hidden.word, hidden.amount, hidden.date, hidden.house, hidden.postal, hidden.price - 1].map(String),
  ...KINDS.flatMap(({ id }) => {
    const { latitude, longitude } = exactPoint(hidden, id)
    return [hiddenPrice(hidden, id), hidden.amount + id, latitude, longitude].map(String)
  }),
]
