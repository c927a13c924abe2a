/** Makes the answer with a listing as a document of schema.org, for every kind of key. */
import { invalid, notFound } from '../../../http/errors.ts'
import type { PublicUrl } from '../../../http/urls.ts'
import type { DocumentOptionValues } from './document-format.ts'
import { pagesOf } from './page-urls.ts'
import { presentPublicListing } from './present.ts'
import type { DocumentSource } from './row.ts'
import { type Listing, scriptSafeJson, toSchemaOrg } from './schema-org.ts'

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
