/**
 * The demo agency, from files: `records/` in the format of import, in the order in which import takes them, the files of
 * its articles, and which pictures its listings get. Its dates are those of the files, from 2024 to October
 * 2026; a load moves the diary to its own time.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { type DemoLine, type DemoSize, linesIn, resize } from './lines.ts'
import { type DemoPicture, describePicture, type PhotoName } from './pictures.ts'

/** The pictures of a listing, in order. */
export interface ListingPictures {
  readonly listing_id: number
  readonly photos: readonly DemoPicture[]
  readonly panoramas: readonly DemoPicture[]
}

const FOLDER = import.meta.dirname

/** Every line of the demo; referenced records come first. */
export function demoLines(size: DemoSize = {}): DemoLine[] {
  const names = readdirSync(`${FOLDER}/records`).toSorted()
  return resize(linesIn(names.map((name) => readFileSync(`${FOLDER}/records/${name}`, 'utf8'))), size)
}

/** The bytes of every file of an article, to be uploaded once its record is imported. */
export function articleFiles(): { file_id: number; bytes: Uint8Array<ArrayBuffer> }[] {
  return readdirSync(`${FOLDER}/files`)
    .toSorted()
    .map((name) => ({
      file_id: Number.parseInt(name, 10),
      bytes: new Uint8Array(readFileSync(`${FOLDER}/files/${name}`)),
    }))
}

interface NamedPictures {
  listing_id: number
  photos: PhotoName[]
  panoramas?: PhotoName[]
}

/** Photos for nine of ten active listings: the property from outside, some rooms, floor plans. Three homes get panoramas. */
export function listingPictures({ listings }: DemoSize = {}): ListingPictures[] {
  const count = demoLines().filter(({ entity }) => entity === 'listings').length
  const lines = readFileSync(`${FOLDER}/pictures.ndjson`, 'utf8').trimEnd().split('\n')
  const named = new Map(
    lines.map((line): NamedPictures => JSON.parse(line)).map((one) => [one.listing_id, one] as const),
  )
  return Array.from({ length: listings ?? count }, (_, index) => {
    const { photos, panoramas = [] } = named.get((index % count) + 1) ?? {}
    if (!photos) return []
    return [
      {
        listing_id: index + 1,
        photos: photos.map(describePicture),
        panoramas: panoramas.map(describePicture),
      },
    ]
  }).flat()
}
