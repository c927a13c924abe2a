/** Names of operations, for generated clients: `listListings`, `getListing`, `createContact`. */
import type { Endpoint, Method } from '../http/endpoint/contract.ts'
import { capitalised } from './examples.ts'

const VERBS: Record<Method, string> = { get: 'get', post: 'create', put: 'update', delete: 'delete' }

/** The name that an endpoint declares, else the one that its method and path make. */
export function operationIdOf({ method, path, contract }: Endpoint): string {
  if (contract.operationId) return contract.operationId
  const segments = path.split('/').filter((segment) => segment && segment !== 'api' && segment !== 'admin')
  const nouns = segments.filter((segment) => !segment.startsWith('{'))
  const isList = method === 'get' && !segments.at(-1)?.startsWith('{') && path.startsWith('/api/')
  // Of a list the last noun stays in the plural: `listListingTags`.
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
