/** Every column that refers to another table, read off the schema. */
import { getTableName, is } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { lookupIn } from '../catalogue/lookups.ts'
import { isRecordTable } from '../catalogue/resources.ts'
import * as activities from './tables/activities.ts'
import * as agency from './tables/agency.ts'
import * as appointments from './tables/appointments.ts'
import * as calendars from './tables/calendars.ts'
import * as contacts from './tables/contacts.ts'
import * as enquiries from './tables/enquiries.ts'
import * as externalListings from './tables/external-listings.ts'
import * as finances from './tables/finances.ts'
import * as knowledgeBase from './tables/knowledge-base.ts'
import * as listings from './tables/listings.ts'
import * as lookups from './tables/lookups.ts'
import * as offers from './tables/offers.ts'
import * as requests from './tables/requests.ts'
import * as tasks from './tables/tasks.ts'

const MODULES = [
  activities,
  agency,
  appointments,
  calendars,
  contacts,
  enquiries,
  externalListings,
  finances,
  knowledgeBase,
  listings,
  lookups,
  offers,
  requests,
  tasks,
]

export const TABLES: readonly SQLiteTable[] = MODULES.flatMap((module): unknown[] =>
  Object.values(module),
).filter((one): one is SQLiteTable => is(one, SQLiteTable))

/** A column that refers to another table. */
interface Referring {
  target: string
  /** The table of the records that the column says something of. */
  kind: string
  /** A row of `table` is of the record `owner`. */
  table: string
  owner: string
  column: string
}

/** Every column that refers to another table. */
export const REFERRING: readonly Referring[] = TABLES.flatMap((table) => {
  const name = getTableName(table)
  const references = getTableConfig(table).foreignKeys.map((key) => {
    const { columns, foreignTable } = key.reference()
    return { column: columns[0]?.name ?? '', target: getTableName(foreignTable) }
  })
  const isWhole = isRecordTable(name) || lookupIn(name) !== undefined
  const owning = references.find(({ target }) => isRecordTable(target))
  // What belongs to no record stands for itself.
  const { target: kind, column: owner } = (isWhole ? undefined : owning) ?? { target: name, column: 'id' }
  return references.map(({ column, target }) => ({ target, kind, table: name, owner, column }))
})
