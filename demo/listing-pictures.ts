/** Which pictures the demo's listings get: photos of a property belong together. */
import { seeded } from '../fixtures/random.ts'
import type { Subcategory } from '../src/catalogue/enums.ts'
import { demoContacts, livingContactIds } from './contacts.ts'
import * as exteriors from './drawing/exteriors.ts'
import type { Storey } from './drawing/floor-layout.ts'
import { type HouseKind, house, houseboat } from './drawing/houses.ts'
import * as landscapes from './drawing/landscapes.ts'
import { capitals } from './drawing/letters.ts'
import type { RoomKind } from './drawing/plan-symbols.ts'
import { balcony } from './drawing/terraces.ts'
import type { DemoSize } from './generate.ts'
import { type DemoListing, demoListings } from './listings.ts'
import { drawOutside, drawPanorama, drawPlan, drawRoom, type RoomName, type Subject } from './pictures.ts'

/** A picture of a listing: a PNG file that is drawn on demand. */
export interface DemoPicture {
  /** What the service calls it; of a panorama it means nothing. */
  readonly kind: 'photo' | 'floor_plan'
  /** What it shows, in Greek and English. */
  readonly captions: readonly { language_id: number; caption: string }[]
  readonly draw: () => Promise<Uint8Array<ArrayBuffer>>
}

/** The pictures of a listing, in order. */
export interface ListingPictures {
  readonly listing_id: number
  readonly photos: readonly DemoPicture[]
  readonly panoramas: readonly DemoPicture[]
}

/**
 * Photos for a third of the active listings: the property from outside, some rooms and a floor plan of homes. One home
 * gets a panorama and another one three.
 */
export function listingPictures({ contacts = 400, listings = 300 }: DemoSize = {}): ListingPictures[] {
  const random = seeded(3_003)
  const active = demoListings(livingContactIds(demoContacts(contacts)), listings).filter(
    (listing) => listing.status === 'active',
  )
  const chosen = random.sample(active, Math.round(active.length / 3)).sort((a, b) => a.id - b.id)
  const [first, second] = chosen.filter(({ subcategory }) => HOMES.has(subcategory))
  return chosen.map((listing) => {
    const subject = subjectOf(listing)
    const [best, ...others] = roomsOf(listing)
    const rooms = [best, ...random.sample(others, random.int(0, 2))]
    return {
      listing_id: listing.id,
      photos: [
        outside(subject, listing),
        ...ROOMS.filter((room) => rooms.includes(room)).map((room) => inside(subject, room)),
        ...plans(subject, listing),
      ],
      panoramas: panoramasOf(listing === first ? 1 : listing === second ? 3 : 0).map((room) =>
        picture(CAPTIONS[room], () => drawPanorama(subject, room)),
      ),
    }
  })
}

/** What is seen where, in Greek and English. */
const CAPTIONS = {
  flats: ['Η πρόσοψη', 'The front'],
  house: ['Το σπίτι', 'The house'],
  pool: ['Το σπίτι με την πισίνα', 'The house and its pool'],
  shop: ['Η βιτρίνα', 'The shop front'],
  warehouse: ['Η είσοδος φορτηγών', 'The gates'],
  office: ['Το κτίριο', 'The building'],
  plot: ['Το οικόπεδο', 'The plot'],
  grove: ['Ο ελαιώνας', 'The olive grove'],
  island: ['Το νησί', 'The island'],
  houseboat: ['Η πλωτή κατοικία', 'The houseboat'],
  livingRoom: ['Το σαλόνι', 'The living room'],
  balcony: ['Το μπαλκόνι', 'The balcony'],
  kitchen: ['Η κουζίνα', 'The kitchen'],
  bedroom: ['Το υπνοδωμάτιο', 'The bedroom'],
  bathroom: ['Το μπάνιο', 'The bathroom'],
  hall: ['Ο διάδρομος', 'The hall'],
  workspace: ['Ο χώρος εργασίας', 'The office'],
  garage: ['Η θέση στάθμευσης', 'The parking space'],
  terrace: ['Η ταράτσα', 'The roof terrace'],
} as const

type Caption = readonly [el: string, en: string]
type Inside = RoomName | 'balcony'

/** The rooms of a home, in the order in which they are shown. */
const ROOMS: readonly Inside[] = [
  'livingRoom',
  'balcony',
  'kitchen',
  'bedroom',
  'bathroom',
  'hall',
  'workspace',
]
const FLAT_ROOMS = ROOMS.slice(0, -1)
const HOUSE_ROOMS = FLAT_ROOMS.filter((room) => room !== 'balcony')

const HOMES: ReadonlySet<string> = new Set(['apartment', 'maisonette', 'detached', 'villa', 'loft'])

const SCENES = { ...exteriors, ...landscapes, houseboat }

/** What a property looks like from outside, unless it is a house; all else are blocks of flats. */
const OUTSIDES: Partial<Record<Subcategory, keyof typeof CAPTIONS & keyof typeof SCENES>> = {
  store: 'shop',
  business: 'shop',
  other_commercial: 'shop',
  other: 'shop',
  warehouse: 'warehouse',
  hall: 'warehouse',
  industrial_space: 'warehouse',
  craft_space: 'warehouse',
  office: 'office',
  commercial_building: 'office',
  plot: 'plot',
  parcel: 'grove',
  island: 'island',
  houseboat: 'houseboat',
}

function subjectOf({ id, subcategory, view }: DemoListing): Subject {
  const isAtSea = subcategory === 'island' || subcategory === 'houseboat'
  const sees = (...keys: string[]) => view.some((key) => keys.some((part) => key.includes(part)))
  if (isAtSea || sees('sea')) return { seed: id, outlook: 'sea' }
  if (sees('mountain', 'forest', 'lake', 'river') || COUNTRY.has(subcategory))
    return { seed: id, outlook: 'hills' }
  return { seed: id, outlook: 'city' }
}

const COUNTRY: ReadonlySet<string> = new Set(['villa', 'farmhouse', 'parcel', 'detached'])

function outside(subject: Subject, listing: DemoListing): DemoPicture {
  const { subcategory, features } = listing
  if (subcategory === 'parking') return inside(subject, 'garage')
  const hasPool = features.some((key) => key.endsWith('_pool'))
  const form = HOUSES[subcategory]
  if (form)
    return picture(CAPTIONS[hasPool ? 'pool' : 'house'], () =>
      drawOutside(subject, house(form, countsOf(listing).levels, hasPool)),
    )
  const name = OUTSIDES[subcategory] ?? 'flats'
  return picture(CAPTIONS[name], () => drawOutside(subject, SCENES[name]))
}

const HOUSES: Partial<Record<Subcategory, HouseKind>> = {
  maisonette: 'maisonette',
  detached: 'detached',
  villa: 'villa',
  farmhouse: 'farmhouse',
  other_residential: 'detached',
}

function inside(subject: Subject, room: Inside): DemoPicture {
  return picture(CAPTIONS[room], () =>
    room === 'balcony' ? drawOutside(subject, balcony) : drawRoom(subject, room),
  )
}

function roomsOf({ category, subcategory }: DemoListing): readonly Inside[] {
  if (subcategory === 'office' || subcategory === 'commercial_building') return ['workspace']
  if (HOUSES[subcategory]) return HOUSE_ROOMS
  if (subcategory === 'hotel') return ['bedroom', 'bathroom', 'balcony', 'hall']
  return category === 'residential' ? FLAT_ROOMS : []
}

function panoramasOf(count: number): readonly RoomName[] {
  return (['livingRoom', 'bedroom', 'terrace'] as const).slice(0, count)
}

/** A plan of each storey of a home: living below, sleeping above. */
function plans(subject: Subject, listing: DemoListing): DemoPicture[] {
  if (!HOMES.has(listing.subcategory)) return []
  const storeys = storeysOf(listing)
  return storeys.map((storey, index) => {
    const [el, en] = storeys.length === 1 ? WHOLE : (STOREYS[index] ?? WHOLE)
    const title = `${capitals(el)} · ${capitals(en)} · ${storey.area} m²`
    return { ...picture([el, en], () => drawPlan(subject, storey, title)), kind: 'floor_plan' as const }
  })
}

const WHOLE: Caption = ['Κάτοψη', 'Floor plan']
const STOREYS: readonly Caption[] = [
  ['Κάτοψη ισογείου', 'Ground floor'],
  ['Κάτοψη πρώτου ορόφου', 'First floor'],
  ['Κάτοψη δεύτερου ορόφου', 'Second floor'],
]

function storeysOf(listing: DemoListing): Storey[] {
  const { rooms, bathrooms, levels, living_rooms, kitchens, wcs } = countsOf(listing)
  const many = (kind: RoomKind, count: number) => Array<RoomKind>(count).fill(kind)
  const day = [...many('living', living_rooms), ...many('kitchen', kitchens)]
  const area = Math.round(listing.size / levels)
  if (levels === 1)
    return [
      {
        area,
        rooms: [...day, ...many('bedroom', rooms), ...many('bathroom', bathrooms), ...many('wc', wcs)],
      },
    ]
  const upper = levels - 1
  const share = (count: number, storey: number) => Math.floor((count + storey) / upper)
  return [
    { area, rooms: [...day, ...many('wc', Math.max(1, wcs))], stairs: 'up' },
    ...Array.from({ length: upper }, (_, storey) => ({
      area,
      stairs: 'down' as const,
      rooms: [...many('bedroom', share(rooms, storey)), ...many('bathroom', share(bathrooms, storey))],
    })),
  ]
}

/** How many of each a home has; one of what is not known. */
function countsOf(listing: DemoListing) {
  const known: Readonly<Record<string, unknown>> = { wcs: 0, ...listing, ...listing.details }
  const count = (key: string) => (typeof known[key] === 'number' ? known[key] : 1)
  return {
    rooms: count('rooms'),
    bathrooms: count('bathrooms'),
    levels: count('levels'),
    living_rooms: count('living_rooms'),
    kitchens: count('kitchens'),
    wcs: count('wcs'),
  }
}

function picture([el, en]: Caption, draw: () => Promise<Uint8Array<ArrayBuffer>>): DemoPicture {
  return {
    kind: 'photo',
    captions: [
      { language_id: 1, caption: el },
      { language_id: 2, caption: en },
    ],
    draw,
  }
}
