/** The pictures of the demo agency: drawings kept as JPEGs, of which every listing gets a few. */
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

export type Scene = keyof typeof PHOTOS

/** The name of a picture in `photos/`. */
export type PhotoName = (typeof PHOTOS)[Scene][number]

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
