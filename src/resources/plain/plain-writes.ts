/**
 * The writes of a plain resource: bodies, references, what a body changes, and link tables follow from its fields and parts.
 * The resource says which keys a call takes, and its rules.
 *
 *     serveWrites(noteRoutes, writesOf(notes, {
 *       create: { takes: ['title', 'store_id', 'contacts'], optional: ['store_id'], description: '…' },
 *       update: { takes: ['title', 'contacts'], description: '…' },
 *       lookups: ({ request_id }) => ({ request: selectRequest({ id: request_id }) }),
 *       decide: (draft, { request }, current) => ({ set: { store_id: draft.values.store_id ?? … } }),
 *     }))
 */
import { getTableColumns } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { z } from 'zod'
import { oneOf, RECORD_RESOURCES, type ResourceName, resourceNamed } from '../../catalogue/resources.ts'
import type { Database, NamedStatements, Results, Statements } from '../../db/client.ts'
import { selectDefaultCreator } from '../../db/default-creator.ts'
import { definitionsUnchanged, selectDefinitions } from '../../db/definitions.ts'
import {
  fieldReferences,
  type MissingReference,
  NOT_DELETED,
  newlyMissing,
  type Reference,
  refersTo,
  selectMissing,
  staysFound,
} from '../../db/references.ts'
import { allOf, hasChanges } from '../../db/rows.ts'
import type { SqlFragment, Statement } from '../../db/statements.ts'
import type { LinkTable } from '../../db/tables/links.ts'
import { inputs, pick } from '../../fields/derive.ts'
import type { Fields, Values as FieldValues } from '../../fields/field.ts'
import { formatDateTime, named, withoutUndefined } from '../../fields/values.ts'
import type { Contract } from '../../http/endpoint/contract.ts'
import type { Draft } from '../../http/request/check.ts'
import { isWritten, type Part, type Values, type WrittenPart } from './parts.ts'
import type { Reading } from './writes.ts'

/** What `plain()` has made. */
interface Plain<F extends Fields, Parts, Row> {
  resource: ResourceName
  table: SQLiteTable
  fields: F
  parts: Parts & Readonly<Record<string, Part>>
  check?(draft: Draft<Sent<F, Parts>>, known: Known<NoInfer<Row>>): void
  derive?(row: Partial<NoInfer<Row>>): Values
  select: (ids: { id: number }) => Statement<Row>
}

type SentOf<P> = P extends WrittenPart<infer _Stored, infer Sent, infer _Found> ? Sent : never

/** What a body of a resource may have. */
export type Sent<F extends Fields, Parts> = { [Name in keyof F]?: FieldValues<F>[Name] | null } & {
  [Name in keyof Parts]?: SentOf<Parts[Name]>
}

/** The values of keys that are no fields. Without keys, `z.output` would forbid all others. */
type Extra<More extends z.ZodRawShape> = keyof More extends never ? unknown : z.output<z.ZodObject<More>>

interface Call<Key, More> extends Pick<Contract, 'replyHeaders' | 'errors'> {
  /** The keys of its body, in the order in which problems are reported. */
  takes: readonly Key[]
  /** Keys that are no fields, or have another schema in this call. */
  more?: More
  description: string
}

/** What the rules know of the record, beside the body. */
export interface Known<Row> {
  /** Null for a new record. */
  current: Row | null
  /** The keys whose valid values change something; all that are sent of a new record. */
  changedKeys: ReadonlySet<string>
}

/** What rules make of a body, beside what it says. */
interface Made<Row> {
  /** Columns and lists that the body does not decide, also such that are not read. */
  set?: Partial<Row> & Values
  guard?: SqlFragment | null
  more?: Statements
  headers?: Readonly<Record<string, string | undefined>>
}

interface Rules<Row, Body extends object, More extends z.ZodRawShape, Lookups> {
  /** `optional`: required fields with a default, which the rules say but for `created_by`. */
  create: Call<keyof Body & string, More> & { optional?: readonly (keyof Body)[] }
  update: Call<keyof Body & string, Partial<More>>
  /** The statements that read what the rules need. */
  lookups?: (values: Body & Partial<Extra<More>>, reading: Reading) => Lookups & NamedStatements
  /** Throws 409 for changes that the state of a record forbids, however they fit what is stored. */
  requireOpen?: (current: Row, changedKeys: ReadonlySet<string>) => void
  /** Refuses what is not allowed, in the draft or by an error, and says what else is stored. */
  decide: (
    draft: Draft<Body & Extra<More>>,
    found: Results<Lookups>,
    known: Known<Row>,
    reading: Reading,
  ) => Made<Row>
  /** The statement that finds what a body creates, if it is stored already. */
  known?: (values: Body, db: Database) => Statement<{ id: number }> | null
}

/** The tables whose records a deletion hides: nothing new can refer to those. */
const HIDING = new Set(
  RECORD_RESOURCES.flatMap(({ table, deletedIf }) => (deletedIf === 'is_deleted' ? table : [])),
)

/** How a plain resource is created and updated, for `serveWrites`. */
export function writesOf<
  F extends Fields,
  Parts,
  Row extends { id: number; version: number },
  More extends z.ZodRawShape = Record<never, never>,
  Lookups = Record<never, never>,
>(
  { resource, table, fields, parts, check, derive, select }: Plain<F, Parts, Row>,
  rules: Rules<Row, Sent<F, Parts>, More, Lookups>,
) {
  const { create, update, lookups, requireOpen, decide, known: findStored } = rules
  type Body = Sent<F, Parts> & Extra<More>
  const facts = resourceNamed(resource)
  const taken = new Set<string>([...create.takes, ...update.takes])
  const hasCreator = taken.has('created_by')
  const written = Object.entries<Part>(parts).flatMap(([name, part]): [string, WrittenPart][] =>
    taken.has(name) ? [[name, requireWritten(name, part)]] : [],
  )
  const links: Record<string, LinkTable> = Object.fromEntries(
    written.flatMap(([name, part]) => (part.links ? [[name, part.links]] : [])),
  )
  const inputOf = new Map<string, z.ZodType>([
    ...Object.entries<z.ZodType>(inputs<Fields>(fields)),
    ...written.map(([name, { input }]): [string, z.ZodType] => [name, input]),
  ])
  const shapeOf = (takes: readonly string[]) =>
    Object.fromEntries(takes.map((key) => [key, inputOf.get(key) ?? z.never()]))
  const optional = new Set<string>((create.optional ?? []).map(String))
  const body = named(`${facts.one}Input`, `The body that creates ${oneOf(facts)}`, {
    ...Object.fromEntries(
      Object.entries(shapeOf(create.takes)).map(([key, schema]) => [
        key,
        optional.has(key) ? schema.nullish().describe(schema.description ?? '') : schema,
      ]),
    ),
    ...create.more,
  })
  const changes = z
    .object({ ...shapeOf(update.takes), ...update.more })
    .partial()
    .meta({
      id: `${facts.one}Update`,
      description: `Changes of ${oneOf(facts)}: only the keys that are sent`,
    })

  const referencesIn = (values: Values): Reference[] =>
    [
      ...fieldReferences<Fields>(fields, values),
      ...written.flatMap(([name, part]) =>
        values[name] === undefined ? [] : part.references(values[name], name),
      ),
    ].map((reference) => (HIDING.has(reference.table) ? { ...reference, where: NOT_DELETED } : reference))
  const isSent = (values: Values) => (entry: [string, WrittenPart]) => values[entry[0]] !== undefined
  const stored = new Set([...Object.keys(getTableColumns(table)), ...Object.keys(links)])
  /** What the values of a body make: columns and lists. */
  const madeOf = (values: Values, now: string): Values => {
    const parts = written
      .filter(isSent(values))
      .map(([name, part]) => part.resolve(values[name], name, undefined, now))
    const made: Values = Object.assign({}, pick<Fields>(fields, values), ...parts)
    return Object.fromEntries(Object.entries(made).filter(([name]) => stored.has(name)))
  }

  return {
    resource,
    table,
    links,
    current: select,
    lookups: (values: Partial<Body>, reading: Reading) => {
      const sent: Values = values
      const parts = written.filter(isSent(sent))
      return {
        missing: selectMissing(referencesIn(sent)),
        parts: parts.map(([name, { load }]) => load?.([sent[name]]) ?? null),
        definitions: parts.some(([, part]) => part.usesDefinitions) ? selectDefinitions() : null,
        creator: hasCreator && reading.id === null ? selectDefaultCreator(reading.db) : null,
        rules: lookups?.(values as Body, reading) ?? null,
      }
    },
    decide(
      draft: Draft<Body>,
      found: {
        missing: MissingReference[]
        parts: unknown[]
        definitions: { definitions: number }[] | null
        creator: { created_by: number | null }[] | null
        rules: unknown
      },
      current: Row | null,
      reading: Reading,
    ) {
      const now = formatDateTime(new Date())
      const sent: Values = draft.values
      if (found.creator && sent.created_by == null && !draft.isRefused('created_by')) {
        const [creator] = found.creator
        if (creator?.created_by == null) draft.refuse('created_by', 'Missing created_by')
        else sent.created_by = creator.created_by
      }
      const changedKeys = new Set(
        Object.keys(sent).filter((key) => !current || hasChanges(madeOf({ [key]: sent[key] }, now), current)),
      )
      draft.refuseAll(newlyMissing(found.missing, current))
      written.filter(isSent(sent)).forEach(([name, part], index) => {
        const facts = { name, sent: sent[name], isChanged: changedKeys.has(name), earlier: [] }
        part.check?.(draft as Draft<Values>, found.parts[index] as unknown[], facts)
      })
      const known = { current, changedKeys }
      if (current && draft.isComplete) requireOpen?.(current, changedKeys)
      check?.(draft, known)
      const {
        set = {},
        guard,
        more = null,
        headers = {},
      } = decide(draft, found.rules as Results<Lookups>, known, reading)
      const made: Values = {
        ...(!current && !fields.date_updated?.assigned ? { date_updated: null } : {}),
        ...madeOf(draft.complete(), now),
        ...withoutUndefined(set),
      }
      // The cast: what is made has the columns and lists of a row.
      Object.assign(made, derive?.({ ...current, ...made } as Partial<Row>))
      // A deletion meanwhile: another attempt says what is missing, or leaves it out of what follows from others.
      const added = referencesIn({ ...sent, ...withoutUndefined(set) }).map((reference) => ({
        ...reference,
        ids: reference.ids.filter((id) => !refersTo(current, { ...reference, id })),
      }))
      const lists = Object.keys(links).flatMap((name) => (name in made ? [[name, made[name]]] : []))
      const [version] = found.definitions ?? []
      return {
        change: {
          columns: Object.fromEntries(Object.entries(made).filter(([name]) => !(name in links))),
          ...Object.fromEntries(lists),
        },
        guard: allOf(guard, staysFound(added, []), version && definitionsUnchanged(version.definitions)),
        more,
        headers,
      }
    },
    ...(findStored && { known: findStored }),
    create: { ...docsOf(create), body },
    update: { ...docsOf(update), body: changes },
  }
}

function docsOf({ description, replyHeaders = {}, errors = {} }: Call<unknown, unknown>) {
  return { description, replyHeaders, errors }
}

function requireWritten(name: string, part: Part): WrittenPart {
  if (!isWritten(part)) throw new Error(`${name} cannot be written`)
  return part
}
