/**
 * Sends damaged samples through the photo pipeline: `npm run fuzz`. Every result except a picture or a refusal is a
 * finding: a trap, an overwritten guard word, more than two seconds, or an error that is not a PhotoError. So is a sound
 * file whose picture changes. Findings are written to build/fuzz, and the exit code is then 1.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { seeded } from '../fixtures/random.ts'
import { samplesOf } from '../fixtures/samples.ts'
import { readCommandLine, showProgress } from '../scripts/terminal.ts'
import { damaged } from './damage.ts'
import type { Use } from './outcome.ts'
import { FORMATS, type FormatName } from './parts.ts'
import { type FuzzWorker, openWorker, type Result } from './pool.ts'

const NAMES = Object.keys(FORMATS) as FormatName[]

const USAGE = `Sends damaged pictures through the photo pipeline.

Usage: npm run fuzz [-- OPTIONS]

  --minutes NUMBER  how long (default: 1)
  --inputs NUMBER   ends after so many pictures instead
  --seed NUMBER     makes the same pictures again (default: another every time)
  --only FORMAT     only ${NAMES.join(', ')}
  --threads NUMBER  how many pictures there are at once (default: 2)
  --limit MS        how long one may take (default: 2000)
  --file FILE       runs a finding again instead; may be repeated
  --keep FOLDER     where findings go (default: build/fuzz)
  --json            ends the output with a line for machines
  --help            shows this`

const { values: options } = readCommandLine(USAGE, {
  minutes: { type: 'string', default: '1' },
  inputs: { type: 'string' },
  seed: { type: 'string' },
  only: { type: 'string' },
  threads: { type: 'string', default: '2' },
  limit: { type: 'string', default: '2000' },
  file: { type: 'string', multiple: true },
  keep: { type: 'string', default: 'build/fuzz' },
  json: { type: 'boolean', default: false },
})
const LIMIT = Number(options.limit)
const RUN_SEED = options.seed === undefined ? Date.now() % 1_000_000 : Number(options.seed)
const INPUTS = options.inputs === undefined ? Number.POSITIVE_INFINITY : Number(options.inputs)
const MINUTES = options.inputs === undefined ? Number(options.minutes) : Number.POSITIVE_INFINITY

const USES: readonly Use[] = ['fit 24', 'fit 200', 'fit 1920', 'panorama', 'watermark']
/** The use in which sound files are compared with themselves. */
const COMPARED_USE: Use = 'fit 200'
/** Of findings that look alike, so many are written; all are counted. */
const KEPT_ALIKE = 3
/** How often each format is drawn: the more there is to its decoder, the more often. */
const SHARES: Record<FormatName, number> = { jpeg: 5, png: 4, gif: 2, webp: 5 }

/** `drift`: a sound file gave another picture than at first, so an earlier input left something behind. */
type Kind = Result['kind'] | 'drift'
const isBug = (kind: Kind) => kind !== 'rendered' && kind !== 'refused'

if (options.file) await replay(options.file)
else await fuzz()

/** Every use of some files, one after another in one thread. */
async function replay(paths: readonly string[]): Promise<void> {
  const worker = openWorker(LIMIT)
  for (const path of paths) {
    const bytes = new Uint8Array(readFileSync(path))
    for (const use of USES) {
      const { kind, detail, ms, stack } = await worker.run({ bytes, use })
      console.log(`${path}, ${use}: ${kind} in ${ms.toFixed(1)} ms, ${(isBug(kind) && stack) || detail}`)
      if (isBug(kind)) process.exitCode = 1
    }
  }
  await worker.renew()
}

/** One input, determined by its index and the seed of the run. */
function inputAt(index: number, seeds: ReturnType<typeof loadSeeds>) {
  const random = seeded(Math.imul(RUN_SEED, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b))
  const format = random.pick(
    seeds.flatMap(({ format }) => new Array<FormatName>(SHARES[format]).fill(format)),
  )
  const files = seeds.find((one) => one.format === format)?.files ?? []
  const seed = random.pick(files)
  if (random.chance(0.04)) return { format, seed, bytes: seed.bytes, use: COMPARED_USE, isSound: true }
  const use = random.pick<Use>([
    'fit 24',
    'fit 24',
    'fit 200',
    'fit 200',
    'fit 1920',
    'watermark',
    'panorama',
  ])
  const bytes = damaged(seed.bytes, FORMATS[format], random, () => random.pick(files).bytes)
  return { format, seed, bytes, use, isSound: false }
}
type Input = ReturnType<typeof inputAt>

function loadSeeds() {
  const formats = NAMES.filter((format) => !options.only || options.only === format)
  if (formats.length === 0) throw new Error(`--only is one of ${NAMES.join(', ')}`)
  return formats.map((format) => ({ format, files: samplesOf(format) }))
}

async function fuzz(): Promise<void> {
  console.log(`Seed ${RUN_SEED}`)
  const seeds = loadSeeds()
  const workers = Array.from({ length: Number(options.threads) }, () => openWorker(LIMIT))
  const expected = new Map<string, string>()
  const counts: Partial<Record<FormatName, Partial<Record<Kind, number>>>> = {}
  const alike = new Map<string, number>()
  let [next, bugs, slowest] = [0, 0, 0]
  const started = performance.now()
  const state = () => {
    const seconds = (performance.now() - started) / 1000
    return `${Math.round(seconds)} s, ${next} inputs (${Math.round(next / seconds)}/s), ${bugs} findings, slowest ${Math.round(slowest)} ms`
  }
  process.once('SIGINT', () => {
    next = Number.POSITIVE_INFINITY
  })

  const work = async (worker: FuzzWorker) => {
    let before: Input | undefined
    while (next < INPUTS && performance.now() < started + MINUTES * 60_000) {
      const index = next++
      const input = inputAt(index, seeds)
      const result = await worker.run(input)
      let kind: Kind = result.kind
      if (input.isSound && !isBug(kind)) {
        const right = expected.get(input.seed.name) ?? result.detail
        expected.set(input.seed.name, right)
        if (right !== result.detail) kind = 'drift'
      }
      const own = counts[input.format] ?? {}
      counts[input.format] = own
      own[kind] = (own[kind] ?? 0) + 1
      slowest = Math.max(slowest, result.ms)
      if (isBug(kind)) {
        bugs += 1
        await worker.renew()
        const [place = ''] = result.stack.split('\n').filter((line) => /^\s+at /.test(line))
        const signature = `${kind} ${kind === 'hang' ? '' : result.detail} ${place}`
        alike.set(signature, (alike.get(signature) ?? 0) + 1)
        if ((alike.get(signature) ?? 0) <= KEPT_ALIKE) await keep(worker, kind, input, index, result, before)
      }
      before = input
      showProgress(state())
    }
  }
  await Promise.all(workers.map(work))
  showProgress(state(), true)
  for (const [format, own] of Object.entries(counts)) {
    console.log(
      `${format.padEnd(5)}${Object.entries(own)
        .map(([kind, count]) => `${kind} ${count}`)
        .join(', ')}`,
    )
  }
  await Promise.all(workers.map((worker) => worker.renew()))
  if (options.json) console.log(JSON.stringify({ seed: RUN_SEED, formats: counts }))
  if (bugs > 0) process.exitCode = 1
}

/** Writes the file that shows a bug, with a text beside it that says how to see it again. The worker's thread is new. */
async function keep(
  worker: FuzzWorker,
  kind: Kind,
  input: Input,
  index: number,
  result: Result,
  before: Input | undefined,
): Promise<void> {
  mkdirSync(options.keep, { recursive: true })
  const hash = createHash('sha256').update(input.bytes).digest('hex').slice(0, 10)
  const write = (suffix: string, { bytes, format }: Input) => {
    const path = join(options.keep, `${kind}-${hash}${suffix}.${FORMATS[format].extension}`)
    writeFileSync(path, bytes)
    return `--file ${path}`
  }
  const files = [write('', input)]
  // Not seen again alone in a new thread: what came before it is kept as well.
  if (before && (kind === 'drift' || !isBug((await worker.run(input)).kind)))
    files.unshift(write('-before', before))
  const command = `node packages/photo-codec/fuzz/main.ts ${files.join(' ')}`
  const origin = `${kind} of ${input.seed.name}, ${input.use}; --seed ${RUN_SEED}, input ${index}`
  const text = [command, origin, result.stack || result.detail].join('\n')
  writeFileSync(join(options.keep, `${kind}-${hash}.txt`), `${text}\n`)
  showProgress(`${kind}: ${result.detail}\n  ${command}`, true)
}
