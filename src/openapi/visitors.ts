/** How the document describes calls of visitors, beside those of other keys with the same path and method. */
import type { VisitorEndpoint } from '../http/endpoint/visitors.ts'
import type { Example } from './examples.ts'
import { type Json, nameOf } from './schemas.ts'

/** The key of an operation under which the call of visitors is described. */
export const VISITORS = 'x-visitors'

/** A call of visitors, in the form of an operation. */
export interface Visit {
  parameters?: Json[]
  requestBody?: Json
  'x-filters'?: Json
  responses: { 200: { description: string; content: { 'application/json': VisitReply } } }
}

interface VisitReply {
  schema: Json
  examples?: Record<string, Example>
}

/**
 * Says that visitors may call an operation, and what is different for them: the schemas of `visit` that are not `ordinary`.
 * Shows an example, because nothing that displays the document knows `VISITORS`.
 */
export function describeVisit(
  visit: Visit,
  { method, scopes }: Pick<VisitorEndpoint, 'scopes'> & { method: string },
  ordinary: Record<'filters' | 'reply', Json | undefined>,
): string {
  const { schema, examples = {} } = visit.responses[200].content['application/json']
  const filters = ownName(visit['x-filters'], ordinary.filters)
  const reply = ownName(schema, ordinary.reply)
  const clauses = [
    `[Website keys](/docs/authentication.md#website-keys) may call it with ${scopes.map((scope) => `\`${scope}\``).join(' or ')}`,
    ...(filters ? [`filter by \`${filters}\``] : []),
    ...(reply ? [`get a \`${reply}\``] : []),
  ]
  const sentence = new Intl.ListFormat('en-GB').format(clauses)
  const further = clauses.length > 1 ? ': see [Websites](/docs/website.md)' : ''
  const caching =
    method === 'get'
      ? ' Their responses have an `ETag` and may be [cached](/docs/website.md#cache) for 30 seconds.'
      : ''
  return [`${sentence}${further}.${caching}`, ...Object.values(examples).slice(0, 1).map(foldedExample)].join(
    '\n\n',
  )
}

function ownName(schema: Json | undefined, ordinary: Json | undefined): string | undefined {
  const name = nameOf(schema)
  return name === nameOf(ordinary) ? undefined : name
}

/** An example in Markdown, closed until the reader opens it. */
function foldedExample({ summary, value }: Example): string {
  const json = JSON.stringify(value, null, 2)
  return `<details><summary>Example: ${summary}</summary>\n\n\`\`\`json\n${json}\n\`\`\`\n\n</details>`
}
