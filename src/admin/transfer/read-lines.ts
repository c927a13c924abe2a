/** Reads the lines of an import: JSON, entity, id, and the keys that the entity knows. */
import { ApiError } from '../../http/errors.ts'
import { parseJson } from '../../http/request/json.ts'
import { isObject, pickKnownKeys } from '../../http/request/object-keys.ts'
import { ENTITIES } from './entities.ts'
import { type Entity, recordKeyOf } from './entity.ts'
import type { Line, LineProblem, Mode } from './line.ts'

export const MAX_LINES = 1000
/**
 * Maximum values of a line, more than in other bodies. A listing may have a floor configuration of 250,000 values and
 * 20,000 pictures that were added call by call.
 */
const MAX_LINE_VALUES = 400_000
/** Maximum characters of a sent text that the reply repeats. */
const MAX_REPEATED = 100

/** How the lines of a call are imported. */
export interface Options {
  mode: Mode
  /** Whether lines are refused for what POST refuses. */
  isStrict: boolean
  /** Says which addresses of photos are to be downloaded; null if none are. */
  downloads: Line['downloads']
  /** What lines may be of. */
  entities?: readonly Entity[]
}

interface RawLine {
  number: number
  bytes: Uint8Array
}

/** A line that was read, or why it could not be. */
export interface ReadLine {
  number: number
  name: string | null
  problems: LineProblem[]
  /** Null if the line could not be read. */
  read: { entity: Entity; line: Line } | null
}

/** The lines of a body that are not blank. Throws 413 when there are too many. */
export function splitLines(body: Uint8Array): RawLine[] {
  const lines: RawLine[] = []
  for (let start = 0, number = 1; start < body.length; number++) {
    const newline = body.indexOf(0x0a, start)
    const end = newline < 0 ? body.length : newline
    const bytes = body.subarray(start, end)
    if (bytes.some((byte) => byte !== 0x20 && byte !== 0x0d && byte !== 0x09)) lines.push({ number, bytes })
    if (lines.length > MAX_LINES) {
      throw new ApiError(413, `Body too large: at most ${MAX_LINES} lines are accepted`)
    }
    start = end + 1
  }
  return lines
}

/** Reads a line. */
export function readLine(
  { number, bytes }: RawLine,
  { mode, isStrict, downloads, entities = ENTITIES }: Options,
): ReadLine {
  const refuse = (message: string, field: string | null = null, name: string | null = null): ReadLine => ({
    number,
    name,
    problems: [{ field, message }],
    read: null,
  })
  const json = parseLine(bytes)
  if (json instanceof ApiError) return refuse(`Too large: a line has at most ${MAX_LINE_VALUES} values`)
  if (json === undefined) return refuse('Invalid JSON')
  if (!isObject(json)) return refuse('Invalid line: must be an object with entity and data')
  const { entity: name, data, mode: lineMode } = json
  if (typeof name !== 'string') return refuse('Missing entity', 'entity')
  const shown = name.slice(0, MAX_REPEATED)
  const entity = entities.find((known) => known.name === name)
  if (!entity) return refuse(`Unknown entity ${shown}`, 'entity', shown)
  if (!isObject(data)) return refuse('Missing data', 'data', shown)
  const line: Line = {
    ...lineOf(entity, data),
    number,
    mode: lineMode === 'replace' || lineMode === 'remove' ? lineMode : mode,
    isStrict,
    downloads,
    length: bytes.length,
  }
  return { number, name, problems: [], read: { entity, line } }
}

/** The line of an entity that has `data`. */
export function lineOf(entity: Entity, data: Record<string, unknown>): Line {
  const { known, unknown } = pickKnownKeys(entity.schema, data)
  return {
    number: 1,
    id: recordKeyOf(entity, known),
    data: known,
    unknown,
    mode: 'merge',
    isStrict: false,
    downloads: null,
    length: 0,
    forcedKeys: new Set<string>(),
    ignored: unknown,
    warning: null,
    problems: [],
  }
}

/** The JSON of a line. Undefined if it is invalid or nested too deeply, the error if it has too many values. */
function parseLine(bytes: Uint8Array): unknown {
  try {
    return parseJson(bytes, { maxValues: MAX_LINE_VALUES, sharesBuffer: true })
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

/** The part of a sent text that the reply repeats. */
export function truncated(text: string): string {
  return text.slice(0, MAX_REPEATED).toWellFormed()
}
