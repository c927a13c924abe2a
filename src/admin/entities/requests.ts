/** Import and export of requests: the create body, its dates, and whether it was deleted. */
import { asc, gt, inArray, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { SCALARS } from '../../catalogue/request.ts'
import { replaceLinkRows, upsertRows } from '../../db/bulk.ts'
import { batch, type Database } from '../../db/client.ts'
import * as tables from '../../db/tables/requests.ts'
import { formatDateTime } from '../../fields/values.ts'
import { matchRequests } from '../../resources/requests/matches.ts'
import { type RequestRow, selectRequests } from '../../resources/requests/queries.ts'
import { resolveRequest } from '../../resources/requests/resolve.ts'
import {
  checkCustomFields,
  checkWishes,
  type Found,
  readFound,
  referencesOf,
  selectFound,
} from '../../resources/requests/rules.ts'
import { importedRequest } from '../../resources/requests/schema.ts'
import { type Entity, entity } from '../entity.ts'

type Imported = z.output<typeof importedRequest>

interface Context {
  found: Found
  stored: Map<number, RequestRow>
}

const requests = entity<typeof importedRequest, Context>({
  name: 'requests',
  schema: importedRequest,
  // The export of a living agency names contacts that were deleted since.
  references: (values) => referencesOf(values, sql`true`),
  load: async (db, values) => {
    const [rows, ...answers] = await batch(db, [
      selectRequests(db).where(among(values.map(({ id }) => id ?? 0))),
      ...selectFound(db, values, [], null),
    ])
    return { found: readFound(...answers), stored: new Map(rows.map((row) => [row.id, row])) }
  },
  check: (draft, { found }) => {
    checkWishes(draft, found, null)
    checkCustomFields(draft, found, 'unchecked')
  },
  store: storeRequests,
  after: (db, lines) =>
    matchRequests(
      db,
      lines.map(({ id }) => id),
    ),
  page: async (db, after, limit) => {
    const rows = await selectRequests(db)
      .where(gt(tables.requests.id, after))
      .orderBy(asc(tables.requests.id))
      .limit(limit)
    return rows.map(exportRequest)
  },
})

export const requestEntities: Entity[] = [requests]

function storeRequests(db: Database, lines: Imported[], { found, stored }: Context) {
  return [
    upsertRows(
      db,
      tables.requests,
      lines.map((line) => rowOf(line, found, stored.get(line.id))),
    ),
    ...replaceLinkRows(
      db,
      tables.request_contacts,
      ['request_id', 'contact_id'],
      lines,
      (line) => line.contacts,
    ),
    ...replaceLinkRows(db, tables.request_users, ['request_id', 'user_id'], lines, (line) => line.users),
    ...replaceLinkRows(db, tables.request_tag_links, ['request_id', 'tag_id'], lines, (line) => line.tags),
    ...replaceLinkRows(
      db,
      tables.request_locations,
      ['request_id', 'location_id'],
      lines,
      (line) => line.locations,
    ),
  ]
}

/**
 * Every column of a request's row, in one order for all lines. Of what a line leaves open, status and dates keep
 * their stored values, so that the same file twice changes nothing.
 */
function rowOf(
  line: Imported,
  found: Found,
  stored: RequestRow | undefined,
): typeof tables.requests.$inferInsert {
  const created = line.date_created ?? stored?.date_created ?? formatDateTime(new Date())
  const { columns } = resolveRequest(line, found, null)
  return {
    ...EMPTY_ROW,
    ...(columns as typeof tables.requests.$inferInsert),
    id: line.id,
    version: (stored?.version ?? 0) + 1,
    status: line.status ?? stored?.status ?? found.default_status ?? 0,
    date_created: created,
    date_updated: line.date_updated ?? stored?.date_updated ?? created,
    is_deleted: line.is_deleted ?? false,
  }
}

const EMPTY_ROW = {
  ...Object.fromEntries(Object.keys(SCALARS).map((name) => [name, null])),
  has_elevator: false,
  source_id: null,
  rating: null,
  notes: null,
}

/** A request as import takes it. */
function exportRequest(row: RequestRow): Record<string, unknown> {
  const stored: Record<string, unknown> = { ...row }
  return {
    id: row.id,
    availability: row.availability,
    category: row.category,
    contacts: row.contacts,
    locations: row.locations,
    users: row.users,
    created_by: row.created_by,
    store_id: row.store_id,
    title: row.title,
    subcategories: row.subcategories,
    subtypes: row.subtypes,
    ...Object.fromEntries(Object.keys(SCALARS).map((name) => [name, stored[name]])),
    rating: row.rating,
    source_id: row.source_id,
    status: row.status,
    tags: row.tags,
    notes: row.notes,
    extra_fields: { ...row.criteria, ...row.custom_fields },
    date_created: row.date_created,
    date_updated: row.date_updated,
    ...(row.is_deleted ? { is_deleted: true } : {}),
  }
}

function among(ids: number[]) {
  return inArray(tables.requests.id, sql`(select value from json_each(${JSON.stringify(ids)}))`)
}
