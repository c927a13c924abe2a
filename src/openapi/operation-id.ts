/** Operation ids for generated clients: `listListings`, `getListing`, `createContact`. */

import { capitalised } from '../fields/values.ts'
import type { Endpoint, Method } from '../http/endpoint/contract.ts'

const VERBS: Record<Method, string> = { get: 'get', post: 'create', put: 'update', delete: 'delete' }

/** The id that an endpoint declares, otherwise one derived from its method and path. */
export function operationIdOf({ method, path, contract }: Endpoint): string {
  if (contract.operationId) return contract.operationId
  const segments = path.replace(/^\/(?:api|office|admin)?\/?/, '').split('/')
  const nouns = segments.filter((segment) => !segment.startsWith('{'))
  const isList = method === 'get' && !segments.at(-1)?.startsWith('{') && path.startsWith('/api/')
  // The last noun of a list stays plural: `listListingTags`.
  const words = nouns.map((noun, index) => (isList && index === nouns.length - 1 ? noun : singular(noun)))
  return (
    (isList ? 'list' : VERBS[method]) +
    words
      .flatMap((word) => word.split('-'))
      .map(capitalised)
      .join('')
  )
}

function singular(noun: string): string {
  return noun.replace(/ies$/, 'y').replace(/s$/, '')
}
