/** Addresses of listings on the agency's website, made of the `page_url` of a feed. */
import { MAX_ID } from '../../../fields/values.ts'

/** Longest address of a page, in characters: sitemaps have no longer ones. */
export const MAX_PAGE_URL = 2048

export interface FeedLanguage {
  id: number
  code: string
}

/** A page of a listing, and the language that it is in. */
interface Page {
  language: string
  url: string
}

/** The pages of the listing `id`, one for each language; a single one if the address does not name the language. */
export function pagesOf(
  pageUrl: string | null,
  languages: readonly Pick<FeedLanguage, 'code'>[],
  id: number,
): Page[] {
  if (pageUrl === null) return []
  const own = pageUrl.replaceAll('{id}', String(id))
  // As the parser writes it: without characters that only a browser's address line takes.
  const page = (language: string, url: string) => ({ language, url: URL.parse(url)?.href ?? url })
  if (!own.includes('{language}')) return [page(languages[0]?.code ?? '', own)]
  return languages.map(({ code }) => page(code, own.replaceAll('{language}', encodeURIComponent(code))))
}

/** The part of a language code before its region, in lower case: `en` of `en-GB`. */
export function baseLanguage(code: string): string {
  return code.split(/[-_]/, 1)[0]?.toLowerCase() ?? ''
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/**
 * What is wrong with a `page_url`, as error messages state it; null if nothing is. It must be https, or http on the same
 * machine, and may name the listing anywhere behind the host.
 * @param codes those of the languages of its feed
 */
export function problemOfPageUrl(pageUrl: string, codes: readonly string[]): string | null {
  if (!pageUrl.includes('{id}')) return 'must contain {id}'
  if (codes.length > 1 && !pageUrl.includes('{language}'))
    return 'must contain {language}, as there are several languages'
  const filled = pageUrl.replaceAll('{id}', '1').replaceAll('{language}', 'en')
  if (/[{}]/.test(filled)) return 'must contain no other braces than {id} and {language}'
  const url = /[\s\p{Cc}]/u.test(filled) ? null : URL.parse(filled)
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname))
  if (!url || !isSafe || !/^https?:\/\//i.test(filled) || url.username !== '' || url.password !== '')
    return 'must be an https URL without credentials'
  if (
    pageUrl.indexOf('{') < pageUrl.indexOf('/', 'https://'.length) ||
    !/[/?][^#]*\{id\}/.test(pageUrl.slice(8))
  )
    return 'must contain {id} and {language} behind the host'
  const languages = codes.map((code) => ({ code }))
  if (pagesOf(pageUrl, languages, MAX_ID).some((page) => page.url.length > MAX_PAGE_URL))
    return `must lead to addresses of at most ${MAX_PAGE_URL} characters`
  return null
}
