/** `/api/offers`: list and read. */
import { database } from '../../db/client.ts'
import { readRecord } from '../../db/merge.ts'
import { item, itemBody, list, listBody } from '../../http/envelope.ts'
import { readOptions } from '../../http/filters.ts'
import { Router } from '../../http/router.ts'
import { listedOffer, offer, presentListedOffer, presentOffer } from './present.ts'
import { findPage, selectOffer } from './queries.ts'
import * as schema from './schema.ts'

export const offerRoutes = new Router(
  'Offers',
  'What buyers offered for a property, and how it was negotiated, round by round. The property is a listing of the ' +
    'agency, or one off its system that the offer itself describes: see `ListingReference`.',
)

offerRoutes.get(
  '/api/offers',
  {
    summary: 'List offers',
    description: 'Newest first. Records lack `rounds`, unless `fields=all` asks for them.',
    filters: schema.offerFilters,
    list: true,
    reply: listBody(listedOffer),
  },
  async (c, input) => {
    const filters = await input.filters()
    const { rows, total } = await findPage(database(c.env), filters)
    const present = filters.fields === 'all' ? presentOffer : presentListedOffer
    return list(c, { page: filters.page ?? 1, total }, rows.map(present))
  },
)

offerRoutes.get(
  '/api/offers/{id}',
  { summary: 'Read an offer', resource: 'Offer', filters: readOptions, reply: itemBody(offer) },
  async (c, input) => {
    const db = database(c.env)
    const record = input.record()
    const row = await readRecord(db, record, selectOffer({ id: record.id }))
    await input.filters()
    return item(c, presentOffer(row))
  },
)
