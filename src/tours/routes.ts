/** What is public without a key: stored pictures and the tours, each under an unguessable name. */
import { sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { html } from 'hono/html'
import { database } from '../db/client.ts'
import { ApiError } from '../http/errors.ts'
import { type App, Router } from '../http/router.ts'
import { publicUrl } from '../http/urls.ts'
import { servePhoto } from '../photos/serve.ts'

export const publicRoutes = new Router(
  'Public',
  'Pictures and tours; whoever knows their address may see them.',
)

for (const folder of ['photos', 'watermarks']) {
  publicRoutes.get(
    `/${folder}/{name}`,
    {
      summary: `A stored picture of ${folder}`,
      description: 'Never changes, so it may be cached for ever. Takes `Range` and conditional requests.',
      replyType: 'image/jpeg',
    },
    async (c) => {
      const answer = await servePhoto(c.env.PHOTOS, `${folder}/${c.req.param('name')}`, c.req.raw)
      if (!answer) throw new ApiError(404, 'Not found')
      return answer
    },
  )
}

publicRoutes.get(
  '/tours/{token}',
  { summary: "A listing's panoramas", replyType: 'text/html' },
  async (c) => {
    const tour = await findTour(c)
    c.header('Content-Security-Policy', "default-src 'none'; img-src *; style-src 'unsafe-inline'")
    return c.html(html`<!doctype html>
<html lang="el">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${tour.title}</title>
    <style>
      body { margin: 0; background: #111; color: #eee; font: 16px/1.5 system-ui, sans-serif }
      h1 { margin: 1rem; font-size: 1.2rem }
      div { overflow-x: auto; margin-bottom: 1rem }
      img { display: block; height: 60vh }
    </style>
  </head>
  <body>
    <h1>${tour.title}</h1>
    ${tour.images.map((image) => html`<div tabindex="0"><img src="${image}" alt="360°"></div>`)}
  </body>
</html>`)
  },
)

/** Throws 404 when no listing has this tour, or its panoramas are gone. */
async function findTour(c: Context<App>): Promise<{ title: string; images: string[] }> {
  const [tour] = await database(c.env).all<{ title: string; images: string }>(sql`select
    coalesce((select title from listing_translations where listing_id = listings.id and title is not null
      order by language_id limit 1), code, '360°') as title,
    (select json_group_array(image order by ordernum) from listing_panoramas where listing_id = listings.id) as images
    from listings where tour_token = ${c.req.param('token') ?? ''}`)
  const images: string[] = JSON.parse(tour?.images ?? '[]')
  if (!tour || images.length === 0) throw new ApiError(404, 'Not found')
  return { title: tour.title, images: images.map(publicUrl(c)) }
}
