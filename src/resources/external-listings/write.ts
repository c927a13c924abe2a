import { batch, database } from '../../db/client.ts'
import { definitionsUnchanged, requireDefinitionsUnchanged } from '../../db/definitions.ts'
import { createRecord, mergeRecord } from '../../db/merge.ts'
import { addLinks, insertRow, newRow, updateRecord } from '../../db/rows.ts'
import { external_listings } from '../../db/tables/external-listings.ts'
import { formatDateTime } from '../../fields/values.ts'
import type { RecordRef, WriteContext } from '../../http/concurrency/entity-tags.ts'
import type { Draft } from '../../http/request/check.ts'
import { type KnownPhotos, type PhotoFailure, type StoredPhotos, storePhotosFromUrls } from './photos.ts'
import { type ExternalListingRow, LINKS, selectExternalListing } from './queries.ts'
import { type ExternalListingLookups, readLookups, selectLookups } from './references.ts'
import { columnsOf, pricePerSqm, resolveChange } from './resolve.ts'
import { validateExternalListing } from './rules.ts'
import type { ExternalListingChanges, ExternalListingInput } from './schema.ts'

interface ReplyOptions<Body> {
  body: (row: ExternalListingRow) => Body
  /** Receives the photos that failed, if any, before anything is stored. */
  failures: (failures: PhotoFailure[]) => void
}

/** Stores a new external listing with the photos that could be downloaded, and returns the body of the reply. Throws 400. */
export async function createExternalListing<Body>(
  env: Env,
  draft: Draft<ExternalListingInput>,
  context: WriteContext,
  options: ReplyOptions<Body>,
): Promise<Body> {
  const db = database(env)
  let photos: Promise<StoredPhotos> | undefined
  const { reply } = await createRecord(db, { ...context, table: external_listings }, async () => {
    const lookups = readLookups(await batch(db, selectLookups(draft.values)))
    validateExternalListing(draft, lookups, null)
    const input = draft.complete()
    // Only once, even if the write is tried again.
    photos ??= storePhotos(env, input.photos ?? [], options)
    const row = newExternalListing(input, lookups, await photos)
    const { tags, users, ...columns } = row
    return {
      row: insertRow(external_listings, columns),
      rest: {
        definitions: lookups.areas.length > 0 ? requireDefinitionsUnchanged(lookups.definitions) : null,
        links: addLinks(LINKS, external_listings, { tags, users }),
      },
      answer: (id) => options.body({ ...row, id }),
    }
  })
  return reply
}

/** How an update with photos reports them. */
interface PhotoOptions extends Pick<ReplyOptions<unknown>, 'failures'> {
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

/** Stores the photos, and reports those that failed. */
async function storePhotos(
  env: Env,
  urls: string[],
  { failures: reportFailures }: Pick<ReplyOptions<unknown>, 'failures'>,
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
