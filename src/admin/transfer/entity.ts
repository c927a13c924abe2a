/**
 * What import and export need to know of each entity. Both speak one form, that of `present`: an export writes it, and
 * a line is merged over it (`merge-lines.ts`), checked by the same schema, and made into a record by `resolve`.
 */
import type { SQL } from 'drizzle-orm'
import type { z } from 'zod'
import { resourceOfTable } from '../../db/changes.ts'
import type { Database } from '../../db/client.ts'
import type { DefinitionChange } from '../../db/definitions.ts'
import type { Reference } from '../../db/references.ts'
import type { Statement } from '../../db/statements.ts'
import type { Draft } from '../../http/request/check.ts'

/** Whether a line changes the keys that it has, or is the whole record. */
export type Mode = 'merge' | 'replace'

/** A line's values, and the record that they meet. */
export interface ImportedLine<T, Row> {
  /** The whole record as the line would have it; of an entity that `mergesChanges` only what changes. */
  values: Partial<T>
  /** The record as it is stored; null for a new one. */
  stored: Row | null
  /** The record that the line is merged into; null for a new one, and where the line is the whole record. */
  current: Row | null
  /** Keys of the line that differ from `current`. */
  sent: ReadonlySet<string>
}

/** A record as it is to be stored, and as it is. */
export interface StoredEntry<Row> {
  row: Row
  stored: Row | null
}

/** How one entity is imported and exported. */
export interface Entity<
  // biome-ignore lint/suspicious/noExplicitAny: entities of different shapes stand in one list; each is typed where it is declared
  S extends z.ZodObject = any,
  // biome-ignore lint/suspicious/noExplicitAny: see above
  Row extends object = any,
  // biome-ignore lint/suspicious/noExplicitAny: see above
  Context = any,
> {
  /** Also the name of its table. */
  name: string
  /** What a record is known by; `id` when absent. */
  key?: 'key'
  schema: S
  /** Keys whose objects are merged key by key; anything else is replaced whole. */
  groups?: readonly string[]
  /** Its rules take the changed keys alone, like those of PUT, and `resolve` merges them into the record. */
  mergesChanges?: true
  /** A line that is merged, in the words of `present` where it may use others. */
  toCanonical?: (data: Record<string, unknown>) => Record<string, unknown>
  /** Whether a line is a record of its own although one has its id, which then gives way. */
  isOther?: (data: Record<string, unknown>, stored: Row) => boolean
  /**
   * The statement for the first `limit` of the records that meet `where`, in the order of their ids; those of the
   * agency, which are read as a whole, with what is referred to first.
   */
  read: (where: SQL, limit: number) => Statement<Row>
  /** A record as a line has it. */
  present: (row: Row) => Record<string, unknown>
  /** Ids that a line refers to; they must exist, or stand further up. */
  references: (values: Partial<z.output<S>>) => Reference[]
  /** Reads what the rules need beside the references; once for all lines. */
  load?: (db: Database, lines: ImportedLine<z.output<S>, Row>[]) => Promise<Context>
  /** Notes in a line's draft whatever does not fit; `earlier` are the good lines above it. */
  check?: (
    draft: Draft<z.output<S>>,
    context: Context,
    line: ImportedLine<z.output<S>, Row>,
    earlier: z.output<S>[],
  ) => void
  /** Ids of its own kind that a line names and that are not stored: they may stand further down, too. */
  pendingReferences?: (values: z.output<S>, context: Context) => PendingReference[]
  /** The record that a good line makes. What the line leaves open keeps its value. */
  resolve: (values: z.output<S>, context: Context, line: ImportedLine<z.output<S>, Row>, now: string) => Row
  /** The statements that store records. */
  store: (entries: StoredEntry<Row>[], context: Context) => Statement[]
  /** Its records are judged by the definitions that they name, and stored only while those are as they were then. */
  usesDefinitions?: true
  /** Of definitions: what storing these does to them. */
  changesDefinitions?: (entries: StoredEntry<Row>[]) => Omit<DefinitionChange, 'table'>
  /** What else follows once records are stored. */
  after?: (db: Database, rows: Row[]) => Promise<void>
}

/** An id in `field` that has to be stored before, or together. */
export interface PendingReference {
  field: string
  id: number
}

/** Declares an entity with its types. */
export function defineEntity<S extends z.ZodObject, Row extends object, Context = undefined>(
  declared: Entity<S, Row, Context>,
): Entity<S, Row, Context> {
  return declared
}

/** The value that a record or a line is known by; null where it has none that could be one. */
export function recordKeyOf(entity: Entity, record: object): number | string | null {
  const key = entity.key ?? 'id'
  const value: unknown = Object.hasOwn(record, key) ? Reflect.get(record, key) : undefined
  if (key === 'key') return typeof value === 'string' ? value : null
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null
}

/** Whether the feed of changes names the changes of its records; the others make up the agency. */
export function isInChangeFeed({ name }: Entity): boolean {
  return resourceOfTable(name) !== null
}

/** A record as a line of a file; one that is to be the whole record says so. */
export function exportLine(
  entity: Entity,
  row: object,
  mode: Mode = 'merge',
  data: Record<string, unknown> = entity.present(row),
): string {
  const line = { entity: entity.name, data, ...(mode === 'merge' ? {} : { mode }) }
  return `${JSON.stringify(line)}\n`
}
