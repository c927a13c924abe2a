/** Writing external listings: two round trips, and one download for each photo between them. */
import { batch, type Database, database } from '../../db/client.ts'
import { addLinks, type Link } from '../../db/rows.ts'
import { selectNewestStamp } from '../../db/stamps.ts'
import {
  external_listing_tag_links,
  external_listing_users,
  external_listings,
} from '../../db/tables/external-listings.ts'
import { formatDateTime } from '../../fields/values.ts'
import type { Stamp } from '../../http/app.ts'
import type { Draft } from '../../http/check.ts'
import type { Tell } from '../../http/entity-tags.ts'
import { type PhotoFailure, storePhotos } from './photos.ts'
import type { ExternalListingRow } from './queries.ts'
import { columnsOf, pricePerSqm } from './resolve.ts'
import { checkExternalListing, readFound, referencesOf, selectFound } from './rules.ts'
import type { ExternalListingInput } from './schema.ts'

const LINKS = {
  tags: { table: external_listing_tag_links, owner: 'external_listing_id', to: 'tag_id' },
  users: { table: external_listing_users, owner: 'external_listing_id', to: 'user_id' },
} satisfies Record<string, Link>

export interface Created {
  row: ExternalListingRow
  /** Photos that were left out. */
  failures: PhotoFailure[]
}

/** Stores a new external listing with the photos that can be had. Throws 400. */
export async function createExternalListing(
  env: Env,
  draft: Draft<ExternalListingInput>,
  tell: Tell,
): Promise<Created> {
  const db = database(env)
  const references = referencesOf(draft.values)
  const found = readFound(...(await batch(db, selectFound(db, [draft.values], references))))
  checkExternalListing(draft, references, found)
  const input = draft.complete()
  const { keys, failures } = await storePhotos(env, input.photos ?? [])
  return { row: await insert(db, input, found.default_status, keys, tell), failures }
}

async function insert(
  db: Database,
  input: ExternalListingInput,
  defaultStatus: number | null,
  photos: string[],
  tell: Tell,
): Promise<ExternalListingRow> {
  const tags = input.tags ?? []
  const users = input.users ?? []
  const now = formatDateTime(new Date())
  const results = await batch(db, [
    db
      .insert(external_listings)
      .values({
        ...columnsOf(input),
        status: input.status ?? defaultStatus,
        price_per_sqm: input.price_per_sqm ?? pricePerSqm(input),
        date_created: now,
        date_updated: now,
        photos,
      })
      .returning(),
    ...addLinks(LINKS, external_listings, { tags, users }),
    selectNewestStamp(external_listings),
  ])
  const [[row]] = results
  const [stamp] = results.at(-1) as Stamp[]
  if (stamp) tell(stamp)
  if (!row) throw new Error('The insert gave no row')
  return { ...row, tags, users }
}
