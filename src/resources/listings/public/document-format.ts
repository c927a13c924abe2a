/** Whether a call for a listing asks for the document of schema.org instead of plain JSON. */
import { z } from 'zod'
import { oneOfFilter } from '../../../http/request/filters.ts'

/** The media type of these documents. */
export const LINKED_DATA = 'application/ld+json'

const FORMAT = 'schema.org'

/** The options that choose the document and its language. */
export const documentOptions = {
  format: oneOfFilter([FORMAT]).describe(
    `\`${FORMAT}\`: the reply is a document of schema.org, as with \`Accept: ${LINKED_DATA}\`; \`fields\` has no effect then`,
  ),
  language: z
    .string()
    .max(35)
    .nullish()
    .describe('Of that document: a code from `/api/languages`; by default the first that has a text'),
}

/** The media types of a listing beside JSON, for contracts. */
export const LISTING_ALTERNATIVES = {
  [LINKED_DATA]:
    'A `RealEstateListing` of schema.org, without an envelope, of what visitors see of an active listing',
}

/** The values of `documentOptions`. */
export interface DocumentOptionValues {
  format?: string | null | undefined
  language?: string | null | undefined
}

/** Whether a call asks for the document. */
export function asksForDocument({ format }: DocumentOptionValues, accept: string | undefined): boolean {
  return format === FORMAT || prefersLinkedData(accept)
}

/** Whether an `Accept` header (RFC 9110, 12.5.1) prefers linked data to plain JSON. Ranges such as any type mean JSON. */
function prefersLinkedData(accept = ''): boolean {
  const wanted = accept.split(',').flatMap((part, position) => {
    const [type = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    return [{ type, position, quality: quality === undefined ? 1 : Number(quality) }]
  })
  const find = (name: string) => wanted.find(({ type, quality }) => type === name && quality > 0)
  const [linked, plain] = [find(LINKED_DATA), find('application/json')]
  if (!linked || !plain) return linked !== undefined
  return linked.quality === plain.quality ? linked.position < plain.position : linked.quality > plain.quality
}
