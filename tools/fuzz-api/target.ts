/** The service that receives the damaged calls, with a small demo agency. */
import { demoLines } from '../../demo/agency.ts'
import { adminCall } from '../../scripts/service/admin.ts'
import { importLines } from '../../scripts/service/import-lines.ts'
import { ADMIN_TOKEN, KEY, type LoggedError, startAgency } from '../runtime/agency.ts'
import { DEV_ADMIN_TOKEN, startDevServer } from '../runtime/dev-server.ts'

const SIZE = { contacts: 40, listings: 40 }

/** The credentials of calls. */
export interface Credentials {
  adminToken: string
  /** An API key that may do everything. */
  key: string
}

export interface Target extends Credentials {
  url: URL
  /** The errors that it has logged, as far as they can be parsed. */
  errors: LoggedError[]
  stop: () => Promise<void>
}

/** The bundle in workerd, as it is deployed. */
export async function startBundled(): Promise<Target> {
  const { url, errors, stop } = await startAgency(null, SIZE)
  return { url, errors, stop, adminToken: ADMIN_TOKEN, key: KEY }
}

/** The real `wrangler dev`, whose proxy is between the calls and the Worker. */
export async function startDev(): Promise<Target> {
  const { url, stop } = await startDevServer()
  const service = { url, adminToken: DEV_ADMIN_TOKEN }
  const lines = Array.from(demoLines(SIZE), (line) => JSON.stringify(line))
  const { rejected, errors } = await importLines(service, lines, () => undefined)
  if (rejected > 0) throw new Error(`The demo agency was refused: ${JSON.stringify(errors.slice(0, 3))}`)
  const scopes = ['*:read', '*:write']
  const answer = await adminCall(service, 'POST', '/admin/keys', JSON.stringify({ name: 'fuzz', scopes }))
  const { data } = (await answer.json()) as { data: { key: string } }
  return { url: new URL(url), errors: [], stop, adminToken: DEV_ADMIN_TOKEN, key: data.key }
}
