/** The service behind a real HTTP server. */
import { createTestHarness } from 'wrangler'
import { WITHOUT_RATE_LIMITS } from '../../src/catalogue/rate-limits.ts'
import { http } from '../../tools/runtime/http.ts'

export const ADMIN_TOKEN = 'node-admin-token'

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
  const { text } = await http(new URL('/admin/import', url), 'POST', {
    body,
    headers: { Authorization: `Bearer ${ADMIN_TOKEN}` },
  })
  if (JSON.parse(text).data?.rejected !== 0) throw new Error(text)
}

/** Makes a publishable key; only pages of `origins` may call with it, unless that is null. */
export function makePublishableKey(url: URL, origins: string[] | null = null): Promise<string> {
  return makeKey(url, { scopes: ['listings:public'], origins })
}

async function makeKey(url: URL, wanted: object): Promise<string> {
  const { text } = await http(new URL('/admin/keys', url), 'POST', {
    body: JSON.stringify({ name: 'tests', ...wanted }),
    headers: { Authorization: `Bearer ${ADMIN_TOKEN}` },
  })
  return JSON.parse(text).data.key
}
