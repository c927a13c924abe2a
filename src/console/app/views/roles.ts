/** What people of an agency usually need a key for. A role ticks scopes; each can still be changed. */
import { ADMIN_SCOPES, RESOURCES } from '../../../catalogue/scopes.ts'

/** Read only, where nothing can be written. */
const READ_ONLY = [
  'contracts',
  'expenses',
  'incomes',
  'knowledge-base',
  'languages',
  'locations',
  'offers',
  'special-locations',
  'stores',
  'users',
]

/** Every ordinary scope that a key may have. */
export const API_SCOPES = [
  '*:read',
  '*:write',
  ...RESOURCES.flatMap((name) => [`${name}:read`, ...(READ_ONLY.includes(name) ? [] : [`${name}:write`])]),
]

export const ROLES = {
  reception: [
    'contacts:read',
    'contacts:write',
    'enquiries:read',
    'enquiries:write',
    'requests:read',
    'requests:write',
    'listings:read',
    'languages:read',
    'locations:read',
    'stores:read',
    'users:read',
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
