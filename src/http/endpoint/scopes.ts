/** The scopes that endpoints ask for. */
import type { Declared, Endpoint } from './contract.ts'

/** What a key must be good for. */
export interface Scope {
  resource: string
  access: 'read' | 'write'
}

/** The resources that scopes can be for, in alphabetical order. */
export function resourcesOf(endpoints: Endpoint[]): string[] {
  const names = endpoints.flatMap((endpoint) => scopesOf(endpoint).map(({ resource }) => resource))
  return [...new Set(names)].toSorted()
}

/**
 * The scopes that an endpoint asks for: the path segment after `/api/`, read or write, and those its contract adds.
 * Outside `/api/` there are none, nor where the handler checks them.
 */
export function scopesOf({
  path,
  method,
  area,
  contract: { alsoReads = [], checksScopes },
}: Declared): Scope[] {
  const [, , resource] = path.split('/')
  if (area !== 'api' || !resource || checksScopes) return []
  return [
    { resource, access: method === 'get' ? 'read' : 'write' },
    ...alsoReads.map((name): Scope => ({ resource: name, access: 'read' })),
  ]
}

/** As keys have it: `listings:read`. */
export function nameScope({ resource, access }: Scope): string {
  return `${resource}:${access}`
}
