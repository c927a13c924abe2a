/** What a fuzzing run counts and keeps. */

import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Input } from './input.ts'
import type { Result } from './pool.ts'
import { FORMATS, type Format } from './seeds.ts'

/** Of findings that look alike, so many are written; all are counted. */
const KEPT_ALIKE = 3

/** Ways for an input to end: rendered and refused are right, the rest are bugs. */
export const KINDS = ['rendered', 'refused', 'trap', 'guard', 'hang', 'foreign', 'drift'] as const
/** `drift`: a sound file gave another picture than at first, so an earlier input left something behind. */
export type Kind = (typeof KINDS)[number]

/** Inputs of a format, by how they ended. */
export type Counts = Record<Kind, number>

export interface Tally {
  formats: Partial<Record<Format, Counts>>
  slowest: { ms: number; index: number }
  /** Bytes of the largest WebAssembly memory. */
  wasmBytes: number
  findings: Finding[]
}

/** A bug that was written down. */
export interface Finding {
  kind: Kind
  detail: string
  command: string
}

export function isBug(kind: Kind): boolean {
  return kind !== 'rendered' && kind !== 'refused'
}

/** Counts of nothing yet. */
export function emptyTally(): Tally {
  return { formats: {}, slowest: { ms: 0, index: 0 }, wasmBytes: 0, findings: [] }
}

/** Adds a result. */
export function count(tally: Tally, format: Format, index: number, kind: Kind, result: Result): void {
  tally.formats[format] ??= { rendered: 0, refused: 0, trap: 0, guard: 0, hang: 0, foreign: 0, drift: 0 }
  tally.formats[format][kind] += 1
  tally.wasmBytes = Math.max(tally.wasmBytes, result.wasmBytes)
  if (result.ms > tally.slowest.ms) tally.slowest = { ms: result.ms, index }
}

/** The sum over all formats of some kinds. */
export function total(tally: Tally, wanted: (kind: Kind) => boolean = () => true): number {
  let sum = 0
  for (const format of FORMATS) {
    for (const kind of KINDS) if (wanted(kind)) sum += tally.formats[format]?.[kind] ?? 0
  }
  return sum
}

const seen = new Map<string, number>()

/** Whether a bug differs from those that are written down already. */
export function isNew(kind: Kind, { detail, stack }: Result): boolean {
  const [place = ''] = stack.split('\n').filter((line) => /^\s+at /.test(line))
  const signature = `${kind} ${kind === 'hang' ? '' : detail} ${place}`
  const times = (seen.get(signature) ?? 0) + 1
  seen.set(signature, times)
  return times <= KEPT_ALIKE
}

const EXTENSIONS: Record<Format, string> = { jpeg: 'jpg', png: 'png', gif: 'gif', webp: 'webp' }

/** A bug and how it came about. */
interface Bug {
  folder: string
  kind: Kind
  input: Input
  result: Result
  /** Which run and which of its inputs. */
  origin: string
  /** Where it is not seen again alone: what was processed before it. */
  before?: Input | undefined
  /** Shows the bug where its files do not. */
  command?: string
}

/** Writes the file that shows a bug, with a text beside it that says how to see it again. */
export function keep({ folder, kind, input, result, origin, before, command }: Bug): Finding {
  mkdirSync(folder, { recursive: true })
  const bytes = input.bytes()
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 10)
  const stem = join(folder, `${kind}-${hash}`)
  const path = `${stem}.${EXTENSIONS[input.format]}`
  writeFileSync(path, bytes)
  const files = [path]
  if (before) {
    files.unshift(`${stem}-before.${EXTENSIONS[before.format]}`)
    writeFileSync(files[0] ?? path, before.bytes())
  }
  const shows =
    command ?? `node packages/photo-codec/fuzz/main.ts ${files.map((file) => `--file ${file}`).join(' ')}`
  const text = [
    shows,
    `${kind} of “${input.seed.name}”, ${input.use}; ${origin}`,
    ...(before ? ['Not seen again alone in a new thread, so what came before it is kept as well.'] : []),
    result.stack || result.detail,
  ]
  writeFileSync(`${stem}.txt`, `${text.join('\n')}\n`)
  return { kind, detail: result.detail, command: shows }
}
