/** Import and export of requests: the create body with what the service adds to it. */
import { z } from 'zod'
import { record, SCALARS } from '../../../catalogue/request.ts'
import { inIdOrder } from '../../../db/bulk.ts'
import { batch } from '../../../db/client.ts'
import * as tables from '../../../db/tables/requests.ts'
import { inputs, present, toRow } from '../../../fields/derive.ts'
import { matchRequests } from '../../../resources/matching/run.ts'
import { LINKS, type RequestRow, selectRequests } from '../../../resources/requests/queries.ts'
import {
  type RequestLookups,
  readLookups,
  referencesOf,
  selectFacts,
} from '../../../resources/requests/references.ts'
import { resolveRequest } from '../../../resources/requests/resolve.ts'
import { checkCriteria, checkCustomFields, kindOf } from '../../../resources/requests/rules.ts'
import { requestInput } from '../../../resources/requests/schema.ts'
import { defaultOf, defineEntity, type Entity, type ImportedLine, storeRows } from '../entity.ts'
import { datesOf } from './dates.ts'

const { id, date_created, date_updated } = inputs(record)

/** The fields of an imported request: the create body and what the service adds. */
const importedRequest = requestInput.extend({
  id,
  date_created,
  date_updated,
  is_deleted: z.boolean().nullish().describe('Whether it was deleted'),
})

type Imported = z.output<typeof importedRequest>

const requests = defineEntity<typeof importedRequest, RequestRow, RequestLookups>({
  name: 'requests',
  schema: importedRequest,
  groups: ['extra_fields'],
  mergesChanges: true,
  read: (where, limit) => selectRequests(inIdOrder(tables.requests.id, where, limit)),
  present: exportRequest,
  // An export may refer to deleted contacts.
  references: (values, isStrict) => referencesOf(values, isStrict ? undefined : 'true'),
  dependences: ({ status }) => ({
    reads: status == null ? defaultOf('default_request_status_id', 'request_statuses') : [],
  }),
  load: async (db, lines) => {
    const kept = lines.flatMap(({ current }) => current ?? [])
    const inputs = [
      ...lines.map(({ values }) => values),
      ...kept.map(({ locations, subtypes }) => ({ locations, subtypes })),
    ]
    return readLookups(await batch(db, selectFacts(inputs, null, 'any')))
  },
  check: (draft, found, { current }) => {
    checkCriteria(draft, found, current)
    checkCustomFields(draft, found, current)
  },
  resolve: resolveLine,
  usesDefinitions: true,
  store: storeRows(tables.requests, LINKS),
  after: matchRequests,
})

export const requestEntities: Entity[] = [requests]

/** Status and creation date keep their stored values, in replace mode too, unless the line has others. */
function resolveLine(
  values: Imported,
  found: RequestLookups,
  { stored, current }: ImportedLine<Imported, RequestRow>,
  now: string,
): RequestRow {
  const checked = { input: values, kind: kindOf(values, current) }
  const { columns, contacts, users, tags, locations } = resolveRequest(checked, found, current)
  const row = {
    ...EMPTY_ROW,
    ...current,
    ...columns,
    id: values.id,
    contacts: contacts ?? current?.contacts ?? [],
    users: users ?? current?.users ?? [],
    tags: tags ?? current?.tags ?? [],
    locations: locations ?? current?.locations ?? [],
    ...(current ? {} : { status: values.status ?? stored?.status ?? found.default_status ?? 0 }),
    created_by: values.created_by ?? current?.created_by ?? 0,
    ...datesOf(values, stored, now),
    is_deleted: values.is_deleted ?? current?.is_deleted ?? false,
  }
  return row as RequestRow
}

const EMPTY_ROW = {
  version: 1,
  ...toRow(SCALARS, {}),
  source_id: null,
  rating: null,
  notes: null,
}

/** A request in the form that import accepts. */
function exportRequest(row: RequestRow): Record<string, unknown> {
  const { id, date_created, date_updated, is_deleted, criteria, custom_fields } = row
  const values: Record<string, unknown> = {
    ...row,
    ...present(SCALARS, row),
    extra_fields: { ...criteria, ...custom_fields },
  }
  return {
    id,
    ...Object.fromEntries(Object.keys(requestInput.shape).map((key) => [key, values[key]])),
    date_created,
    date_updated,
    ...(is_deleted ? { is_deleted: true } : {}),
  }
}
