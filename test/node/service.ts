/** The service behind a real HTTP server. */
import { createTestHarness } from 'wrangler'
import { WITHOUT_RATE_LIMITS } from '../../src/catalogue/rate-limits.ts'
import { ADMIN_TOKEN, askAgency } from '../../tools/runtime/agency.ts'

/** Settings of a service that tests call as often as they like. */
const VARS = {
  ALLOW_PRIVATE_PHOTO_URLS: 'true',
  ...WITHOUT_RATE_LIMITS,
}

/** A running, migrated, empty service in memory, with a key that may do everything. */
export async function startService(vars: Partial<typeof VARS> = {}) {
  const harness = createTestHarness({
    workers: [{ configPath: './wrangler.toml', secrets: { ADMIN_TOKEN }, vars: { ...VARS, ...vars } }],
  })
  const { url } = await harness.listen()
  await harness.getWorker().applyD1Migrations('DB')
  const key = await makeKey(url, { scopes: ['*:read', '*:write'] })
  return { url, key, close: () => harness.close() }
}

/** Imports lines of `[entity, data]`; throws when one is refused. */
export async function importRecords(
  url: URL,
  records: [entity: string, data: Record<string, unknown>][],
): Promise<void> {
  const body = records.map(([entity, data]) => JSON.stringify({ entity, data })).join('\n')
  const { data } = await askAgency({ url }, 'POST', '/admin/import', body)
  if (data.rejected !== 0) throw new Error(JSON.stringify(data))
}

/** Imports an office, a user, and homes for sale of these with other values. */
export function importListings(url: URL, listings: object[]): Promise<void> {
  const home = { category: 'residential', availability: 'sale', store_id: 1, created_by: 1, users: [1] }
  return importRecords(url, [
    ['stores', { id: 1, name: 'Center' }],
    ['users', { id: 1, name: 'User', store_id: 1 }],
    ...listings.map((values): [string, Record<string, unknown>] => ['listings', { ...home, ...values }]),
  ])
}

/** Makes a publishable key; only pages of `origins` may call with it, unless that is null. */
export function makePublishableKey(url: URL, origins: string[] | null = null): Promise<string> {
  return makeKey(url, { scopes: ['listings:public'], origins })
}

async function makeKey(url: URL, wanted: object): Promise<string> {
  const { data } = await askAgency({ url }, 'POST', '/admin/keys', { name: 'tests', ...wanted })
  return data.key
}
