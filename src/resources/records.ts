/**
 * Endpoints that resources share: a list in pages, the read of one record, and its history.
 *
 *     serveRecords(offerRoutes, {
 *       resource: 'offers',
 *       list: { filters: offerFilters, record: listedOffer },
 *       read: { record: offer },
 *       findPage,
 *       select: selectOffer,
 *       present: presentOffer,
 *       presentListed: presentListedOffer,
 *     })
 */
import type { z } from 'zod'
import { oneOf, type ResourceName, resourceNamed } from '../catalogue/resources.ts'
import { type Database, database } from '../db/client.ts'
import { readRecord } from '../db/merge.ts'
import type { Page } from '../db/page.ts'
import type { Router } from '../http/endpoint/router.ts'
import { pageBody, recordBody } from '../http/reply/envelope.ts'
import type { Draft } from '../http/request/check.ts'
import { type CommonFilters, readOptions } from '../http/request/filters.ts'
import { publicUrlBuilder } from '../http/urls.ts'
import { serveHistory } from './history/entries.ts'

/** The documentation of an endpoint, and the schema of the record in its reply. */
interface EndpointDocs {
  description?: string
  record: z.ZodType
}

/**
 * Makes the JSON of a record.
 * @param url makes the public URL of a stored file
 * @param all whether the call has `fields=all`
 */
type Present<Row> = (row: Row, url: (key: string) => string, all: boolean) => object

interface Readable<Row> {
  resource: ResourceName
  read: EndpointDocs
  select: (ids: { id: number }) => Parameters<typeof readRecord<Row>>[2]
  present: Present<Row>
}

interface Listable<Row, F extends z.ZodObject> {
  resource: ResourceName
  list: EndpointDocs & { filters: F }
  /** Refuses filters that do not fit each other. */
  checkFilters?: (draft: Draft<z.output<F>>) => void
  read: EndpointDocs
  findPage: (db: Database, filters: z.output<F>) => Promise<Page<Row>>
  present: Present<Row>
  /** Makes the JSON of a record in a list without `fields=all`; `present` by default. */
  presentListed?: Present<Row>
}

/** Adds the list, the single read and, if there is one, the history of a resource to `router`. */
export function serveRecords<Row, F extends z.ZodObject<CommonFilters>>(
  router: Router,
  records: Readable<Row> & Listable<Row, F>,
): void {
  serveList(router, records)
  serveRead(router, records)
  if (resourceNamed(records.resource).history) serveHistory(router, records.resource)
}

/** Adds the read of one record. */
export function serveRead<Row>(
  router: Router,
  { resource, read: { record: schema, ...texts }, select, present }: Readable<Row>,
): void {
  const facts = resourceNamed(resource)
  router.get(
    `/api/${resource}/{id}`,
    {
      summary: `Read ${oneOf(facts)}`,
      ...texts,
      resource: facts.one,
      filters: readOptions,
      reply: recordBody(schema),
    },
    async (c, input) => {
      const record = input.record()
      const row = await readRecord(database(c.env), record, select({ id: record.id }))
      const { fields } = input.filters().complete()
      return present(row, publicUrlBuilder(c), fields === 'all')
    },
  )
}

function serveList<Row, F extends z.ZodObject<CommonFilters>>(
  router: Router,
  { resource, list: endpoint, checkFilters, read, findPage, present, presentListed }: Listable<Row, F>,
): void {
  const { record, filters: schema, ...texts } = endpoint
  router.get(
    `/api/${resource}`,
    {
      summary: `List ${resourceNamed(resource).many}`,
      ...texts,
      filters: schema,
      list: true,
      reply: pageBody(record, read.record),
    },
    async (c, input) => {
      const draft = input.filters()
      checkFilters?.(draft)
      const filters = draft.complete()
      const { rows, total } = await findPage(database(c.env), filters)
      const all = filters.fields === 'all'
      const presentRow = (!all && presentListed) || present
      const url = publicUrlBuilder(c)
      return { ...filters, total, rows: rows.map((row) => presentRow(row, url, all)) }
    },
  )
}
