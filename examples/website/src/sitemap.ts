/** `robots.txt` and the sitemap: the feed of Estia if there is one, otherwise one made from the list. */
import type { Estia } from './estia.ts'
import { send } from './estia.ts'
import type { Settings } from './settings.ts'
import { LANGUAGES } from './texts.ts'

/** Pages of 100 listings that are read for a sitemap; larger agencies make a feed. */
const MAX_PAGES = 10
const STATIC_PATHS = ['/', '/search', '/office', '/privacy']

export const robots = (site: string) => `User-agent: *\nAllow: /\n\nSitemap: ${site}/sitemap.xml\n`

/** The sitemap as XML. */
export async function sitemap(env: Settings, estia: Estia, site: string): Promise<Response> {
  const type = { 'Content-Type': 'application/xml; charset=utf-8' }
  if (env.SITEMAP_URL) {
    const feed = await send(env, new Request(env.SITEMAP_URL), '')
    if (!feed.ok) throw new Error(`The sitemap feed answers ${feed.status}`)
    return new Response(feed.body, { headers: type })
  }
  const entries = STATIC_PATHS.map((path) => entry(site, path))
  for (let page = 1, pages = 1; page <= Math.min(pages, MAX_PAGES); page++) {
    const { data, total_pages } = await estia.find({ page, per_page: 100, fields: ['id', 'date_updated'] })
    pages = total_pages
    for (const { id, date_updated } of data) entries.push(entry(site, `/listings/${id}`, date_updated))
  }
  const xml = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${entries.join('\n')}
</urlset>
`
  return new Response(xml, { headers: type })
}

/** A page in each language, with links to the other ones. */
function entry(site: string, path: string, updated?: string): string {
  const links = LANGUAGES.map(
    (code) => `<xhtml:link rel="alternate" hreflang="${code}" href="${site}/${code}${path}"/>`,
  ).join('')
  const time = updated ? `<lastmod>${updated.replace(' ', 'T')}Z</lastmod>` : ''
  return LANGUAGES.map((code) => `<url><loc>${site}/${code}${path}</loc>${time}${links}</url>`).join('\n')
}
