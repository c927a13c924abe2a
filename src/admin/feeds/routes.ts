/** `/admin/feeds`: feeds for portals, and what they leave out. */
import type { z } from 'zod'
import { type Database, database } from '../../db/client.ts'
import { whyLeftOut } from '../../feeds/kyero/left-out.ts'
import { toFeedListing } from '../../feeds/listing.ts'
import { filtersOf, type StoredFeed } from '../../feeds/stored.ts'
import { jsonBytes } from '../../fields/values.ts'
import { describeEntered } from '../../http/caller/provenance.ts'
import { Router } from '../../http/endpoint/router.ts'
import { notFound, writeConflict } from '../../http/errors.ts'
import {
  deleted,
  deletedBody,
  lookupBody,
  recordBody,
  replyWithLookup,
  replyWithRecord,
  updatedBody,
  updatedReply,
} from '../../http/reply/envelope.ts'
import type { Draft } from '../../http/request/check.ts'
import { MAX_FILTERS } from '../../http/request/read.ts'
import { publicUrlBuilder } from '../../http/urls.ts'
import { problemOfPageUrl } from '../../resources/listings/public/page-urls.ts'
import { LARGE_PORTION, walkPublicListings } from '../../resources/listings/public/walk.ts'
import { ADMINISTRATION } from '../tag.ts'
import { feed, feedInput, feedUpdate, leftOutListing, presentFeed } from './schema.ts'
import {
  createFeed,
  type FeedValues,
  findFeedAndCodes,
  findFeeds,
  MAX_FEEDS,
  removeFeed,
  rotateToken,
  TOO_MANY_FEEDS,
  updateFeed,
} from './store.ts'

export const feedAdminRoutes = new Router(...ADMINISTRATION)

const RESOURCE = 'Feed'
/** How often a change is tried again that meets another one. */
const ATTEMPTS = 5

feedAdminRoutes.post(
  '/admin/feeds',
  {
    summary: 'Make a feed',
    scope: 'admin:settings',
    description:
      'Its URL cannot be guessed. Whoever knows it reads, without a key, what the public may see of the active listings ' +
      `that its filters find. At most ${MAX_FEEDS}. See [Portals](/docs/portals.md).`,
    body: feedInput,
    reply: recordBody(feed),
    errors: { 409: TOO_MANY_FEEDS },
  },
  async (c, input) => {
    const draft = await input.body()
    const db = database(c.env)
    const { codes } = await findFeedAndCodes(db, null)
    const values = checkFeed(draft, null, codes)
    draft.complete()
    const stored = await createFeed(db, values)
    describeEntered(c.env, { record_id: String(stored.id) })
    return replyWithRecord(c, presentFeed(c, stored))
  },
)

feedAdminRoutes.get(
  '/admin/feeds',
  {
    summary: 'List the feeds',
    scope: 'admin:settings',
    operationId: 'listFeeds',
    description: 'Oldest first.',
    reply: lookupBody(feed),
  },
  async (c) => {
    const rows = await findFeeds(database(c.env))
    return replyWithLookup(
      c,
      rows.map((row) => presentFeed(c, row)),
    )
  },
)

feedAdminRoutes.get(
  '/admin/feeds/{id}',
  { scope: 'admin:settings', summary: 'Read a feed', resource: RESOURCE, reply: recordBody(feed) },
  async (c, input) => {
    const { feed: row } = await findFeedAndCodes(database(c.env), input.id())
    return replyWithRecord(c, presentFeed(c, found(row)))
  },
)

feedAdminRoutes.put(
  '/admin/feeds/{id}',
  {
    summary: 'Change a feed',
    scope: 'admin:settings',
    resource: RESOURCE,
    description:
      'Keys that are not sent keep their values; `filters` are replaced as a whole. Another format is another file under the ' +
      'same token.',
    body: feedUpdate,
    reply: updatedBody,
  },
  async (c, input) => {
    const sent = await input.body()
    const id = input.id()
    const db = database(c.env)
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const { feed: row, codes } = await findFeedAndCodes(db, id)
      const current = found(row)
      const draft = sent.fork()
      const values = checkFeed(draft, current, codes)
      draft.complete()
      if (await updateFeed(db, current, values)) return c.json(updatedReply(id))
    }
    throw writeConflict()
  },
)

feedAdminRoutes.delete(
  '/admin/feeds/{id}',
  {
    summary: 'Delete a feed',
    scope: 'admin:settings',
    resource: RESOURCE,
    description: 'Its URL answers 404 at once.',
    reply: deletedBody,
  },
  async (c, input) => {
    const id = input.id()
    if (!(await removeFeed(database(c.env), id))) throw notFound(RESOURCE)
    return c.json(deleted(id))
  },
)

feedAdminRoutes.post(
  '/admin/feeds/{id}/rotate',
  {
    summary: 'Change the URL of a feed',
    scope: 'admin:settings',
    operationId: 'rotateFeedUrl',
    resource: RESOURCE,
    description: 'The old URL answers 404 at once.',
    reply: recordBody(feed),
  },
  async (c, input) => {
    const row = await rotateToken(database(c.env), input.id())
    return replyWithRecord(c, presentFeed(c, found(row)))
  },
)

feedAdminRoutes.get(
  '/admin/feeds/{id}/left-out',
  {
    summary: 'List what a feed leaves out',
    scope: 'admin:settings',
    operationId: 'listLeftOutListings',
    resource: RESOURCE,
    description:
      'The active listings that the filters find and the format has no room for, each with the first reason. Only `kyero` ' +
      'leaves listings out.',
    reply: lookupBody(leftOutListing),
  },
  async (c, input) => {
    const db = database(c.env)
    const row = found((await findFeedAndCodes(db, input.id())).feed)
    return replyWithLookup(c, row.format === 'kyero' ? await findLeftOut(db, row, publicUrlBuilder(c)) : [])
  },
)

async function findLeftOut(
  db: Database,
  row: StoredFeed,
  url: (key: string) => string,
): Promise<{ listing_id: number; reason: string }[]> {
  const leftOut: { listing_id: number; reason: string }[] = []
  for await (const rows of walkPublicListings(db, filtersOf(row), LARGE_PORTION)) {
    for (const listing of rows) {
      const reason = whyLeftOut(toFeedListing(listing, url))
      if (reason) leftOut.push({ listing_id: listing.id, reason })
    }
  }
  return leftOut
}

/** The body of a change; that of a new feed has all of it. */
type FeedChanges = z.output<typeof feedUpdate>

/** Throws 404 for null. */
function found(row: StoredFeed | null): StoredFeed {
  if (!row) throw notFound(RESOURCE)
  return row
}

/**
 * The values of a feed once `draft` is merged over `current`. Adds to the draft what is wrong with them together.
 * @param codes those of all languages
 */
function checkFeed(
  draft: Draft<FeedChanges>,
  current: StoredFeed | null,
  codes: readonly string[],
): FeedValues {
  const { values } = draft
  const filters = values.filters === undefined ? current?.filters : values.filters
  const merged = {
    name: values.name ?? current?.name ?? '',
    format: values.format ?? current?.format ?? 'kyero',
    filters: Object.fromEntries(Object.entries(filters ?? {}).filter(([, value]) => value != null)),
    languages: (values.languages === undefined ? current?.languages : values.languages) ?? null,
    page_url: (values.page_url === undefined ? current?.page_url : values.page_url) ?? null,
  }
  checkFilters(draft, merged.filters)
  for (const [index, code] of (values.languages ?? []).entries())
    if (!codes.includes(code))
      draft.refuse(`languages.${index}`, `Invalid languages.${index}: must be a code of /api/languages`)
  checkPageUrl(draft, merged, codes)
  return merged
}

function checkFilters(draft: Draft<FeedChanges>, filters: Record<string, unknown>): void {
  const { bounds } = filters as { bounds?: { south: number; north: number } }
  if (bounds && bounds.south > bounds.north)
    draft.refuse('filters.bounds', 'Invalid filters.bounds: south must not be above north')
  if (jsonBytes(filters) > MAX_FILTERS)
    draft.refuse('filters', `Invalid filters: must be at most ${MAX_FILTERS} bytes of JSON`)
}

function checkPageUrl(
  draft: Draft<FeedChanges>,
  { format, languages, page_url }: FeedValues,
  codes: readonly string[],
): void {
  if (draft.isRefused('page_url')) return
  if (page_url === null) {
    if (format === 'sitemap') draft.refuse('page_url', 'Missing page_url')
    return
  }
  const problem = problemOfPageUrl(page_url, languages ?? codes)
  if (problem) draft.refuse('page_url', `Invalid page_url: ${problem}`)
}
