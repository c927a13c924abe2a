/** The pictures of the demo agency: drawings kept as JPEGs, and what each shows. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** What is seen, in Greek and English, and where in `photos/`: 1280 × 960 pixels, panoramas 2048 × 1024. */
const SCENES = [
  {
    shows: ['Η πρόσοψη', 'The front'],
    names: ['block-white', 'block-red', 'block-evening', 'block-grey', 'block-green'],
  },
  {
    shows: ['Το σπίτι', 'The house'],
    names: ['detached-low', 'farmhouse', 'farmhouse-evening', 'detached-tall', 'villa', 'maisonette-white'],
  },
  { shows: ['Το σπίτι με την πισίνα', 'The house and its pool'], names: ['pool-white', 'pool-evening'] },
  { shows: ['Η πλωτή κατοικία', 'The houseboat'], names: ['houseboat', 'houseboat-evening'] },
  {
    shows: ['Η βιτρίνα', 'The shop front'],
    names: ['shop-books', 'shop-cafe', 'shop-ceramics', 'shop-bakery'],
  },
  { shows: ['Η είσοδος φορτηγών', 'The gates'], names: ['warehouse-blue', 'warehouse-red'] },
  { shows: ['Το κτίριο', 'The building'], names: ['office-grey', 'office-evening'] },
  { shows: ['Η θέση στάθμευσης', 'The parking space'], names: ['garage-white', 'garage-green'] },
  { shows: ['Το οικόπεδο', 'The plot'], names: ['plot-city', 'plot-sea'] },
  { shows: ['Ο ελαιώνας', 'The olive grove'], names: ['grove', 'grove-evening'] },
  { shows: ['Το νησί', 'The island'], names: ['island', 'island-evening'] },
  {
    shows: ['Το σαλόνι', 'The living room'],
    names: ['living-blue', 'living-red', 'living-evening', 'panorama-living'],
  },
  { shows: ['Το μπαλκόνι', 'The balcony'], names: ['balcony-sea', 'balcony-city'] },
  { shows: ['Η κουζίνα', 'The kitchen'], names: ['kitchen-blue', 'kitchen-red'] },
  { shows: ['Το υπνοδωμάτιο', 'The bedroom'], names: ['bedroom-blue', 'bedroom-red', 'panorama-bedroom'] },
  { shows: ['Το μπάνιο', 'The bathroom'], names: ['bathroom-blue'] },
  { shows: ['Ο χώρος εργασίας', 'The office'], names: ['workspace-blue'] },
  { shows: ['Κάτοψη', 'Floor plan'], names: ['plan-1', 'plan-2', 'plan-3'] },
  { shows: ['Κάτοψη ισογείου', 'Ground floor'], names: ['plan-below'] },
  { shows: ['Κάτοψη πρώτου ορόφου', 'First floor'], names: ['plan-above'] },
  { shows: ['Η ταράτσα', 'The roof terrace'], names: ['panorama-terrace'] },
] as const

/** The name of a picture in `photos/`. */
export type PhotoName = (typeof SCENES)[number]['names'][number]

export const NAMES: readonly PhotoName[] = SCENES.flatMap(({ names }) => [...names])

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
  const scene = SCENES.find(({ names }) => (names as readonly PhotoName[]).includes(name))
  if (!scene) throw new Error(`There is no picture ${name}`)
  return {
    name,
    kind: name.startsWith('plan-') ? 'floor_plan' : 'photo',
    captions: scene.shows.map((caption, index) => ({ language_id: index + 1, caption })),
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
