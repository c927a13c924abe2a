/**
 * Writes external listings: two round trips, with one download for each photo between them. An update with photos reads
 * once more, so that nothing is downloaded for a body that is refused.
 */
import { sql } from 'drizzle-orm'
import { batch, type Database, database } from '../../db/client.ts'
import { definitionsUnchanged, requireDefinitionsUnchanged } from '../../db/definitions.ts'
import { changeRecord, createRecord, mergeRecord } from '../../db/merge.ts'
import { nextVersion } from '../../db/record-versions.ts'
import { isNotDeleted } from '../../db/references.ts'
import { addLinks, insertRow, newRow, updateRecord } from '../../db/rows.ts'
import { sqlStatement } from '../../db/statements.ts'
import {
  external_listing_tag_links,
  external_listing_users,
  external_listings,
} from '../../db/tables/external-listings.ts'
import { enterChangesWhere, MARKED_AS_DELETED } from '../../db/trail.ts'
import { formatDateTime } from '../../fields/values.ts'
import type { RecordRef, WriteContext } from '../../http/concurrency/entity-tags.ts'
import { notFound } from '../../http/errors.ts'
import type { Draft } from '../../http/request/check.ts'
import { type KnownPhotos, type PhotoFailure, type StoredPhotos, storePhotosFromUrls } from './photos.ts'
import { type ExternalListingRow, selectExternalListing } from './queries.ts'
import { type ExternalListingLookups, readLookups, selectLookups } from './references.ts'
import { columnsOf, pricePerSqm, resolveChange } from './resolve.ts'
import { validateExternalListing } from './rules.ts'
import type { ExternalListingChanges, ExternalListingInput } from './schema.ts'

const LINKS = {
  tags: external_listing_tag_links,
  users: external_listing_users,
}

/** How the reply is made. */
interface ReplyOptions {
  body: (row: ExternalListingRow) => unknown
  /** Receives the photos that failed, if any, before anything is stored. */
  failures: (failures: PhotoFailure[]) => void
}

/** Stores a new external listing with the photos that could be downloaded. Throws 400. */
export async function createExternalListing(
  env: Env,
  draft: Draft<ExternalListingInput>,
  context: WriteContext,
  reply: ReplyOptions,
): Promise<ExternalListingRow> {
  const db = database(env)
  let row: Omit<ExternalListingRow, 'id'> | undefined
  let photos: Promise<StoredPhotos> | undefined
  const rowOf = (id: number): ExternalListingRow => {
    if (!row) throw new Error('The external listing has not been resolved')
    return { ...row, id }
  }
  const creation = { ...context, table: external_listings, answer: (id: number) => reply.body(rowOf(id)) }
  const { id } = await createRecord(db, creation, async () => {
    const lookups = readLookups(await batch(db, selectLookups(draft.values)))
    validateExternalListing(draft, lookups, null)
    const input = draft.complete()
    // Only once, even if the write is tried again.
    photos ??= storePhotos(env, input.photos ?? [], reply)
    row = newExternalListing(input, lookups, await photos)
    const { tags, users, ...columns } = row
    return {
      row: insertRow(external_listings, columns),
      rest: {
        definitions: lookups.areas.length > 0 ? requireDefinitionsUnchanged(lookups.definitions) : null,
        links: addLinks(LINKS, external_listings, { tags, users }),
      },
    }
  })
  return rowOf(id)
}

/** How an update with photos reports them. */
interface PhotoOptions extends Pick<ReplyOptions, 'failures'> {
  /** Makes the public URL of a stored key. */
  url: (key: string) => string
}

/**
 * Merges the keys of `draft` into an external listing. Photos replace the stored ones, as `storePhotosFromUrls` says. Throws
 * 404, 412, 400, 503, and 409 if other calls keep changing it.
 */
export async function updateExternalListing(
  env: Env,
  record: RecordRef,
  draft: Draft<ExternalListingChanges>,
  options: PhotoOptions,
): Promise<void> {
  const db = database(env)
  const { photos: urls, ...values } = draft.values
  const reading = {
    current: selectExternalListing({ id: record.id }),
    lookups: selectLookups(values, values.location ? record.id : null),
  }
  const validate = (current: ExternalListingRow, lookups: ExternalListingLookups) => {
    validateExternalListing(draft, lookups, current)
    return draft.complete()
  }
  let photos: Omit<StoredPhotos, 'failures'> | undefined =
    urls === null ? { keys: [], sources: {} } : undefined
  if (urls) {
    const known: KnownPhotos[] = []
    await mergeRecord(db, record, reading, (current, results) => {
      validate(current, readLookups(results))
      known.push({
        keys: current.photos,
        addresses: new Map(current.photos.map((key) => [options.url(key), key])),
        sources: current.photo_sources,
      })
      return null
    })
    photos = await storePhotos(env, urls, options, known[0])
  }
  await mergeRecord(db, record, reading, (current, results) => {
    const lookups = readLookups(results)
    // At each attempt, as another call may have changed the record.
    const change = resolveChange(validate(current, lookups), current)
    if (photos) change.columns.photos = photos.keys
    return updateRecord(external_listings, LINKS, current, change, {
      guard: lookups.areas.length > 0 ? definitionsUnchanged(lookups.definitions) : null,
      more: photos ? { photo_sources: photos.sources } : {},
    })
  })
}

/** Marks an external listing as deleted. Throws 412, and 404 if it does not exist or is deleted. */
export async function deleteExternalListing(db: Database, record: RecordRef): Promise<void> {
  const { results } = await changeRecord(db, record, {
    trail: enterChangesWhere(
      external_listings,
      sql`id = ${record.id} and ${isNotDeleted}`,
      MARKED_AS_DELETED,
    ),
    deleted: sqlStatement<{ id: number }>(sql`update external_listings set is_deleted = 1,
      date_updated = ${formatDateTime(new Date())}, version = ${nextVersion(external_listings, record)}
      where id = ${record.id} and ${isNotDeleted} returning id`),
  })
  if (results.deleted.length === 0) throw notFound(record.name)
}

/** Stores the photos, and reports those that failed. */
async function storePhotos(
  env: Env,
  urls: string[],
  { failures: reportFailures }: Pick<ReplyOptions, 'failures'>,
  known?: KnownPhotos,
): Promise<StoredPhotos> {
  const stored = await storePhotosFromUrls(env, urls, known)
  if (stored.failures.length > 0) reportFailures(stored.failures)
  return stored
}

function newExternalListing(
  input: ExternalListingInput,
  { default_status }: ExternalListingLookups,
  photos: StoredPhotos,
) {
  const now = formatDateTime(new Date())
  const row = newRow(external_listings, {
    ...columnsOf(input),
    status: input.status ?? default_status,
    price_per_sqm: input.price_per_sqm ?? pricePerSqm(input),
    date_created: now,
    date_updated: now,
    photos: photos.keys,
    photo_sources: photos.sources,
  })
  return { ...row, tags: input.tags ?? [], users: input.users ?? [] }
}
