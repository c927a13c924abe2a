/** The pages of 360° tours, under unguessable names. */
import type { MiddlewareHandler } from 'hono'
import { z } from 'zod'
import type { App } from '../http/context.ts'
import { Router } from '../http/endpoint/router.ts'
import { ApiError, databaseBusy } from '../http/errors.ts'
import { publicUrlBuilder } from '../http/urls.ts'
import { missingPage, type PanoramaUrls, type TourPicture, tourPage } from './page.ts'
import { chooseLanguage, type Language, TEXTS } from './texts.ts'
import { findTour, type Panorama, textIn } from './tour.ts'

export const tourRoutes = new Router(
  'Tours',
  '360° tours of listings. Anyone who knows their URL may see them.',
)

tourRoutes.get(
  '/tours/{token}',
  {
    summary: "A listing's 360° tour",
    description:
      'A page for people, in Greek or English according to `?lang=el`, `?lang=en` or Accept-Language. Other sites may ' +
      'show it in a frame. If there is no such tour, browsers get a page and other clients an error.',
    params: z.object({ token: z.string().describe('Token of the tour: the last part of its URL') }),
    headers: z.object({ 'Accept-Language': z.string().optional().describe('Languages of the reader') }),
    replyType: 'text/html',
    errors: { 503: databaseBusy().message },
  },
  async (c, input) => {
    const language = chooseLanguage(c.req.query('lang'), input.headers['Accept-Language'])
    const tour = await findTour(c.env, input.params().token)
    c.header('Cache-Control', 'no-cache')
    c.header('Vary', 'Accept, Accept-Language', { append: true })
    if (!tour && !c.req.header('Accept')?.includes('text/html')) throw new ApiError(404, 'Not found')
    const pictures = tour?.panoramas.map((panorama) => pictureOf(panorama, language)) ?? []
    c.header('Content-Language', language)
    c.header('Content-Security-Policy', contentPolicy(pictures))
    if (!tour) return c.html(missingPage(language), 404)
    const absolute = publicUrlBuilder(c)
    const title = textIn(tour.titles, language)
    return c.html(
      tourPage({
        language,
        title: title?.title ?? tour.code ?? TEXTS[language].tour,
        titleLanguage: title && title.language !== language ? title.language : null,
        office: tour.office,
        pictures,
        url: absolute(`tours/${tour.token}`),
        preview: absolute(tour.panoramas[0]?.thumb ?? ''),
      }),
    )
  },
)

/** Lets other sites show tours in a frame. Runs before the middleware that forbids it for all other replies. */
export const allowFraming: MiddlewareHandler<App> = async (c, next) => {
  await next()
  c.res.headers.delete('X-Frame-Options')
}

/** A picture as the page shows it: on the page's origin, unless it is stored elsewhere. */
function pictureOf({ image, thumb, names }: Panorama, language: Language): TourPicture {
  const address = (key: string) => (/^https?:\/\//i.test(key) ? key : `/${key.replace(/^\/+/, '')}`)
  const name = textIn(names, language)
  return {
    image: address(image),
    thumb: address(thumb),
    name: name?.title ?? null,
    nameLanguage: name && name.language !== language ? name.language : null,
  }
}

/** Allows scripts and styles of this origin, and the pictures of this tour, which a script loads for the sphere. */
function contentPolicy(pictures: PanoramaUrls[]): string {
  const origins = pictures.flatMap(({ image, thumb }) => [image, thumb]).map(originOf)
  const elsewhere = [...new Set(origins)]
    .filter((origin) => /^https?:\/\/[\w.-]+(:\d+)?$/.test(origin))
    .join(' ')
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' blob: data: ${elsewhere}`.trim(),
    `connect-src 'self' ${elsewhere}`.trim(),
    "base-uri 'none'",
    "form-action 'none'",
    'frame-ancestors *',
  ].join('; ')
}

/** The origin of a URL; empty if it is the page's own. */
function originOf(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : ''
}
