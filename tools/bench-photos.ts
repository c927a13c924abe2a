/**
 * What a photo costs: `npm run bench -- photos` at the root. The codec and sharp (native code, one thread) get the same
 * pictures in turn and do the whole job: decode, fit into 1920 pixels, JPEG at quality 90, then the watermark on it and JPEG
 * again. Only the ratios mean anything on another machine.
 */
import { psnr, readLook } from '@estia/photo-codec/fixtures/looks'
import '@estia/photo-codec/hook'
import sharp from 'sharp'
import { readCommandLine, readNumber, refuseCommandLine, showProgress } from '../scripts/service/terminal.ts'
import { median } from './bench/measure.ts'
import { table } from './bench/report.ts'
import { drawLogo, JOBS, type Job, makePicture } from './bench-photos/jobs.ts'

sharp.concurrency(1)
sharp.cache(false)

const NAMES = JOBS.map(({ name }) => name)

const USAGE = `Measures what a photo costs.

Usage: npm run bench -- photos [OPTIONS]

  --jobs NAMES     some of ${NAMES.join(', ')} (default: all)
  --rounds NUMBER  how often each is measured (default: 5)
  --help           shows this`

const { values: options } = readCommandLine(USAGE, {
  rounds: { type: 'string', default: '5' },
  jobs: { type: 'string', default: NAMES.join() },
})
const ROUNDS = readNumber('rounds', options.rounds)
const ASKED = options.jobs.split(',')
const unknown = ASKED.filter((name) => !NAMES.includes(name))
if (unknown.length > 0) refuseCommandLine(`There is no job ${unknown}.`)
/** Short jobs are repeated until a sample takes about so many milliseconds. */
const SAMPLE = 300
const FIT = { width: 1920, height: 1920, fit: 'inside', withoutEnlargement: true } as const
const HEAD = ['photo', 'codec, ms (÷ sharp)', 'sharp, 1 thread', 'MB', 'KB / dB', 'sharp: KB / dB']
const LEGEND = `Median of ${ROUNDS} rounds. MB: the codec's WebAssembly memory. KB / dB: size of the first copy, and luma PSNR against the
picture decoded whole by sharp and resized with Lanczos.`

const { codecMemory, processPhoto, releaseCodec } = await import('@estia/photo-codec')
const rows: string[][] = []
for (const job of JOBS) if (ASKED.includes(job.name)) rows.push(await measure(job))
showProgress('', true)
console.log(`${table(HEAD, rows)}\n\n${LEGEND}`)

/** The row of a job, done by both in turn within each round. */
async function measure(job: Job): Promise<string[]> {
  showProgress(`${job.title}: drawing`)
  const [picture, watermark] = [await makePicture(job), drawLogo()]
  // The memory of another picture is not counted.
  releaseCodec()
  const ours = () => processPhoto(picture, { maxSide: 1920, watermark }).original
  const theirs = () => sharpCopies(picture, watermark)
  const best = await readLook(picture, { ...FIT, kernel: 'lanczos3', fastShrinkOnLoad: false })
  const likeness = async (copy: Uint8Array) => {
    const { luma } = psnr(await readLook(copy), best)
    return `${(copy.length / 1000).toFixed(0)} / ${luma.toFixed(2)}`
  }
  const copies = [await likeness(ours()), await likeness(await theirs())]
  const memory = (codecMemory() / 1e6).toFixed(1)
  const times = Math.min(5, Math.max(1, Math.round(SAMPLE / (await timeOf(theirs, 1)))))
  const [own, other]: [number[], number[]] = [[], []]
  for (let round = 1; round <= ROUNDS; round++) {
    showProgress(`${job.title}, round ${round} of ${ROUNDS}`)
    own.push(await timeOf(ours, times))
    other.push(await timeOf(theirs, times))
  }
  const [fast, slow] = [median(own), median(other)]
  return [job.title, `${fast.toFixed(0)} (${(fast / slow).toFixed(2)})`, slow.toFixed(0), memory, ...copies]
}

/** The first copy. Decodes once and keeps the small picture raw: two pipelines from the file take up to twice as long. */
async function sharpCopies(picture: Uint8Array, watermark: Uint8Array): Promise<Uint8Array> {
  const { data, info } = await sharp(picture).rotate().resize(FIT).raw().toBuffer({ resolveWithObject: true })
  const raw = { width: info.width, height: info.height, channels: info.channels }
  const original = await sharp(data, { raw }).jpeg({ quality: 90 }).toBuffer()
  const marked = sharp(data, { raw }).composite([{ input: Buffer.from(watermark), gravity: 'centre' }])
  await marked.jpeg({ quality: 90 }).toBuffer()
  return original
}

/** Milliseconds of one job: the mean of so many in a row. */
async function timeOf(job: () => unknown, times: number): Promise<number> {
  const start = performance.now()
  for (let time = 0; time < times; time++) await job()
  return (performance.now() - start) / times
}
