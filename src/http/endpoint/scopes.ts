/** The scopes that endpoints require. */
import type { Scope } from '../caller/scope.ts'
import type { EndpointDeclaration } from './contract.ts'

/**
 * The scopes that an endpoint requires: its resource, which is the path segment after `/api/` or `/office/`, and those in
 * `alsoReads`; under `/admin/` the one of its contract. Empty elsewhere, if the handler checks them, and if any key may
 * call.
 */
export function scopesOf({
  path,
  method,
  audience,
  contract: { alsoReads = [], checksScopes, scope },
}: EndpointDeclaration): Scope[] {
  const [, , resource] = path.split('/')
  if (audience === 'admin' && scope) return [{ resource: 'admin', access: scope.slice('admin:'.length) }]
  if (audience !== 'api' || !resource || checksScopes || scope === null) return []
  return [
    { resource, access: method === 'get' ? 'read' : 'write' },
    ...alsoReads.map((name): Scope => ({ resource: name, access: 'read' })),
  ]
}
