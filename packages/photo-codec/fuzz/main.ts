/**
 * Sends damaged samples through the photo pipeline: `npm run fuzz`. Every result except a picture or a refusal is a
 * finding: a trap, an overwritten guard word, more than two seconds, or an error that is not a PhotoError. So is a sound
 * file whose picture changes. Findings are written to build/fuzz, and the exit code is then 1.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import '../scripts/wasm-hook.ts'
import { readCommandLine, showProgress } from '../scripts/terminal.ts'
import { inputAt, NAMES, type Run } from './inputs.ts'
import { FORMATS, type FormatName } from './parts.ts'
import type { Kind, Message, Share, Verdict } from './thread.ts'

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
  --help            shows this`

const { values: options } = readCommandLine(USAGE, {
  minutes: { type: 'string', default: '1' },
  inputs: { type: 'string' },
  seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  only: { type: 'string' },
  threads: { type: 'string', default: '2' },
  limit: { type: 'string', default: '2000' },
  file: { type: 'string', multiple: true },
  keep: { type: 'string', default: 'build/fuzz' },
})
const only = NAMES.find((name) => name === options.only)
if (options.only && !only) throw new Error(`--only is one of ${NAMES.join(', ')}`)
const RUN: Run = { seed: Number(options.seed), ...(only ? { only } : {}) }
const [LIMIT, THREADS] = [Number(options.limit), Number(options.threads)]
const INPUTS = Number(options.inputs ?? Number.MAX_SAFE_INTEGER)
const END = options.inputs ? Number.POSITIVE_INFINITY : performance.now() + Number(options.minutes) * 60_000
const THREAD = fileURLToPath(import.meta.resolve('./thread.ts'))
const LATE = { kind: 'hang', detail: 'no end in time', stack: '' } as const
/** Of findings that look alike, so many are written; all are counted. */
const KEPT_ALIKE = 3

const counts = new Map<FormatName, Map<Kind, number>>()
const alike = new Map<string, number>()
let [done, findings] = [0, 0]

if (options.file) await replay(options.file)
else {
  console.log(`Seed ${RUN.seed}`)
  await Promise.all(Array.from({ length: THREADS }, (_, from) => runShare(from)))
  showProgress(`${done} inputs, ${findings} findings`, true)
  for (const [format, kinds] of counts)
    console.log(`${format}: ${[...kinds].map(([kind, count]) => `${kind} ${count}`).join(', ')}`)
}

/** Every use of some files, one after another. */
async function replay(paths: readonly string[]): Promise<void> {
  const { outcomeOf, USES } = await import('./outcome.ts')
  for (const path of paths) {
    const bytes = new Uint8Array(readFileSync(path))
    for (const use of USES) {
      const { kind, detail, stack } = outcomeOf(bytes, use)
      console.log(`${path}, ${use}: ${kind}, ${stack || detail}`)
      if (isFinding(kind)) process.exitCode = 1
    }
  }
}

function isFinding(kind: Kind): boolean {
  return kind !== 'rendered' && kind !== 'refused'
}

function hasEnded({ threadId }: Worker): boolean {
  return threadId < 0
}

/** Runs a thread's inputs. Where one never ends, or ends the thread, another goes on behind it. */
async function runShare(from: number): Promise<void> {
  let next = from
  while (next < INPUTS && performance.now() < END) {
    const share: Share = { ...RUN, from: next, step: THREADS, inputs: INPUTS }
    const thread = new Worker(THREAD, { workerData: share })
    /** The thread's processor time when `next` began, as a busy machine stalls threads. */
    let begun = Number.POSITIVE_INFINITY
    thread.on('message', ({ verdict, cpuMs }: Message) => {
      if (verdict) {
        note(cpuMs - begun > LIMIT ? { ...verdict, ...LATE } : verdict)
        next = verdict.index + THREADS
      }
      begun = cpuMs
    })
    const ended = new Promise<object | null>((resolve) => {
      thread.once('exit', () => resolve(null))
      thread.once('error', (error) => resolve({ kind: 'foreign', detail: String(error), stack: '' }))
    })
    const late = async () => {
      while (!hasEnded(thread) && performance.now() < END) {
        await wait(LIMIT / 2)
        const { user, system } = await thread.cpuUsage().catch(() => ({ user: 0, system: 0 }))
        if ((user + system) / 1000 - begun > LIMIT) return LATE
      }
      return null
    }
    const failure = await Promise.race([ended, late()])
    await thread.terminate()
    if (!failure) return
    note({ index: next, format: inputAt(next, RUN).format, ...LATE, ...failure })
    next += THREADS
  }
}

/** Counts what became of an input, and keeps the file of a finding. */
function note({ index, format, kind, detail, stack }: Verdict): void {
  const own = counts.get(format) ?? new Map<Kind, number>()
  counts.set(format, own.set(kind, (own.get(kind) ?? 0) + 1))
  done++
  showProgress(`${done} inputs, ${findings} findings`)
  if (!isFinding(kind)) return
  findings++
  process.exitCode = 1
  const [place = ''] = stack.split('\n').filter((line) => /^\s+at /.test(line))
  const signature = `${kind} ${detail} ${place}`
  alike.set(signature, (alike.get(signature) ?? 0) + 1)
  if ((alike.get(signature) ?? 0) > KEPT_ALIKE) return
  const { bytes, sample, use } = inputAt(index, RUN)
  mkdirSync(options.keep, { recursive: true })
  const name = join(options.keep, `${kind}-${createHash('sha256').update(bytes).digest('hex').slice(0, 10)}`)
  const file = `${name}.${FORMATS[format].extension}`
  const command = `node packages/photo-codec/fuzz/main.ts --file ${file}`
  const origin = `${kind} of ${sample.name}, ${use}; --seed ${RUN.seed} --threads ${THREADS}, input ${index}`
  writeFileSync(file, bytes)
  writeFileSync(`${name}.txt`, `${command}\n${origin}\n${stack || detail}\n`)
  showProgress(`${kind}: ${detail}\n  ${command}`, true)
}
