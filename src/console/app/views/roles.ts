/** What people of an agency usually need a key for. A role ticks scopes; each can still be changed. */
import { ADMIN_SCOPES, RESOURCES, WRITABLE } from '../../../catalogue/scopes.ts'

/** Every ordinary scope that a key may have. */
export const API_SCOPES = [
  '*:read',
  '*:write',
  ...RESOURCES.flatMap((name) => [`${name}:read`, ...(WRITABLE.has(name) ? [`${name}:write`] : [])]),
]

const both = (...names: string[]) => names.flatMap((name) => [`${name}:read`, `${name}:write`])

export const ROLES = {
  reception: [
    ...both('activities', 'appointments', 'contacts', 'enquiries', 'requests', 'tasks'),
    ...['listings:read', 'languages:read', 'locations:read', 'stores:read', 'users:read'],
  ],
  manager: ['*:read', '*:write', 'admin:stats', 'admin:trail', 'admin:people', 'admin:settings'],
  data: ['*:read', 'admin:stats', 'admin:import', 'admin:export', 'admin:settings'],
  everything: ['*:read', '*:write', ...ADMIN_SCOPES],
} as const satisfies Record<string, readonly string[]>

export type Role = keyof typeof ROLES
export const ROLE_NAMES = Object.keys(ROLES) as Role[]

/** The role that has exactly these scopes, if one has. */
export function roleOf(scopes: string[]): Role | undefined {
  const sorted = (list: readonly string[]) => list.toSorted().join()
  return ROLE_NAMES.find((name) => sorted(ROLES[name]) === sorted(scopes))
}
