/**
 * What a photo costs: `npm run bench -- photos` at the root. Every contender gets the same pictures in turn and does the whole
 * job: decode, fit into 1920 pixels, JPEG at quality 90, then the watermark on it and JPEG again. Only the ratios mean
 * anything on another machine.
 */
import { readFileSync, rmSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { readCommandLine, runCommand, showProgress } from '../scripts/terminal.ts'
import { CONTENDERS, type Contender, median, type Session } from './contenders.ts'
import { chosen, drawLogo, JOBS, type Job, makePicture } from './jobs.ts'
import { bestLuma, lumaPsnr } from './quality.ts'
import { type Figures, qualityTable, type Results, timeTable } from './report.ts'
import { buildBundle } from './workerd.ts'

const USAGE = `Measures what a photo costs.

Usage: npm run bench -- photos [OPTIONS]

  --jobs NAMES        some of ${JOBS.map(({ name }) => name).join(', ')} (default: all)
  --contenders NAMES  some of ${CONTENDERS.map(({ name }) => name).join(', ')} (default: all)
  --rounds NUMBER     how often each is measured (default: 5)
  --help              shows this`

const { values: options } = readCommandLine(USAGE, {
  rounds: { type: 'string', default: '5' },
  jobs: { type: 'string' },
  contenders: { type: 'string' },
})
const ROUNDS = Number(options.rounds)
/** Short jobs are repeated until a sample takes about so many milliseconds. */
const SAMPLE = 300
const LEGEND = `Memory: all WebAssembly memories after the first job of a fresh process, the file, both copies.
PSNR: against the picture decoded whole by sharp and resized with Lanczos.`

async function main(): Promise<void> {
  const jobs = chosen(JOBS, options.jobs)
  const contenders = chosen(CONTENDERS, options.contenders)
  console.log(`Building the bundle … (load average ${loadavg()[0]?.toFixed(2)})`)
  const bundle = await buildBundle(join(import.meta.dirname, 'worker.ts'))
  const results: Results = new Map()
  try {
    for (const job of jobs) results.set(job.name, await measure(job, contenders, bundle))
  } finally {
    rmSync(bundle, { recursive: true })
  }
  showProgress('', true)
  console.log(`\nMedian ms of ${ROUNDS} rounds (÷ sharp)\n\n${timeTable(results, jobs, contenders)}`)
  console.log(`\nMemory MB / first copy KB / luma PSNR dB\n\n${qualityTable(results, jobs, contenders)}`)
  console.log(`\n${LEGEND}`)
  reportModule()
}

/** One job by every contender, in turn within each round. Each starts afresh, and ends before the next job. */
async function measure(job: Job, contenders: Contender[], bundle: string): Promise<Map<string, Figures>> {
  showProgress(`${job.title}: drawing`)
  const [picture, watermark] = [await makePicture(job), drawLogo()]
  const bits = (picture.length * 8) / (job.width * job.height)
  showProgress(`${job.title}: ${(picture.length / 1e6).toFixed(1)} MB, ${bits.toFixed(2)} bit/pixel`, true)
  const best = await bestLuma(picture)
  const figures = new Map<string, Figures>()
  const running = new Map<string, { session: Session; times: number; samples: number[] }>()
  /** A contender that fails is out of this job and lets go of its memory; the others go on. */
  const attempt = async (name: string, work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      figures.set(name, { failure: reason(error) })
      await running.get(name)?.session.close()
      running.delete(name)
    }
  }
  try {
    for (const { name, title, open } of contenders) {
      showProgress(`${job.title}, warm-up: ${title}`)
      await attempt(name, async () => {
        const session = await open(bundle, picture, watermark)
        running.set(name, { session, times: 1, samples: [] })
        const { original, codec, peak } = await session.first()
        const psnr = await lumaPsnr(original, best)
        const times = Math.min(5, Math.max(1, Math.round(SAMPLE / (await session.run(1)))))
        running.set(name, { session, times, samples: [] })
        figures.set(name, { ms: 0, codec, peak, size: original.length, psnr })
      })
    }
    for (let round = 1; round <= ROUNDS; round += 1) {
      for (const [name, { session, times, samples }] of running) {
        showProgress(`${job.title}, round ${round} of ${ROUNDS}: ${name}`)
        await attempt(name, async () => {
          samples.push(await session.run(times))
        })
      }
    }
  } finally {
    for (const { session } of running.values()) await session.close()
  }
  for (const [name, { samples }] of running) {
    const found = figures.get(name)
    if (found && 'ms' in found) found.ms = median(samples)
  }
  return figures
}

/** The messages of codecs that run out of memory. */
function reason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return /memory|allocation|OOM|unreachable/i.test(message) ? 'out of memory' : `failed: ${message}`
}

function reportModule(): void {
  const bytes = readFileSync(join(import.meta.dirname, '../build/codec.wasm'))
  const zipped = gzipSync(bytes, { level: 9 }).length
  console.log(
    `\ncodec.wasm: ${(bytes.length / 1000).toFixed(1)} KB, ${(zipped / 1000).toFixed(1)} KB gzipped`,
  )
}

await runCommand(main)
