/** The scopes that endpoints require. */
import type { Endpoint, EndpointDeclaration } from './contract.ts'

/** A permission that a call requires. */
export interface Scope {
  resource: string
  access: 'read' | 'write'
}

/** The resources that scopes can refer to, in alphabetical order. */
export function resourcesOf(endpoints: Endpoint[]): string[] {
  const names = endpoints.flatMap((endpoint) => scopesOf(endpoint).map(({ resource }) => resource))
  return [...new Set(names)].toSorted()
}

/**
 * The scopes that an endpoint requires: its resource, which is the path segment after `/api/`, and those in
 * `alsoReads`. Empty outside `/api/`, and if the handler checks them.
 */
export function scopesOf({
  path,
  method,
  audience,
  contract: { alsoReads = [], checksScopes },
}: EndpointDeclaration): Scope[] {
  const [, , resource] = path.split('/')
  if (audience !== 'api' || !resource || checksScopes) return []
  return [
    { resource, access: method === 'get' ? 'read' : 'write' },
    ...alsoReads.map((name): Scope => ({ resource: name, access: 'read' })),
  ]
}

/** The scope as written in API keys: `listings:read`. */
export function nameScope({ resource, access }: Scope): string {
  return `${resource}:${access}`
}
