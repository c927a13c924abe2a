/** The pictures of the demo agency: drawings kept as JPEGs, and what each shows. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** The pictures of `photos/` by what they show: 1280 × 960 pixels, panoramas 2048 × 1024. */
export const PHOTOS = {
  flats: ['block-white', 'block-red', 'block-evening', 'block-grey', 'block-green'],
  cottage: ['detached-low', 'farmhouse', 'farmhouse-evening'],
  house: ['detached-tall', 'villa', 'maisonette-white'],
  pool: ['pool-white', 'pool-evening'],
  houseboat: ['houseboat', 'houseboat-evening'],
  shop: ['shop-books', 'shop-cafe', 'shop-ceramics', 'shop-bakery'],
  warehouse: ['warehouse-blue', 'warehouse-red'],
  office: ['office-grey', 'office-evening'],
  garage: ['garage-white', 'garage-green'],
  plot: ['plot-city', 'plot-sea'],
  grove: ['grove', 'grove-evening'],
  island: ['island', 'island-evening'],
  livingRoom: ['living-blue', 'living-red', 'living-evening'],
  balcony: ['balcony-sea', 'balcony-city'],
  kitchen: ['kitchen-blue', 'kitchen-red'],
  bedroom: ['bedroom-blue', 'bedroom-red'],
  bathroom: ['bathroom-blue'],
  workspace: ['workspace-blue'],
  flatOfOne: ['plan-1'],
  flatOfTwo: ['plan-2'],
  flatOfThree: ['plan-3'],
  groundFloor: ['plan-below'],
  upperFloor: ['plan-above'],
  livingRoomAround: ['panorama-living'],
  bedroomAround: ['panorama-bedroom'],
  terraceAround: ['panorama-terrace'],
} as const

type Scene = keyof typeof PHOTOS

/** The name of a picture in `photos/`. */
export type PhotoName = (typeof PHOTOS)[Scene][number]

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

/** A picture of a listing. */
export interface DemoPicture {
  readonly name: PhotoName
  /** What the service calls it; of a panorama it means nothing. */
  readonly kind: 'photo' | 'floor_plan'
  /** What it shows, in Greek and English. */
  readonly captions: readonly { language_id: number; caption: string }[]
}

/** What a picture shows. */
export function describePicture(name: PhotoName): DemoPicture {
  const scenes = Object.entries(PHOTOS) as [Scene, readonly PhotoName[]][]
  const [scene] = scenes.find(([, names]) => names.includes(name)) ?? []
  if (!scene) throw new Error(`There is no picture ${name}`)
  return {
    name,
    kind: name.startsWith('plan-') ? 'floor_plan' : 'photo',
    captions: CAPTIONS[scene].map((caption, index) => ({ language_id: index + 1, caption })),
  }
}

/** A JPEG of `photos/`. */
export function readPhoto(name: PhotoName): Promise<Uint8Array<ArrayBuffer>> {
  return read(`photos/${name}.jpg`)
}

/**
 * The watermark of the first office, a PNG. The service lays it over the middle: it is as large as the photos and empty but
 * for a corner.
 */
export function watermark(): Promise<Uint8Array<ArrayBuffer>> {
  return read('watermark.png')
}

async function read(path: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await readFile(fileURLToPath(new URL(path, import.meta.url).href)))
}
