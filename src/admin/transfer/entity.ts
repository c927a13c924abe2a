/**
 * What import and export need to know of each entity: reads, rules and writes, in this order. An export writes the format
 * of `present`. An import merges a line over it (`merge-lines.ts`), checks the result by `schema`, and makes a record of it by
 * `resolve`.
 */
import { getTableName, type InferInsertModel, type InferSelectModel, type SQL } from 'drizzle-orm'
import type { z } from 'zod'
import { inIdOrder, replaceLinkRows, upsertRows } from '../../db/bulk.ts'
import { resourceOfTable } from '../../db/changes.ts'
import type { Database } from '../../db/client.ts'
import type { DefinitionChange } from '../../db/definitions.ts'
import type { TableWithId } from '../../db/page.ts'
import type { Reference } from '../../db/references.ts'
import { type Statement, selectRows } from '../../db/statements.ts'
import type { LinkTable } from '../../db/tables/links.ts'
import { type ChangedBy, changedBy } from '../../fields/changed-by.ts'
import { EVERYTHING_ADMIN } from '../../http/caller/admin-scope.ts'
import type { Problem } from '../../http/errors.ts'
import type { Draft } from '../../http/request/check.ts'
import type { Held, Removal } from '../../resources/enquiries/purge.ts'
import type { Line, Mode } from './line.ts'

/** Whether the caller may change what only `by` may. */
export function mayChange({ provenance }: Database, by: ChangedBy): boolean {
  const scopes = provenance?.scopes
  return !scopes || (by !== 'token' && [by, EVERYTHING_ADMIN].some((scope) => scopes.includes(scope)))
}

/** The keys of an entity that the caller must not change, by its schema. */
export function keptKeys(db: Database, { schema }: Entity): string[] {
  return Object.entries(schema.shape).flatMap(([key, field]) => {
    const by = changedBy(field)
    return by && !mayChange(db, by) ? key : []
  })
}

/**
 * Whether the caller is not the holder of `ADMIN_TOKEN`: a caller who may import must not grant itself more than that, nor
 * erase persons.
 */
export function isRestrictedCaller({ provenance }: Database): boolean {
  return provenance?.actor.type === 'key' || provenance?.actor.type === 'person'
}

/** The values of a line, and the stored record that has its id. */
export interface ImportedLine<T, Row> {
  /** The whole record after the merge; for an entity with `mergesChanges` only what changes. */
  values: Partial<T>
  /** The stored record; null for a new one. */
  stored: Row | null
  /** The record that the line is merged into; null for a new one, and in replace mode. */
  current: Row | null
  /** Keys that the line changes in `current`; all of its keys without one. */
  changedKeys: ReadonlySet<string>
}

/** A record to be stored, and the record that it replaces; null if it is new. */
export interface StoredLine<Row> {
  row: Row
  stored: Row | null
}

// biome-ignore lint/suspicious/noExplicitAny: one list holds entities of different shapes; each is typed where it is declared
type AnyShape = any

/**
 * What a line depends on, by name: `users 7` is a record, `users *` the set of all. Lines that share a name are stored in
 * their order (`steps.ts`), unless both only read it, or only add to it.
 */
export interface Dependences {
  reads?: readonly string[]
  changes?: readonly string[]
  /** The sets that it may add a record to. */
  adds?: readonly string[]
}

/** How one entity is imported and exported: how its records are read, what a line may be, and how that is stored. */
export interface Entity<S extends z.ZodObject = AnyShape, Row extends object = AnyShape, Context = AnyShape> {
  /** Also the name of its table. */
  name: string
  /** The key that identifies a record; `id` when absent. */
  key?: 'key'
  /**
   * The statement for the first `limit` records that meet `where`, in the order of their ids. Outside the change feed,
   * records that refer to others of the same entity come after them instead.
   */
  read: (where: SQL, limit: number) => Statement<Row>
  /** The `data` of a record's line. */
  present: (row: Row) => Record<string, unknown>
  schema: S
  /** Keys whose objects are merged key by key; all other values are replaced. */
  groups?: readonly string[]
  /** `check` and `resolve` get only the changed keys, as for PUT; `resolve` merges them into `current`. */
  mergesChanges?: true
  /** Converts a line to the format of `present`, if it may use other keys. */
  toCanonical?: (data: Record<string, unknown>) => Record<string, unknown>
  /** Whether a line is a new record that takes the id of a generated one. The generated one then gets a new id. */
  isDifferentRecord?: (data: Record<string, unknown>, stored: Row) => boolean
  /** Why a line is refused whatever else it says, even if it changes nothing; null if it is not. */
  refuses?: (line: Line, stored: Row, db: Database) => string | null
  /** Ids that a line refers to. They must be stored, or be in a line above. `isStrict`: as POST has it. */
  references?: (values: Partial<z.output<S>>, isStrict?: boolean) => Reference[]
  /** Ids of the records within a line, which have a table of their own. */
  nestedIds?: (values: Partial<z.output<S>>) => Reference[]
  /**
   * Reads what the rules need besides the references; once for all lines. For the agency it goes by what lines say alone: it is
   * read together with what is stored.
   */
  load?: (db: Database, lines: ImportedLine<z.output<S>, Row>[]) => Promise<Context>
  /** Reads what they need beyond that once it is known what is stored. It is added to the context. */
  loadMore?: (db: Database, lines: ImportedLine<z.output<S>, Row>[]) => Promise<Partial<Context>>
  /** The problems of a line that may be downloaded, also if it changes nothing. */
  refusedDownloads?: (line: Line) => Problem[]
  /**
   * What a line depends on besides its own record, its references and definitions. `isKnown`: whether something is stored, or
   * a line above may store it.
   */
  dependences?: (values: Partial<z.output<S>>, isKnown: (name: string) => boolean) => Dependences
  /**
   * Lines are compared with what is stored before they are arranged: many others depend on one that changes something, and none
   * on one that does not.
   */
  isSurveyed?: true
  /** Who may change the value of a key of a record; by its schema when absent. */
  changedBy?: (key: string, row: Row) => ChangedBy | null
  /** Columns whose values only one record may have. */
  unique?: readonly (string & keyof Row)[]
  /** Whether a record is none, and need not be stored unless there was one. */
  isNone?: (row: Row) => boolean
  /** Adds the problems of a line to its draft. `earlier` are the valid lines above it. */
  check?: (
    draft: Draft<z.output<S>>,
    context: Context,
    line: ImportedLine<z.output<S>, Row>,
    earlier: z.output<S>[],
  ) => void
  /** Adds the problems that POST refuses and an older record may have. They are warnings, unless the line is strict. */
  checkLikePost?: (draft: Draft<z.output<S>>, context: Context, line: ImportedLine<z.output<S>, Row>) => void
  /** Ids of the same entity that a line names and that are not stored. They may also be in a line below. */
  pendingReferences?: (values: z.output<S>, context: Context) => PendingReference[]
  /** The record that a valid line results in. In merge mode, keys that are not sent keep their values. */
  resolve: (values: z.output<S>, context: Context, line: ImportedLine<z.output<S>, Row>, now: string) => Row
  /**
   * The statements that store records. What lines below depend on is written by `bulk.ts` or `effects.ts`, for dry runs. `kept`:
   * the keys that the caller must not change, which others may have changed since they were read.
   */
  store: (entries: StoredLine<Row>[], context: Context, kept: readonly string[]) => Statement[]
  /**
   * The statements that remove records, if the service itself removes some, and those that find which stay: before them
   * (`held`), or afterwards (`left`). An import removes them by lines of an export.
   */
  remove?: (removals: Removal[]) => { held?: Statement<Held>; removed: Statement[]; left?: Statement<Held> }
  /** Its records are checked against definitions, so they are stored only if those are still unchanged. */
  usesDefinitions?: true
  /** For definitions: how storing `entries` changes them. */
  changesDefinitions?: (entries: StoredLine<Row>[]) => Pick<DefinitionChange, 'altered' | 'uses'>
  /** Follow-up work once records are stored, such as matching. */
  after?: (db: Database, ids: number[]) => Promise<void>
  /** Marks what is to be downloaded of stored lines, also of those that changed nothing. */
  markDownloads?: (db: Database, lines: Line[]) => Promise<void>
  screen?: Screen | undefined
}

/**
 * Judges the lines of an entity by what import itself does not know, such as who was erased. It is handed to the routes of the
 * import (`app.ts`).
 */
export interface Screen<Known = AnyShape> {
  /** What a line depends on for it. */
  dependences: (line: Line) => Dependences
  /** What is known of lines, and the table in which lines above may have changed that. */
  select: (lines: readonly Line[]) => Statement<Known>
  table: string
  /** Refuses lines, or changes what they say. `stored` has the stored records by the ids of lines. */
  judge: (lines: readonly Line[], known: readonly Known[], stored: ReadonlyMap<Line['id'], object>) => void
  /** The statements that follow those that store records. */
  store?: (entries: StoredLine<AnyShape>[]) => Statement[]
}

/** What a record depends on that takes the setting `setting` for its own, or else the first record of `table`. */
export function defaultOf(setting: string, table?: string): string[] {
  return [`settings ${setting}`, ...(table ? [`${table} *`] : [])]
}

/** An id in `field` that has to be stored before the line or together with it. */
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

/**
 * What entities have in common whose records are rows of `table`, with the lists of ids in `links`. `select` reads the records if
 * they have more than their columns.
 */
export function rowsOf<
  T extends TableWithId,
  S extends z.ZodObject,
  Row extends object = InferSelectModel<T>,
>(
  table: T,
  schema: S,
  // The cast: TypeScript does not know that all columns are read.
  select = (rest: SQL) => selectRows(table, rest) as unknown as Statement<Row>,
  links: Readonly<Record<string, LinkTable>> = {},
) {
  const store: Entity<AnyShape, InferInsertModel<T>>['store'] = (entries, _, kept) => {
    const rows: AnyShape[] = entries.map(({ row }) => row)
    return [
      ...upsertRows(table, rows, 'id', kept),
      ...Object.entries(links).flatMap(([name, link]) => replaceLinkRows(link, rows, (row) => row[name])),
    ]
  }
  return {
    name: getTableName(table),
    schema,
    read: (where: SQL, limit: number) => select(inIdOrder(table.id, where, limit)),
    store,
  }
}

/** The languages of the texts in `field` of a line. */
export function languagesOf(
  field: string,
  texts: readonly { language_id: number }[] | null | undefined,
): Reference {
  const ids = texts?.map(({ language_id }) => language_id) ?? []
  return { field: `${field}.language_id`, table: 'languages', ids }
}

/** The id or key of a record or a line; null when it has no valid one. */
export function recordKeyOf(entity: Entity, record: object): number | string | null {
  const key = entity.key ?? 'id'
  const value: unknown = Object.hasOwn(record, key) ? Reflect.get(record, key) : undefined
  if (key === 'key') return typeof value === 'string' ? value : null
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null
}

/** Whether the change feed covers its records. The other entities make up the agency. */
export function isInChangeFeed({ name }: Entity): boolean {
  return resourceOfTable(name) !== null
}

/** A record as a line of a file, with its newline. The line states its mode unless it is `merge`. */
export function exportLine(
  entity: Entity,
  row: object,
  mode: Mode = 'merge',
  data: Record<string, unknown> = entity.present(row),
): string {
  const line = { entity: entity.name, data, ...(mode === 'merge' ? {} : { mode }) }
  return `${JSON.stringify(line)}\n`
}

/** The dates of a record. Those that a line does not send keep their stored values, in replace mode too. */
export function datesOf(
  { date_created, date_updated }: { date_created?: string | null; date_updated?: string | null },
  stored: { date_created: string; date_updated: string } | null,
  now: string,
): { date_created: string; date_updated: string } {
  const created = date_created ?? stored?.date_created ?? now
  return { date_created: created, date_updated: date_updated ?? stored?.date_updated ?? created }
}
