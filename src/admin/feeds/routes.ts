/** `/admin/feeds`: feeds for portals, and what they leave out. */
import { sql } from 'drizzle-orm'
import type { z } from 'zod'
import { type Database, database } from '../../db/client.ts'
import { sqlStatement } from '../../db/statements.ts'
import { languages as languageTable } from '../../db/tables/agency.ts'
import { feeds } from '../../db/tables/feeds.ts'
import { whyLeftOut } from '../../feeds/kyero/left-out.ts'
import { toFeedListing } from '../../feeds/listing.ts'
import { filtersOf, type StoredFeed } from '../../feeds/stored.ts'
import { jsonBytes } from '../../fields/values.ts'
import { Router } from '../../http/endpoint/router.ts'
import { lookupBody } from '../../http/reply/envelope.ts'
import type { Draft } from '../../http/request/check.ts'
import { MAX_FILTERS } from '../../http/request/read.ts'
import { publicUrlBuilder } from '../../http/urls.ts'
import { problemOfPageUrl } from '../../resources/listings/public/page-urls.ts'
import { LARGE_PORTION, walkPublicListings } from '../../resources/listings/public/walk.ts'
import { serveAddresses } from '../addresses.ts'
import { ADMINISTRATION } from '../tag.ts'
import { feed, feedInput, feedUpdate, leftOutListing, presentFeed } from './schema.ts'

export const feedAdminRoutes = new Router(...ADMINISTRATION)

const MAX_FEEDS = 100

const findFeed = serveAddresses(feedAdminRoutes, {
  ...{ table: feeds, name: 'Feed', maximum: MAX_FEEDS, input: feedInput, update: feedUpdate, record: feed },
  descriptions: {
    create:
      'Its URL cannot be guessed. Whoever knows it reads, without a key, what the public may see of the active listings ' +
      `that its filters find. At most ${MAX_FEEDS}. See [Portals](/docs/portals.md).`,
    update:
      'Keys that are not sent keep their values; `filters` are replaced as a whole. Another format is another file under the ' +
      'same token.',
  },
  reading: () => ({
    codes: sqlStatement<{ code: string }>(sql`select code from ${languageTable} order by id`),
  }),
  decide: (draft, { codes }, current) =>
    checkFeed(
      draft,
      current,
      codes.map(({ code }) => code),
    ),
  keep: (token) => token,
  present: presentFeed,
})

feedAdminRoutes.get(
  '/admin/feeds/{id}/left-out',
  {
    summary: 'List what a feed leaves out',
    scope: 'admin:settings',
    operationId: 'listLeftOutListings',
    resource: 'Feed',
    description:
      'The active listings that the filters find and the format has no room for, each with the first reason. Only `kyero` ' +
      'leaves listings out.',
    reply: lookupBody(leftOutListing),
  },
  async (c, input) => {
    const db = database(c.env)
    const row = await findFeed(db, input.id())
    return row.format === 'kyero' ? await findLeftOut(db, row, publicUrlBuilder(c)) : []
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

type FeedChanges = z.output<typeof feedUpdate>

/** The values of a feed that clients choose. */
type FeedValues = Pick<StoredFeed, 'name' | 'format' | 'filters' | 'languages' | 'page_url'>

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
