/**
 * What the smaller copies of stored photos cost, how large they are, and how near they come to the best ones, by the codec
 * and by sharp. Two sets of photos: those of the demo agency, which are drawings without noise, and scenes of 12 megapixels
 * with the noise of a camera.
 */
import {
  JOBS,
  makePicture,
  measureSize,
  megabytes,
  SIZE_FORMATS,
  SIZE_WIDTHS,
  type SizeFigures,
  storedCopies,
  table,
} from '@estia/photo-codec/bench'
import { PHOTOS, readPhoto, type Scene } from '../../demo/pictures.ts'
import { showProgress } from '../../scripts/service/terminal.ts'

/** Scenes in the second set; making one takes a second. */
const SCENES = 4

/** Cards of a page, and the width of their pictures. */
const CARDS = 20
const CARD_WIDTH = 640

/** Measures both sets and prints their tables. */
export async function measureSizes(): Promise<void> {
  await report('Photos of the demo agency', readDemo)
  await report('Scenes of 12 megapixels, with noise', drawScenes)
}

async function readDemo(): Promise<Uint8Array[]> {
  const outside: readonly Scene[] = ['flats', 'cottage', 'house', 'pool', 'shop', 'office', 'plot', 'grove']
  return Promise.all(outside.flatMap((scene) => PHOTOS[scene]).map(readPhoto))
}

async function drawScenes(): Promise<Uint8Array[]> {
  const job = JOBS.find(({ name }) => name === '12')
  if (!job) throw new Error('There is no job of 12 MP')
  const scenes: Uint8Array[] = []
  for (let seed = 1; seed <= SCENES; seed += 1) scenes.push(await makePicture(job, seed))
  return scenes
}

async function report(title: string, make: () => Promise<Uint8Array[]>): Promise<void> {
  showProgress(`${title}: making`)
  const stored = await storedCopies(await make())
  const full = stored.reduce((sum, { length }) => sum + length, 0) / stored.length
  const figures: SizeFigures[] = []
  for (const format of SIZE_FORMATS) {
    for (const width of SIZE_WIDTHS) {
      showProgress(`${title}: ${width ?? 'own size'} ${format}`)
      figures.push(await measureSize(stored, width, format))
    }
  }
  showProgress('', true)
  console.log(`\n${title}: ${stored.length}, stored as JPEGs of ${kilobytes(full)} KB\n`)
  console.log(
    table(
      ['size', 'ms (÷ sharp)', 'MB', 'KB (÷ sharp)', 'saved', 'dB', 'sharp, dB', 'worst difference, dB'],
      figures.map((row) => rowOf(row, full)),
    ),
  )
  const cards = figures.filter(({ width }) => width === CARD_WIDTH)
  const sums = cards.map(({ format, bytes }) => `${megabytes(bytes * CARDS)} MB of ${format}`)
  console.log(`\nA page of ${CARDS} cards at ${CARD_WIDTH} pixels: ${sums.join(', ')}`)
}

function rowOf(figures: SizeFigures, full: number): string[] {
  const { width, format, ms, sharpMs, memory, bytes, sharpBytes, psnr, sharpPsnr, worst } = figures
  return [
    `${width ?? 'own'} ${format}`,
    `${ms.toFixed(0)} (${(ms / sharpMs).toFixed(2)})`,
    megabytes(memory),
    `${kilobytes(bytes)} (${(bytes / sharpBytes).toFixed(2)})`,
    `${(100 - (bytes / full) * 100).toFixed(0)} %`,
    psnr.toFixed(2),
    sharpPsnr.toFixed(2),
    worst.toFixed(2),
  ]
}

function kilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(0)
}
