/**
 * What import and export need to know of each entity, and how a run of its lines is stored: checked line by line,
 * written together. A line that cannot be stored is refused alone.
 */
import type { z } from 'zod'
import { batch, type Database, type Statement } from '../db/client.ts'
import { type Missing, type Reference, readMissing, refuseMissing, selectMissing } from '../db/references.ts'
import { checkObject, type Draft } from '../http/check.ts'
import { ApiError, violatedConstraint } from '../http/errors.ts'

/** One line's data with its checked values. */
export interface Line<T = Record<string, unknown>> {
  number: number
  id: number | string | null
  draft: Draft<T>
  /** Why it was refused; null while it is good. */
  message: string | null
}

/** How one entity is imported and exported. */
// biome-ignore lint/suspicious/noExplicitAny: entities of different shapes stand in one list; each is typed where it is declared
export interface Entity<S extends z.ZodObject = any, Context = any> {
  name: string
  schema: S
  /** Ids that a line refers to; they must exist, or stand further up. */
  references: (values: Partial<z.output<S>>) => Reference[]
  /** Reads what the rules need beside the references; once for all lines. */
  load?: (db: Database, values: Partial<z.output<S>>[]) => Promise<Context>
  /** Notes in a line's draft whatever does not fit; `earlier` are the good lines above it. */
  check?: (draft: Draft<z.output<S>>, context: Context, earlier: z.output<S>[]) => void
  /** The statements that store `lines`, all good. */
  store: (db: Database, lines: z.output<S>[], context: Context) => Statement[]
  /** What else follows once `lines` are stored. */
  after?: (db: Database, lines: z.output<S>[]) => Promise<void>
  /** The next `limit` records above `after`, as import takes them, ordered by `id`. */
  page: (db: Database, after: number, limit: number) => Promise<Record<string, unknown>[]>
}

/** Declares an entity with its types. */
export function entity<S extends z.ZodObject, Context = undefined>(
  declared: Entity<S, Context>,
): Entity<S, Context> {
  return declared
}

/** Checks one line's data. */
export function checkLine({ schema }: Entity, number: number, data: Record<string, unknown>): Line {
  const draft = checkObject(schema as z.ZodObject, data)
  const { id = null, key = null } = data
  return {
    number,
    id: Number.isSafeInteger(id) ? (id as number) : typeof key === 'string' ? key : null,
    draft,
    message: null,
  }
}

/** Stores the good ones of `lines`; the others get their `message`. */
export async function storeLines(db: Database, declared: Entity, lines: Line[]): Promise<void> {
  const values = lines.map((line) => line.draft.values)
  const references = values.map((value) => declared.references(value))
  const [missing, context] = await Promise.all([
    findMissing(db, references.flat()),
    declared.load ? declared.load(db, values) : undefined,
  ])
  const good: { line: Line; values: Record<string, unknown> }[] = []
  for (const [index, line] of lines.entries()) {
    refuseMissing(line.draft, references[index] ?? [], missing)
    declared.check?.(
      line.draft,
      context,
      good.map((entry) => entry.values),
    )
    try {
      good.push({ line, values: line.draft.complete() })
      // From here on the lines below may refer to it.
      if (typeof line.id === 'number') missing.get(declared.name)?.delete(line.id)
    } catch (error) {
      line.message = error instanceof ApiError ? error.message : 'Invalid data'
    }
  }
  await storeTogether(db, declared, good, context)
}

/** One transaction for all; where a constraint stops it, one for each half, down to the line at fault. */
async function storeTogether(
  db: Database,
  declared: Entity,
  good: { line: Line; values: Record<string, unknown> }[],
  context: unknown,
): Promise<void> {
  if (good.length === 0) return
  const values = good.map((entry) => entry.values)
  try {
    await batch(db, declared.store(db, values, context))
  } catch (error) {
    const violated = violatedConstraint(error)
    if (!violated) throw error
    if (good.length === 1) {
      for (const { line } of good) line.message = CONSTRAINTS[violated] ?? 'Does not fit the stored data'
      return
    }
    const middle = good.length >> 1
    await storeTogether(db, declared, good.slice(0, middle), context)
    await storeTogether(db, declared, good.slice(middle), context)
    return
  }
  await declared.after?.(db, values)
}

const CONSTRAINTS: Record<string, string> = {
  UNIQUE: 'A value that must be unique is taken by another record',
  FOREIGNKEY: 'Refers to a record that was refused',
}

async function findMissing(db: Database, references: Reference[]): Promise<Missing> {
  if (references.every(({ ids }) => ids.length === 0)) return new Map()
  return readMissing(await selectMissing(db, references))
}
