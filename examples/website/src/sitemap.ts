/** `robots.txt`, and the sitemap: a feed of Estia, at the address of the website. */
import { send } from './estia.ts'
import type { Settings } from './settings.ts'

export const robots = (site: string, { SITEMAP_URL }: Settings) =>
  `User-agent: *\nAllow: /\n${SITEMAP_URL ? `\nSitemap: ${site}/sitemap.xml\n` : ''}`

/** The feed; null if the settings name none. */
export async function sitemap(env: Settings): Promise<Response | null> {
  if (!env.SITEMAP_URL) return null
  const feed = await send(env, new Request(env.SITEMAP_URL), '')
  if (!feed.ok) throw new Error(`The sitemap feed answers ${feed.status}`)
  return new Response(feed.body, { headers: { 'Content-Type': 'application/xml; charset=utf-8' } })
}
