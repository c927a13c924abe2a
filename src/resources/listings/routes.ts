/** `/api/listings`: list, read, create, update, status, and the lookups of listings. */
import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { ALL_SUBCATEGORIES, CATEGORIES } from '../../catalogue/enums.ts'
import { FEATURE_GROUPS, FEATURES } from '../../catalogue/features.ts'
import { type Database, database } from '../../db/client.ts'
import { listings } from '../../db/tables/listings.ts'
import { listing_sources, listing_subtypes, listing_tags } from '../../db/tables/lookups.ts'
import {
  createdBody,
  item,
  itemBody,
  list,
  listBody,
  lookup,
  lookupBody,
  updatedBody,
} from '../../http/envelope.ts'
import { notFound } from '../../http/errors.ts'
import { readOptions } from '../../http/filters.ts'
import { Router } from '../../http/router.ts'
import { publicUrl } from '../../http/urls.ts'
import { customField, findCustomFields } from '../custom-fields/definitions.ts'
import { findNames, named } from '../lookups/names.ts'
import { addPanoramas, addPhotos, panoramaResult, photoResult, photoUpload } from './photos.ts'
import { findPage, selectListings } from './queries.ts'
import * as schema from './schema.ts'
import { createListing, setStatus, updateListing } from './write.ts'

export const listingRoutes = new Router(
  'Listings',
  'The properties that the agency offers: where they are, what they are like, their texts, photos and panoramas.',
)

listingRoutes.get(
  '/api/listings',
  { summary: 'List listings', filters: schema.listingFilters, list: true, reply: listBody(schema.listing) },
  async (c, input) => {
    const filters = await input.filters()
    const { rows, total } = await findPage(database(c.env), filters)
    const url = publicUrl(c)
    const records = rows.map((row) => schema.presentListing(row, url, filters.fields === 'all'))
    return list(c, { page: filters.page ?? 1, total }, records)
  },
)

listingRoutes.get(
  '/api/listings/{id}',
  { summary: 'Read a listing', resource: 'Listing', filters: readOptions, reply: itemBody(schema.listing) },
  async (c, input) => {
    const [row] = await selectListings(database(c.env)).where(eq(listings.id, input.id()))
    if (!row) throw notFound('Listing')
    const { fields } = await input.filters()
    return item(c, schema.presentListing(row, publicUrl(c), fields === 'all'))
  },
)

listingRoutes.post(
  '/api/listings',
  {
    summary: 'Create a listing',
    description: 'A new listing is a draft without a code, whatever the body says.',
    body: schema.createListing,
    reply: createdBody,
  },
  async (c, input) => {
    const id = await createListing(database(c.env), await input.body())
    return c.json({ status: 200, created_id: id })
  },
)

listingRoutes.put(
  '/api/listings/{id}',
  {
    summary: 'Update a listing',
    description:
      'Only the keys sent change. Null clears; lists are replaced whole; groups are merged key by key.',
    resource: 'Listing',
    body: schema.updateListing,
    reply: updatedBody,
  },
  async (c, input) => {
    const draft = await input.body()
    const id = input.id()
    await updateListing(database(c.env), id, draft)
    return c.json({ status: 200, updated_id: id })
  },
)

listingRoutes.post(
  '/api/listings/{id}/status',
  {
    summary: 'Change the status of a listing',
    description: 'Leaving draft for the first time gives the listing its code.',
    resource: 'Listing',
    body: schema.changeStatus,
    reply: updatedBody,
  },
  async (c, input) => {
    const draft = await input.body()
    const id = input.id()
    const db = database(c.env)
    await requireListing(db, id)
    await setStatus(db, id, draft.complete().to)
    return c.json({ status: 200, updated_id: id })
  },
)

const PHOTO_DOCS =
  'The format is told from the bytes: JPEG, PNG, GIF or WebP. One answer per entry, in order; a failure of one does ' +
  'not touch the others.'

listingRoutes.post(
  '/api/listings/{id}/photos',
  {
    summary: 'Add photos to a listing',
    description: PHOTO_DOCS,
    resource: 'Listing',
    body: photoUpload,
    reply: lookupBody(photoResult),
  },
  async (c, input) => {
    const draft = await input.body()
    const validate = () => draft.complete().photos
    return lookup(c, await addPhotos(c.env, database(c.env), input.id(), validate, publicUrl(c)))
  },
)

listingRoutes.post(
  '/api/listings/{id}/panorama-photos',
  {
    summary: 'Add 360° panoramas to a listing',
    description: `${PHOTO_DOCS} The first one opens the tour at \`panorama_tour_url\`.`,
    resource: 'Listing',
    body: photoUpload,
    reply: lookupBody(panoramaResult),
  },
  async (c, input) => {
    const draft = await input.body()
    const validate = () => draft.complete().photos
    return lookup(c, await addPanoramas(c.env, database(c.env), input.id(), validate, publicUrl(c)))
  },
)

listingRoutes.get(
  '/api/listings/sources',
  { summary: 'Listing sources', reply: lookupBody(named) },
  async (c) => lookup(c, await findNames(c.env, listing_sources)),
)

listingRoutes.get('/api/listings/tags', { summary: 'Listing tags', reply: lookupBody(named) }, async (c) =>
  lookup(c, await findNames(c.env, listing_tags)),
)

listingRoutes.get(
  '/api/listings/subtypes',
  {
    summary: 'Listing subtypes',
    reply: lookupBody(
      z.object({
        id: z.int(),
        subcategory: z.enum(ALL_SUBCATEGORIES),
        translations: z.array(z.object({ language_id: z.int(), name: z.string() })),
      }),
    ),
  },
  async (c) => lookup(c, await database(c.env).select().from(listing_subtypes).orderBy(listing_subtypes.id)),
)

listingRoutes.get(
  '/api/listings/custom-fields',
  { summary: 'Custom fields of listings', reply: lookupBody(customField) },
  async (c) => lookup(c, await findCustomFields(c.env, 'listings')),
)

listingRoutes.get(
  '/api/listings/features',
  {
    summary: 'Keys of features, positioning, view and flooring',
    reply: lookupBody(
      z.object({
        group: z.enum(FEATURE_GROUPS),
        key: z.string().describe('Form in answers'),
        input: z.string().describe('Form in the create body; both are accepted'),
        name_en: z.string(),
        name_el: z.string(),
        categories: z.array(z.enum(CATEGORIES)).describe('Where it applies'),
      }),
    ),
  },
  (c) => lookup(c, [...FEATURES]),
)

/** Throws 404. */
async function requireListing(db: Database, id: number): Promise<void> {
  const [row] = await db.all(sql`select 1 from listings where id = ${id}`)
  if (!row) throw notFound('Listing')
}
