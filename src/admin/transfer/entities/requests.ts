/** Import and export of requests: the create body with what the service adds to it. */
import { z } from 'zod'
import { record, SCALARS } from '../../../catalogue/request.ts'
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
import { datesOf, defaultOf, defineEntity, rowsOf } from '../entity.ts'

const { id, date_created, date_updated } = inputs(record)

/** The fields of an imported request: the create body and what the service adds. */
const importedRequest = requestInput.extend({
  id,
  date_created,
  date_updated,
  is_deleted: z.boolean().nullish().describe('Whether it was deleted'),
})

export const requests = defineEntity<typeof importedRequest, RequestRow, RequestLookups>({
  ...rowsOf(tables.requests, importedRequest, selectRequests, LINKS),
  groups: ['extra_fields'],
  mergesChanges: true,
  present: (row) => {
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
  },
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
  // Status and creation date keep their stored values, in replace mode too, unless the line has others.
  resolve: (values, found, { stored, current }, now) => {
    const checked = { input: values, kind: kindOf(values, current) }
    const { columns, ...lists } = resolveRequest(checked, found, current)
    const before = { ...EMPTY_ROW, ...current }
    return {
      ...before,
      ...columns,
      ...lists,
      id: values.id,
      ...(current ? {} : { status: values.status ?? stored?.status ?? found.default_status ?? 0 }),
      created_by: values.created_by ?? before.created_by,
      ...datesOf(values, stored, now),
      is_deleted: values.is_deleted ?? before.is_deleted,
    } as RequestRow
  },
  usesDefinitions: true,
  after: matchRequests,
})

const EMPTY_ROW = {
  version: 1,
  ...toRow(SCALARS, {}),
  source_id: null,
  rating: null,
  notes: null,
  contacts: [],
  users: [],
  tags: [],
  locations: [],
  created_by: 0,
  is_deleted: false,
}
