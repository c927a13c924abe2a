/** The settings of the deployment: `wrangler.toml` and its secrets. */

export interface Settings {
  /** The public address of the service: `https://api.agency.example`. */
  ESTIA_URL: string
  /** A secret website key, with `listings:public` and `enquiries:write`. */
  SITE_KEY: string
  /** A publishable key, with `listings:public`, for maps in the browser. */
  PUBLISHABLE_KEY: string
  /** Calls the service without leaving the account. */
  ESTIA?: { fetch(request: Request): Promise<Response> }
  /** Where its bucket serves photos, if Estia has a `PICTURES_BASE_URL`. */
  PICTURES_URL?: string
  SITE_URL?: string
  MAP_TILES?: string
  MAP_ATTRIBUTION?: string
  SITEMAP_URL?: string
}

/** The address of the service, without a slash at its end. */
export const estiaUrl = ({ ESTIA_URL }: Settings) => ESTIA_URL.replace(/\/+$/, '')

/** Where photos and their sizes are. */
export const photoBases = (env: Settings) => ({
  sizes: estiaUrl(env),
  photos: env.PICTURES_URL?.replace(/\/+$/, '') || estiaUrl(env),
})
