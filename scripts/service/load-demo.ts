/**
 * Loads the demo agency: records by import, files and pictures by the same calls that any client makes. An interrupted
 * load can be continued.
 */
import { articleFiles, demoLines, type ListingPictures, listingPictures } from '../../demo/agency.ts'
import { type DemoSize, lineAround } from '../../demo/lines.ts'
import { type DemoPicture, readPhoto, watermark } from '../../demo/pictures.ts'
import { formatDateTime } from '../../src/fields/values.ts'
import { adminCall, adminData, createApiKey, type Service } from './admin.ts'
import { importLines } from './import-lines.ts'
import { showProgress } from './terminal.ts'

/** Name of the temporary key for a load, and its maximum lifetime in ms. */
const TEMPORARY_KEY = 'demo pictures'
const KEY_LIFETIME_MS = 60 * 60_000

/** Listings that get their pictures at once. */
const AT_ONCE = 4

/** The lines of the demo's offices, which are stored before everything else: a load is recognised by them. */
export const officeLines = () =>
  Array.from(demoLines({ contacts: 0, listings: 0 })).filter(({ entity }) => entity === 'stores')

/** Why a load must not continue here; null if one has begun, and no office is of another agency. */
export async function findObstacle(service: Service): Promise<string | null> {
  const path = '/admin/definitions/stores'
  const data = await adminData<{ id: number; name: string }[]>(service, 'GET', path)
  const names = new Map(officeLines().map(({ data: office }) => [office.id, office.name]))
  const foreign = data.find(({ id, name }) => names.get(id) !== name)
  if (foreign) return `This service holds data that is not the demo's: stores ${foreign.id}.`
  return data.length > 0 ? null : 'No load of the demo has begun in this service.'
}

/**
 * Loads everything that is missing. The watermark of the office comes before the photos.
 * @param key can read and write listings
 */
export async function loadDemo(service: Service, key: string, size?: DemoSize): Promise<void> {
  const now = new Date()
  const lines = Array.from(demoLines(size), (line) => lineAround(now, line))
  const offices = officeLines().map((line) => JSON.stringify(line))
  await importLines(service, offices, () => undefined)
  const { rejected, errors } = await importLines(service, lines, (totals) =>
    showProgress(`Demo data: ${totals.accepted + totals.rejected} of ${lines.length} records`),
  )
  showProgress(`Demo data: ${lines.length - rejected} records, ${rejected} rejected`, true)
  for (const { line, entity, id, message } of errors) console.error(`  ${line}: ${entity} ${id}: ${message}`)
  for (const { file_id, bytes } of articleFiles())
    await adminCall(service, 'PUT', `/admin/knowledge-base/files/${file_id}`, new Uint8Array(bytes))
  await adminCall(service, 'PUT', '/admin/stores/1/watermark', await watermark())
  const listings = listingPictures(size)
  for (let first = 0; first < listings.length; first += AT_ONCE) {
    showProgress(`Demo data: pictures of ${first} of ${listings.length} listings`)
    const some = listings.slice(first, first + AT_ONCE)
    await Promise.all(some.map((listing) => loadListing(service, key, listing)))
  }
  showProgress(`Demo data: pictures of ${listings.length} listings`, true)
}

/** Adds the pictures that a listing does not have: an interrupted load may have stored some. */
async function loadListing(
  service: Service,
  key: string,
  { listing_id, photos, panoramas }: ListingPictures,
): Promise<void> {
  const address = `/api/listings/${listing_id}`
  type Stored = { data: Record<'photos' | 'panorama_photos', unknown[]> }
  const { data } = await callApi<Stored>(service, key, 'GET', address)
  await addPictures(service, key, `${address}/photos`, photos.slice(data.photos.length))
  await addPictures(service, key, `${address}/panorama-photos`, panoramas.slice(data.panorama_photos.length))
}

async function addPictures(
  service: Service,
  key: string,
  path: string,
  pictures: readonly DemoPicture[],
): Promise<void> {
  if (pictures.length === 0) return
  const files = await Promise.all(pictures.map(({ name }) => readPhoto(name)))
  const photos = files.map((bytes) => ({ data: Buffer.from(bytes).toString('base64') }))
  type Outcome = { ordernum: number; error?: string }
  const { data } = await callApi<{ data: Outcome[] }>(service, key, 'POST', path, { photos })
  const failed = data.find(({ error }) => error)
  if (failed) throw new Error(`${path}: ${failed.error}`)
  for (const [index, { ordernum }] of data.entries()) {
    const { kind, captions } = pictures[index] ?? {}
    const description = path.endsWith('/photos') ? { kind, captions } : { captions }
    await callApi(service, key, 'PUT', `${path}/${ordernum}`, description)
  }
}

async function callApi<Answer>(
  service: Service,
  key: string,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const answer = await fetch(service.url + path, {
    method,
    headers: { Authorization: `Bearer ${key}` },
    ...(body ? { body: JSON.stringify(body) } : {}),
    signal: service.signal,
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Answer
}

/**
 * Runs `use` with a key that is always revoked afterwards. It also revokes a key that an interrupted run left behind;
 * otherwise that key expires by itself.
 */
export async function withTemporaryKey(service: Service, use: (key: string) => Promise<void>): Promise<void> {
  const keys = await adminData<{ id: string; name: string }[]>(service, 'GET', '/admin/keys')
  for (const { id } of keys.filter(({ name }) => name === TEMPORARY_KEY))
    await adminCall(service, 'DELETE', `/admin/keys/${id}`)
  const expires = formatDateTime(new Date(Date.now() + KEY_LIFETIME_MS))
  const { key, id } = await createApiKey(service, TEMPORARY_KEY, ['*:read', 'listings:write'], { expires })
  try {
    await use(key)
  } finally {
    // Without the signal, so that the key is also revoked after an interruption.
    await adminCall({ ...service, signal: undefined }, 'DELETE', `/admin/keys/${id}`)
  }
}
