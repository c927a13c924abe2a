/**
 * A sample of the records of every entity, for tests that go over all of them. Each resource says its own in
 * `test/resources/<name>/sample.ts`.
 */
import { ENTITIES } from '../../../src/admin/transfer/entities.ts'
import { columnFields, RECORD_FIELDS } from '../../../src/catalogue/record-fields.ts'
import type { Resource } from '../../../src/catalogue/resources.ts'

type Data = Record<string, unknown>

interface Sample {
  /** The smallest line of an import, without its id. What it refers to is there after `seedLines`. */
  smallest?: Data
  /** A line with a value for every key, and the id 50 or more. */
  whole?: Data
  /** A change of one key of `whole`. */
  change?: Data
  /** A body that creates a record, with lists and texts of all kinds of characters. */
  create?: Data
  /** A change of it where it is written, and what the trail has of that: values before and after, and names of other fields. */
  update?: [body: Data, changed: Data, others: string[]]
  /** A body that creates a record, where the smallest line is none. */
  smallestBody?: Data
  /** Makes the record that `create` names as `{id}`, where each needs one of its own. */
  createdFor?: () => Promise<number>
}

export type Samples = Record<string, Sample>

const FILES = import.meta.glob('../../resources/*/sample.ts', { eager: true }) as Record<
  string,
  { samples: Samples }
>

/** All of them, in the order in which they can be imported. */
const SAMPLES: [entity: string, sample: Sample][] = Object.values(FILES)
  .flatMap(({ samples }) => Object.entries(samples))
  .toSorted(([a], [b]) => placeOf(a) - placeOf(b))

function placeOf(entity: string): number {
  return ENTITIES.findIndex(({ name }) => name === entity)
}

function pick<K extends keyof Sample>(key: K): [entity: string, data: NonNullable<Sample[K]>][] {
  return SAMPLES.flatMap(([entity, { [key]: data }]) => (data ? [[entity, data] as const] : []))
}

/** What the smallest line of each entity has beside its id. */
export const SMALLEST = Object.fromEntries(pick('smallest'))

/** A whole record of every entity, but for the lists of names of which there is one. */
export const RECORDS = pick('whole')

/** A change of one key for each of `RECORDS`. */
export const CHANGES = Object.fromEntries(pick('change'))

/** Bodies that create records, by table. */
export const CREATED = Object.fromEntries(pick('create'))

/** The least that creates a record, by table. */
const SMALLEST_BODIES = { ...SMALLEST, ...Object.fromEntries(pick('smallestBody')) }

/** A body that creates a record of a resource. */
export const bodyFor = async ({ table, door }: Pick<Resource, 'table' | 'door'>): Promise<Data> =>
  naming((door ? CREATED : SMALLEST_BODIES)[table] ?? {}, await CREATED_FOR[table]?.())

/** Changes of these, by table. */
export const UPDATES = Object.fromEntries(pick('update'))
/** What makes the records that such bodies name, by table. */
export const CREATED_FOR = Object.fromEntries(pick('createdFor'))

/** A body that names the record `id`, or the one created before it. */
export const naming = (body: Data, id: number | undefined): Data =>
  JSON.parse(
    JSON.stringify(body)
      .replaceAll('"{id}"', String(id))
      .replaceAll('"{before}"', String(Number(id) - 1)),
  )

/** What reads show, and bodies and imports change, of tables where that is not `notes`. */
const SHOWN: Record<string, string> = {
  ...{ listings: 'price', requests: 'price_max', external_listings: 'price' },
  ...{ knowledge_base_categories: 'description', knowledge_base_articles: 'content', activities: 'text' },
}
const NUMBERS = new Set(['price', 'price_max'])

/** A change of a record of a table that reads show, as a body or a line of an import has it. */
export function shownChange(table: string, to: number): Data {
  const key = SHOWN[table] ?? 'notes'
  const fields = columnFields(RECORD_FIELDS.get(table) ?? { columns: {} })
  if (!fields.some(({ name }) => name === key))
    throw new Error(
      `${table} has no ${key}: add a field that it has to SHOWN of test/support/factories/samples.ts`,
    )
  return { [key]: NUMBERS.has(key) ? to : String(to) }
}
