/**
 * Loads the demo agency into a running, empty service: `ADMIN_TOKEN=… npm run demo [-- --url URL]`. The records
 * go through import, files and pictures through the same calls that any client makes.
 */
import { parseArgs } from 'node:util'
import { articleFiles } from './demo/articles.ts'
import { demoLines, demoPictures, listingPictures } from './demo/generate.ts'
import { importLines } from './import.ts'
import { adminCall, createApiKey, type Service, serviceFrom, showProgress } from './service.ts'

/** Whether the service holds any record yet. */
export async function isEmpty(service: Service): Promise<boolean> {
  const answer = await adminCall(service, 'GET', '/admin/export')
  const { done } = (await answer.body?.getReader().read()) ?? { done: true }
  return done
}

/** Loads everything; the office with the watermark comes before the photos. */
export async function loadDemo(service: Service): Promise<void> {
  const lines = Array.from(demoLines(), (line) => JSON.stringify(line))
  const totals = await importLines(service, lines, ({ accepted }) =>
    showProgress(`Demo data: ${accepted} of ${lines.length} records`),
  )
  showProgress(`Demo data: ${totals.accepted} records, ${totals.rejected} rejected`, true)
  for (const { line, entity, id, message } of totals.errors)
    console.error(`  ${line}: ${entity} ${id}: ${message}`)
  for (const { file_id, bytes } of articleFiles()) {
    await adminCall(service, 'PUT', `/admin/knowledge-base/files/${file_id}`, new Uint8Array(bytes))
  }
  showProgress('Demo data: drawing pictures …')
  const { photos, panorama, watermark } = demoPictures()
  await adminCall(service, 'PUT', '/admin/stores/1/watermark', new Uint8Array(watermark))
  const { key, id } = await createApiKey(service, 'demo pictures', ['listings:write'])
  const listings = listingPictures()
  let done = 0
  for (const listing of listings) {
    await post(
      service,
      key,
      `/api/listings/${listing.listing_id}/photos`,
      listing.photos.map((index) => photos[index]),
    )
    if (listing.panorama)
      await post(service, key, `/api/listings/${listing.listing_id}/panorama-photos`, [panorama])
    showProgress(`Demo data: pictures of ${++done} of ${listings.length} listings`, done === listings.length)
  }
  await adminCall(service, 'DELETE', `/admin/keys/${id}`)
}

async function post(
  service: Service,
  key: string,
  path: string,
  pictures: (Uint8Array | undefined)[],
): Promise<void> {
  const photos = pictures.map((bytes) => ({ data: Buffer.from(bytes ?? []).toString('base64') }))
  const answer = await fetch(service.url + path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}` },
    body: JSON.stringify({ photos }),
  })
  const { data } = (await answer.json()) as { data?: { error?: string }[] }
  const failed = data?.find(({ error }) => error)
  if (!data || failed) throw new Error(`${path}: ${failed?.error ?? answer.status}`)
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { url: { type: 'string' } } })
  const service = serviceFrom(values.url)
  if (!(await isEmpty(service))) {
    console.error('This service holds data already; the demo is for an empty one.')
    process.exit(1)
  }
  await loadDemo(service)
}

if (import.meta.main) await main()
