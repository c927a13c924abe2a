/** The scopes that a key may have. `http/endpoint/scopes.ts` says which of them a call requires. */
import { EVERYTHING_ADMIN } from '../http/caller/admin-scope.ts'
import { RECORD_RESOURCES, type Resource } from './resources.ts'

/** The lookups of the agency, which have scopes of their own. */
const LOOKUPS = ['languages', 'locations', 'special-locations', 'stores', 'users']

const segmentOf = ({ resource }: Resource) => resource.split('/')[0] ?? resource

/** The resources of ordinary scopes, by the first segment of their paths: `listings:read`, `listings:write`. */
export const RESOURCES: readonly string[] = [
  ...new Set([...RECORD_RESOURCES.map(segmentOf), ...LOOKUPS]),
].toSorted()

/** Those that can be written. */
export const WRITABLE: ReadonlySet<string> = new Set(
  RECORD_RESOURCES.filter(({ writes }) => writes.length > 0).map(segmentOf),
)

export const ADMIN_SCOPES = [
  'admin:keys',
  'admin:import',
  'admin:export',
  'admin:settings',
  'admin:webhooks',
  'admin:people',
  'admin:trail',
  'admin:stats',
] as const

const ADMIN: ReadonlySet<string> = new Set(ADMIN_SCOPES)

/** Whether a key with this scope administers. */
export function isAdminScope(scope: string): boolean {
  return ADMIN.has(scope)
}

/** Whether a person may have this scope: any but those of website keys. */
export function isRoleScope(scope: string): boolean {
  const [resource, access = '', ...rest] = scope.split(':')
  if (scope === EVERYTHING_ADMIN || isAdminScope(scope)) return true
  const isKnown = resource === '*' || RESOURCES.some((name) => name === resource)
  return isKnown && rest.length === 0 && ['read', 'write'].includes(access)
}

/** The scope of what the public may see of listings. */
export const PUBLIC_LISTINGS = 'listings:public'
/** The scope of writing enquiries for visitors, who are not trusted. */
export const CREATE_ENQUIRIES = 'enquiries:create'
/** The scope of a website's server that writes enquiries, and has its own means against programs. */
export const WRITE_ENQUIRIES = 'enquiries:write'

/**
 * The scopes that make a website key, whose calls act for visitors of a website (`http/caller/website-keys.ts`). No other
 * key has them; `EXTRA_SCOPES` has what may stand beside them.
 */
export const WEBSITE_SCOPES: ReadonlySet<string> = new Set([PUBLIC_LISTINGS, CREATE_ENQUIRIES])
/** The scopes of ordinary keys that a secret website key may have as well. */
export const EXTRA_SCOPES: ReadonlySet<string> = new Set([WRITE_ENQUIRIES])
