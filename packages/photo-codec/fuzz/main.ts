/**
 * Sends damaged pictures through the photo pipeline: `npm run fuzz`. Every result except a picture or a
 * refusal is a finding: a trap, an overwritten guard word, more than two seconds, or an error that is not a PhotoError. So
 * is a valid file whose picture changes. Findings are written to build/fuzz, and the exit code is then 1.
 */
import { readFileSync } from 'node:fs'
import { readCommandLine, showProgress } from '../scripts/terminal.ts'
import {
  count,
  emptyTally,
  type Finding,
  isBug,
  isNew,
  KINDS,
  type Kind,
  keep,
  type Tally,
  total,
} from './findings.ts'
import { COMPARED_USE, type Input, inputAt, USES } from './input.ts'
import { type FuzzWorker, openWorker, type Result } from './pool.ts'
import { FORMATS, loadSeeds, type Seed } from './seeds.ts'

const USAGE = `Sends damaged pictures through the photo pipeline.

Usage: npm run fuzz [-- OPTIONS]

  --minutes NUMBER  how long (default: 1)
  --inputs NUMBER   ends after so many pictures instead
  --seed NUMBER     makes the same pictures again (default: another every time)
  --only FORMAT     only ${FORMATS.join(', ')}
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
const LINE_EVERY_MS = process.stdout.isTTY ? 1_000 : 10_000

if (options.file) await replay(options.file)
else await fuzz()

/** Every use of some files, one after another in one thread. */
async function replay(paths: readonly string[]): Promise<void> {
  const worker = openWorker({ seeds: [], runSeed: 0 }, LIMIT)
  for (const path of paths) {
    const bytes = new Uint8Array(readFileSync(path))
    for (const use of USES) {
      const { outcome, detail, ms, stack, checksum } = await worker.run({ bytes, use })
      const why = outcome === 'rendered' ? `checksum ${checksum.toString(16)}` : detail
      console.log(
        `${path}, ${use}: ${outcome} in ${ms.toFixed(1)} ms, ${isBug(outcome) && stack ? stack : why}`,
      )
      if (isBug(outcome)) process.exitCode = 1
    }
  }
  await worker.renew()
}

async function fuzz(): Promise<void> {
  const formats = FORMATS.filter((format) => !options.only || options.only === format)
  if (formats.length === 0) throw new Error(`--only is one of ${FORMATS.join(', ')}`)
  console.log(`Seed ${RUN_SEED}`)
  const seeds = await loadSeeds(formats)
  const workers = Array.from({ length: Number(options.threads) }, () =>
    openWorker({ seeds, runSeed: RUN_SEED }, LIMIT),
  )
  const expected = await renderSeeds(workers, seeds)
  const tally = emptyTally()
  const started = performance.now()
  const minutes = options.inputs === undefined ? Number(options.minutes) : Number.POSITIVE_INFINITY
  let next = 0
  let stopped = false
  process.once('SIGINT', () => {
    stopped = true
  })

  const work = async (worker: FuzzWorker) => {
    let before: Input | undefined
    while (!stopped && next < INPUTS && performance.now() < started + minutes * 60_000) {
      const index = next++
      const input = inputAt(seeds, RUN_SEED, index)
      const result = await worker.run({ index })
      const kind = kindOf(input, result, expected)
      count(tally, input.format, index, kind, result)
      if (isBug(kind)) {
        await worker.renew()
        if (isNew(kind, result)) {
          const finding = await written(worker, kind, { input, index, result, before })
          tally.findings.push(finding)
          showProgress('')
          console.log(`${kind}: ${finding.detail}\n  ${finding.command}`)
        }
      }
      before = input
    }
  }
  const timer = setInterval(() => {
    if (process.stdout.isTTY) showProgress(stateOf(tally, started))
    else console.log(stateOf(tally, started))
  }, LINE_EVERY_MS)
  await Promise.all(workers.map(work))
  clearInterval(timer)
  showProgress(stateOf(tally, started), true)
  for (const [format, counts] of Object.entries(tally.formats)) {
    console.log(`${format.padEnd(5)}${KINDS.map((kind) => `${kind} ${counts[kind]}`).join(', ')}`)
  }
  await Promise.all(workers.map((worker) => worker.renew()))
  if (options.json) console.log(JSON.stringify({ seed: RUN_SEED, peakMb: peakMb(), ...tally }))
  if (total(tally, isBug) > 0) process.exitCode = 1
}

/** The picture of each valid file before any damage. Refused files are reported, because they test little. */
async function renderSeeds(
  workers: readonly FuzzWorker[],
  seeds: readonly Seed[],
): Promise<Map<Seed, number>> {
  const expected = new Map<Seed, number>()
  const left = seeds.values()
  const work = async (worker: FuzzWorker) => {
    for (const seed of left) {
      const { outcome, checksum, detail } = await worker.run({ bytes: seed.bytes, use: COMPARED_USE })
      if (outcome === 'rendered') expected.set(seed, checksum)
      else console.log(`The sound ${seed.format} “${seed.name}” is not rendered: ${outcome}, ${detail}`)
      if (isBug(outcome)) process.exitCode = 1
    }
  }
  await Promise.all(workers.map(work))
  return expected
}

function kindOf(input: Input, result: Result, expected: ReadonlyMap<Seed, number>): Kind {
  const right = expected.get(input.seed)
  if (!input.sound || right === undefined || isBug(result.outcome)) return result.outcome
  return result.checksum === right ? result.outcome : 'drift'
}

/** Writes a bug down, with the way to see it again. The worker's thread is new. */
async function written(
  worker: FuzzWorker,
  kind: Kind,
  {
    input,
    index,
    result,
    before,
  }: { input: Input; index: number; result: Result; before: Input | undefined },
): Promise<Finding> {
  const bug = { folder: options.keep, kind, input, result, origin: `--seed ${RUN_SEED}, input ${index}` }
  if (kind === 'drift') {
    const only = options.only ? ` --only ${options.only}` : ''
    const command = `node packages/photo-codec/fuzz/main.ts --seed ${RUN_SEED} --inputs ${index + 1} --threads 1${only}`
    return keep({ ...bug, result: { ...result, detail: 'a sound file gave another picture' }, command })
  }
  const { outcome } = await worker.run({ bytes: input.bytes(), use: input.use })
  return keep(isBug(outcome) ? bug : { ...bug, before })
}

/** The run so far, in one line. */
function stateOf(tally: Tally, started: number): string {
  const seconds = (performance.now() - started) / 1000
  return [
    `${Math.round(seconds)} s, ${total(tally)} inputs (${Math.round(total(tally) / seconds)}/s)`,
    `${total(tally, isBug)} findings`,
    `slowest ${Math.round(tally.slowest.ms)} ms (input ${tally.slowest.index})`,
    `peak ${peakMb()} MB, WebAssembly ${Math.round(tally.wasmBytes / 2 ** 20)} MB`,
  ].join(', ')
}

function peakMb(): number {
  return Math.round(process.resourceUsage().maxRSS / 1024)
}
