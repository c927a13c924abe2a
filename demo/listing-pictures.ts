/** Which pictures the demo's listings get. */
import { seeded } from '../fixtures/random.ts'
import type { Subcategory } from '../src/catalogue/enums.ts'
import { demoContacts, livingContactIds } from './contacts.ts'
import type { DemoSize } from './generate.ts'
import { type DemoListing, demoListings } from './listings.ts'
import { PHOTOS, type PhotoName, type Scene } from './pictures.ts'

/** A picture of a listing. */
export interface DemoPicture {
  readonly name: PhotoName
  /** What the service calls it; of a panorama it means nothing. */
  readonly kind: 'photo' | 'floor_plan'
  /** What it shows, in Greek and English. */
  readonly captions: readonly { language_id: number; caption: string }[]
}

/** The pictures of a listing, in order. */
export interface ListingPictures {
  readonly listing_id: number
  readonly photos: readonly DemoPicture[]
  readonly panoramas: readonly DemoPicture[]
}

/**
 * Photos for nine of ten active listings: the property from outside, some rooms and, of some homes, a floor plan. Three homes
 * get panoramas.
 */
export function listingPictures({ contacts = 400, listings = 300 }: DemoSize = {}): ListingPictures[] {
  const random = seeded(3_003)
  const active = demoListings(livingContactIds(demoContacts(contacts)), listings).filter(
    (listing) => listing.status === 'active',
  )
  const chosen = random.sample(active, Math.round(active.length * 0.9)).sort((a, b) => a.id - b.id)
  const homes = chosen.filter(({ subcategory }) => HOMES.has(subcategory))
  const take = rotation()
  return chosen.map((listing) => {
    const [best, ...others] = roomsOf(listing)
    const rooms = [best, ...random.sample(others, random.int(0, 2))]
    return {
      listing_id: listing.id,
      photos: [
        take(outsideOf(listing)),
        ...ROOMS.filter((room) => rooms.includes(room)).map(take),
        ...plansOf(listing).map(take),
      ],
      panoramas: AROUND.slice(0, PANORAMAS[homes.indexOf(listing)] ?? 0).map(take),
    }
  })
}

/** How many panoramas the first homes get; the others get none. */
const PANORAMAS: readonly number[] = [1, 3, 2]
const AROUND = ['livingRoomAround', 'bedroomAround', 'terraceAround'] as const

/** The rooms of a home, in the order in which they are shown. */
const ROOMS = ['livingRoom', 'balcony', 'kitchen', 'bedroom', 'bathroom', 'workspace'] as const

const HOMES: ReadonlySet<string> = new Set(['apartment', 'maisonette', 'detached', 'villa', 'loft'])

/** What is seen where, in Greek and English. */
const CAPTIONS: Readonly<Record<Scene, readonly [el: string, en: string]>> = {
  flats: ['Η πρόσοψη', 'The front'],
  cottage: ['Το σπίτι', 'The house'],
  house: ['Το σπίτι', 'The house'],
  pool: ['Το σπίτι με την πισίνα', 'The house and its pool'],
  houseboat: ['Η πλωτή κατοικία', 'The houseboat'],
  shop: ['Η βιτρίνα', 'The shop front'],
  warehouse: ['Η είσοδος φορτηγών', 'The gates'],
  office: ['Το κτίριο', 'The building'],
  garage: ['Η θέση στάθμευσης', 'The parking space'],
  plot: ['Το οικόπεδο', 'The plot'],
  grove: ['Ο ελαιώνας', 'The olive grove'],
  island: ['Το νησί', 'The island'],
  livingRoom: ['Το σαλόνι', 'The living room'],
  balcony: ['Το μπαλκόνι', 'The balcony'],
  kitchen: ['Η κουζίνα', 'The kitchen'],
  bedroom: ['Το υπνοδωμάτιο', 'The bedroom'],
  bathroom: ['Το μπάνιο', 'The bathroom'],
  workspace: ['Ο χώρος εργασίας', 'The office'],
  flatOfOne: ['Κάτοψη', 'Floor plan'],
  flatOfTwo: ['Κάτοψη', 'Floor plan'],
  flatOfThree: ['Κάτοψη', 'Floor plan'],
  groundFloor: ['Κάτοψη ισογείου', 'Ground floor'],
  upperFloor: ['Κάτοψη πρώτου ορόφου', 'First floor'],
  livingRoomAround: ['Το σαλόνι', 'The living room'],
  bedroomAround: ['Το υπνοδωμάτιο', 'The bedroom'],
  terraceAround: ['Η ταράτσα', 'The roof terrace'],
}

const PLANS: ReadonlySet<Scene> = new Set([
  'flatOfOne',
  'flatOfTwo',
  'flatOfThree',
  'groundFloor',
  'upperFloor',
])

/** The pictures of a scene by turns, so that listings next to each other do not begin with the same one. */
function rotation(): (scene: Scene) => DemoPicture {
  const taken = new Map<Scene, number>()
  return (scene) => {
    const names = PHOTOS[scene]
    const turn = taken.get(scene) ?? 0
    taken.set(scene, turn + 1)
    const [el, en] = CAPTIONS[scene]
    return {
      name: names[turn % names.length] ?? names[0],
      kind: PLANS.has(scene) ? 'floor_plan' : 'photo',
      captions: [
        { language_id: 1, caption: el },
        { language_id: 2, caption: en },
      ],
    }
  }
}

/** What a property looks like from outside; all else are blocks of flats. */
const OUTSIDES: Partial<Record<Subcategory, Scene>> = {
  maisonette: 'house',
  villa: 'house',
  detached: 'cottage',
  farmhouse: 'cottage',
  other_residential: 'cottage',
  houseboat: 'houseboat',
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
  parking: 'garage',
}

function outsideOf({ subcategory, features }: DemoListing): Scene {
  const scene = OUTSIDES[subcategory] ?? 'flats'
  const isHouse = scene === 'house' || scene === 'cottage'
  return isHouse && features.some((key) => key.endsWith('private_pool')) ? 'pool' : scene
}

function roomsOf({ category, subcategory }: DemoListing): readonly (typeof ROOMS)[number][] {
  if (subcategory === 'office' || subcategory === 'commercial_building') return ['workspace']
  if (subcategory === 'hotel') return ['bedroom', 'bathroom', 'balcony']
  if (category !== 'residential') return []
  const scene = OUTSIDES[subcategory]
  return ROOMS.filter((room) => room !== 'workspace' && (room !== 'balcony' || scene !== 'cottage'))
}

/** The plans of homes that have about the rooms and the area that they show. */
function plansOf(listing: DemoListing): readonly Scene[] {
  const { subcategory, size } = listing
  if (!HOMES.has(subcategory)) return []
  const { rooms, levels }: { rooms?: number | null; levels?: number | null } = listing
  return (
    PLANNED.find((plan) => plan.rooms === rooms && plan.levels === levels && isAbout(size, plan.area))
      ?.scenes ?? []
  )
}

const isAbout = (size: number, area: number) => Math.abs(size - area) <= area / 4

const PLANNED: readonly { levels: number; rooms: number; area: number; scenes: readonly Scene[] }[] = [
  { levels: 1, rooms: 1, area: 52, scenes: ['flatOfOne'] },
  { levels: 1, rooms: 2, area: 84, scenes: ['flatOfTwo'] },
  { levels: 1, rooms: 3, area: 118, scenes: ['flatOfThree'] },
  { levels: 2, rooms: 3, area: 120, scenes: ['groundFloor', 'upperFloor'] },
]
