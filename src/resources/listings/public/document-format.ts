/** Whether a call for a listing asks for the document of schema.org instead of plain JSON. */
import { parseAccept } from 'hono/utils/accept'
import { text } from '../../../fields/values.ts'
import { invalid, notFound } from '../../../http/errors.ts'
import { oneOfFilter } from '../../../http/request/filters.ts'
import type { PublicUrl } from '../../../http/urls.ts'
import { pagesOf } from './page-urls.ts'
import { presentPublicListing } from './present.ts'
import type { DocumentSource } from './row.ts'
import { type Listing, scriptSafeJson, toSchemaOrg } from './schema-org.ts'

/** The media type of these documents. */
export const LINKED_DATA = 'application/ld+json'

const FORMAT = 'schema.org'

/** Longest code of a language, in characters (RFC 5646, 4.4.1). */
const MAX_CODE = 35

/** The options that choose the document and its language. */
export const documentOptions = {
  format: oneOfFilter([FORMAT]).describe(
    `\`${FORMAT}\`: the reply is a document of schema.org, as with \`Accept: ${LINKED_DATA}\`; \`fields\` is checked, and has no effect then`,
  ),
  language: text(MAX_CODE)
    .nullish()
    .describe('Of that document: a code from `/api/languages`; by default the first that has a text'),
}

/** The media types of a listing beside JSON, for contracts. */
export const LISTING_ALTERNATIVES = {
  [LINKED_DATA]:
    'A `RealEstateListing` of schema.org, without an envelope, of what visitors see of an active listing',
}

export interface DocumentOptionValues {
  format?: string | null | undefined
  language?: string | null | undefined
}

/** Whether a call asks for the document. */
export function asksForDocument({ format }: DocumentOptionValues, accept: string | undefined): boolean {
  return format === FORMAT || prefersLinkedData(accept)
}

/**
 * Whether an `Accept` header (RFC 9110, 12.5.1) prefers linked data to plain JSON. Linked data has to be named; with the
 * same quality it also precedes a range, such as any type, and what is named after it.
 */
function prefersLinkedData(accept = ''): boolean {
  if (!/ld\+json/i.test(accept)) return false
  const wanted = parseAccept(accept).map(({ type, q }) => ({ type: type.toLowerCase(), q }))
  const find = (name: string) => wanted.findIndex(({ type }) => type === name)
  const linked = find(LINKED_DATA)
  const plain = PLAIN.map(find).find((position) => position >= 0) ?? -1
  const quality = wanted[linked]?.q ?? 0
  const plainQuality = wanted[plain]?.q ?? 0
  if (quality === 0 || quality !== plainQuality) return quality > plainQuality
  return wanted[plain]?.type !== PLAIN[0] || linked < plain
}

/** What plain JSON is asked for by, the most specific first. */
const PLAIN = ['application/json', 'application/*', '*/*']

/** The document as text. Throws 404 if the listing does not exist for the key, and 400 for an unknown language. */
export function documentOf(
  source: DocumentSource | null,
  { language }: DocumentOptionValues,
  url: PublicUrl,
): string {
  if (!source) throw notFound('Listing')
  const { row, languages, page } = source
  // Its features are checked when they are stored.
  const listing = presentPublicListing(row, url) as Listing
  const hasText = ({ id }: { id: number }) =>
    listing.translations.some(({ language_id }) => language_id === id)
  const chosen = language
    ? languages.find(({ code }) => code === language)
    : (languages.find(hasText) ?? languages[0])
  if (language && !chosen) {
    throw invalid([{ field: 'language', message: `Unknown language ${language}` }])
  }
  const codes: string[] | null = page?.languages ? JSON.parse(page.languages) : null
  const isOnPages = chosen && (codes === null || codes.includes(chosen.code))
  const [own] = page && isOnPages ? pagesOf(page.page_url, [chosen], listing.id) : []
  const options = { isExactAddress: !row.hides_number, language: chosen ?? null, url: own?.url ?? null }
  return scriptSafeJson(toSchemaOrg(listing, options))
}
