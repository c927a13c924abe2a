/**
 * What a photo costs: `npm run bench:photos`. Every contender gets the same pictures in turn and does the whole job:
 * decode, fit into 1920 pixels, JPEG at quality 90, then the watermark on it and JPEG again. Only the ratios
 * mean anything on another machine. `-- --processor` counts the time of the processor instead of the clock, for those who
 * have a process of their own. `-- --calls` measures instead whole calls over HTTP against sharp, by the time of the
 * processor as well as by the clock; `-- --soak` shows how the memory of workerd behaves over twenty photos,
 * or `--photos` of them.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { watermark as drawLogo } from '../demo/pictures.ts'
import { runScript, showProgress } from '../scripts/service/terminal.ts'
import { measureCalls } from './bench-photos/calls.ts'
import { CONTENDERS, type Contender, median, type Session } from './bench-photos/contenders.ts'
import { JOBS, type Job, makePicture } from './bench-photos/jobs.ts'
import { cpuTime } from './bench-photos/processor.ts'
import { bestLuma, lumaPsnr } from './bench-photos/quality.ts'
import { type Figures, qualityTable, type Results, timeTable } from './bench-photos/report.ts'
import { soak } from './bench-photos/soak.ts'
import { buildBundle } from './runtime/workerd.ts'

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    jobs: { type: 'string' },
    contenders: { type: 'string' },
    'skip-slow': { type: 'boolean', default: false },
    processor: { type: 'boolean', default: false },
    calls: { type: 'boolean', default: false },
    soak: { type: 'boolean', default: false },
    photos: { type: 'string', default: '20' },
  },
})
const ROUNDS = Number(options.rounds)
/** Short jobs are repeated until a sample takes about so many milliseconds. */
const SAMPLE = 300
const LEGEND = `Memory: all WebAssembly memories after the first job of a fresh process, every RGBA raster, the file, both copies.
PSNR: against the picture decoded whole by sharp and resized with Lanczos.`

async function main(): Promise<void> {
  if (options.soak) return soak(Number(options.photos))
  const jobs = chosen(JOBS, options.jobs)
  if (options.calls) return measureCalls(jobs, ROUNDS)
  const contenders = chosen(CONTENDERS, options.contenders).filter(
    ({ slow, name }) => !(slow && options['skip-slow']) && !(options.processor && name === 'ours-workerd'),
  )
  console.log(`Building the bundle … (load average ${loadavg()[0]?.toFixed(2)})`)
  const bundle = buildBundle('tools/bench-photos/worker.ts')
  const results: Results = new Map()
  try {
    for (const job of jobs) results.set(job.name, await measure(job, contenders, bundle))
  } finally {
    rmSync(bundle, { recursive: true })
  }
  showProgress('', true)
  const clock = options.processor ? 'ms of processor' : 'ms'
  console.log(`\nMedian ${clock} of ${ROUNDS} rounds (÷ sharp)\n\n${timeTable(results, jobs, contenders)}`)
  console.log(`\nMemory MB / first copy KB / luma PSNR dB\n\n${qualityTable(results, jobs, contenders)}`)
  console.log(`\n${LEGEND}`)
  tellModule()
}

/** The entries whose names are listed, in their own order; all without a list. */
function chosen<T extends { name: string }>(all: readonly T[], list: string | undefined): T[] {
  const names = list?.split(',') ?? all.map(({ name }) => name)
  const unknown = names.filter((name) => !all.some((one) => one.name === name))
  if (unknown.length > 0)
    throw new Error(`Unknown: ${unknown}. There is ${all.map(({ name }) => name).join(', ')}`)
  return all.filter(({ name }) => names.includes(name))
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
          samples.push(options.processor ? await processorTime(session, times) : await session.run(times))
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

/** Milliseconds that a processor spends on one job. */
async function processorTime(session: Session, times: number): Promise<number> {
  const before = cpuTime(session.pid)
  await session.run(times)
  return (cpuTime(session.pid) - before) / times
}

/** Codecs tell in many ways that they found no memory. */
function reason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return /memory|allocation|OOM|unreachable/i.test(message) ? 'out of memory' : `failed: ${message}`
}

function tellModule(): void {
  const file = 'build/photos.wasm'
  if (!existsSync(file)) return
  const bytes = readFileSync(file)
  const zipped = gzipSync(bytes, { level: 9 }).length
  console.log(`\n${file}: ${(bytes.length / 1000).toFixed(1)} KB, ${(zipped / 1000).toFixed(1)} KB gzipped`)
}

await runScript(main)
