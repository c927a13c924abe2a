/**
 * How far an export is, and the cursor that says so. An export goes on from a cursor, in another call and after any time,
 * as if it had not stopped: what has changed since comes first.
 */
import { z } from 'zod'
import { ENTITIES } from './entities.ts'
import { type Entity, isInChangeFeed } from './entity.ts'

/** The entities that the change feed covers, in the order of a file. */
const RECORDS = ENTITIES.filter(isInChangeFeed)

/** Positions in the feed, by the name of an entity. */
type Positions = z.output<typeof positions>

/** What an export file contains so far. The agency stands first, and is always whole. */
export interface Progress {
  /** The entity in progress, as an index of `RECORDS`. */
  entity: number
  /** The last id of it in the file. */
  after: number
  /** Position in the feed up to which the records above are current. */
  cursor: number
  /** Where some of them are further, because not all changes could be read at once. */
  pending: Positions
  /** Up to where removals are in the file, if not all could be read at once. They come after all other changes. */
  removed: Positions
  /** The version of the agency in the file. */
  agency: number
}

/** The next lines of a file. */
export interface Step {
  text: string
  /** The cursor of what follows; null at the end of the file. Undefined where it cannot be cut. */
  next: string | null | undefined
}

/** The entity in progress. */
export function entityOf({ entity }: Progress): Entity {
  const found = RECORDS[entity]
  if (!found) throw new Error('The export is past its end')
  return found
}

/** The entities that are written, including the one in progress. */
export function writtenEntities({ entity }: Progress): Entity[] {
  return RECORDS.slice(0, entity + 1)
}

/** Goes on to the next entity. Returns whether there is one. */
export function enterNextEntity(progress: Progress): boolean {
  progress.entity++
  progress.after = 0
  return progress.entity < RECORDS.length
}

const position = z.int().min(0)
const name = z.enum(RECORDS.map((entity) => entity.name) as [string, ...string[]])
const positions = z.partialRecord(name, position)
const content = z.tuple([name, position, position, position, positions, positions.optional()])

/** The cursor of an export: base64 for URLs. */
export function formatProgress(progress: Progress): string {
  const { after, cursor, agency, pending, removed } = progress
  const values: z.input<typeof content> = [entityOf(progress).name, after, cursor, agency, pending, removed]
  return btoa(JSON.stringify(values)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** The progress at a cursor; null if it is none. */
export function parseProgress(text: string): Progress | null {
  const values = content.safeParse(jsonIn(text)).data
  if (!values) return null
  const [entity, after, cursor, agency, pending, removed = {}] = values
  return {
    entity: RECORDS.findIndex((one) => one.name === entity),
    after,
    cursor,
    agency,
    pending,
    removed,
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(atob(text.replaceAll('-', '+').replaceAll('_', '/')))
  } catch {
    return null
  }
}
