/** The Worker's bindings, variables and secrets, which wrangler.toml and the deployment set. */
interface Env {
  /** D1 database with every record. */
  DB: D1Database
  /** In a job of cron, the calls that it may make to `DB`. */
  ALLOWANCE?: import('./db/allowance.ts').Allowance
  /** Where the writes of a call or job come from. */
  PROVENANCE?: import('./http/caller/provenance.ts').Provenance
  /** R2 bucket with photos, watermarks and files. */
  PHOTOS: R2Bucket
  /** R2 bucket for backups of the records; without it there are none. */
  BACKUPS?: R2Bucket
  /** KV namespace with the hashed API keys. */
  API_KEYS: KVNamespace
  /** Static assets: the documentation's page, guides and scripts. */
  ASSETS: Fetcher
  /** Rate limiter for the calls of API keys. */
  KEY_BUDGET?: RateLimit
  /** Rate limiter for the calls of secret website keys, which the servers of websites have. */
  SITE_BUDGET?: RateLimit
  /** Calls per minute of one secret website key, equal to the limit of `SITE_BUDGET`. */
  CALLS_PER_SITE?: string
  /** Rate limiter for the calls of visitors: per publishable key and address. */
  VISITOR_BUDGET?: RateLimit
  /** Rate limiter for feeds, by address. */
  FEED_BUDGET?: RateLimit
  /** Rate limiter for feeds that are made anew, by address. */
  FEED_MAKING_BUDGET?: RateLimit
  /** Rate limiter for failed authentications by address. */
  ADDRESS_BUDGET?: RateLimit
  /** Rate limiter for pictures that are made smaller, by address. */
  SIZE_BUDGET?: RateLimit
  /** Calls per minute of one key, equal to the limit of `KEY_BUDGET`. */
  CALLS_PER_KEY?: string
  /** Calls per minute of one visitor, equal to the limit of `VISITOR_BUDGET`. */
  CALLS_PER_VISITOR?: string
  /** Rate limiter for enquiries: per key of `enquiries:create` and address. */
  ENQUIRY_BUDGET?: RateLimit
  /** Enquiries per minute of one visitor, equal to the limit of `ENQUIRY_BUDGET`. */
  ENQUIRIES_PER_VISITOR?: string
  /** Counts enquiries of networks, /24 and /48. */
  NETWORK_BUDGET?: RateLimit
  /** Enquiries per minute of one network, equal to the limit of `NETWORK_BUDGET`. */
  ENQUIRIES_PER_NETWORK?: string
  /** Secret of Cloudflare Turnstile; without it, enquiries need no token. */
  TURNSTILE_SECRET?: string
  /** Sends mails; without it, no office is notified of enquiries. */
  MAIL?: SendEmail
  /** The address that mails come from; without it, none is sent. */
  MAIL_FROM?: string
  /** Reads of feeds, and of calendars, per minute of one address, equal to the limit of `FEED_BUDGET`. */
  CALLS_PER_FEED_READER?: string
  /** Feeds made anew per minute for one address, equal to the limit of `FEED_MAKING_BUDGET`. */
  FEEDS_MADE_PER_ADDRESS?: string
  /** Failed authentications per minute of one address, equal to the limit of `ADDRESS_BUDGET`. */
  FAILURES_PER_ADDRESS?: string
  /** Pictures made smaller per minute for one address, equal to the limit of `SIZE_BUDGET`. */
  SIZES_PER_ADDRESS?: string
  /** Secret for `/admin/*`; while it is not set, every admin call gets 401. */
  ADMIN_TOKEN?: string
  /** Team of Cloudflare Access that signs persons in; on a developer's machine its whole address. */
  ACCESS_TEAM?: string
  /** Audience tag of the application in Cloudflare Access. */
  ACCESS_AUD?: string
  /** Secret that encrypts the secrets of webhooks; `ADMIN_TOKEN` by default. */
  WEBHOOK_SECRET_KEY?: string
  /** `"off"`: writes of records are not entered in the trail. */
  RECORD_TRAIL?: string
  /** `"true"` lets photos be fetched from private addresses (local development). */
  ALLOW_PRIVATE_PHOTO_URLS?: string
  /** Base of the URLs of stored photos and tours; by default the origin of the request. */
  PUBLIC_BASE_URL?: string
  /** Base of the URLs of photos, if the bucket serves them itself; by default that of `PUBLIC_BASE_URL`. */
  PICTURES_BASE_URL?: string
  /** Comma-separated origins from which browsers may call; `*` allows any. */
  CORS_ORIGINS?: string
  /** Where vulnerabilities are reported, as a URL: `mailto:…`, `https://…` or `tel:…`. */
  SECURITY_CONTACT?: string
  /** API key that `/docs` fills in. Only `npm start` sets it, because every visitor of the page can read it. */
  DOCS_DEMO_KEY?: string
}

declare namespace Cloudflare {
  interface Env extends globalThis.Env {}
}

/** Newer than TypeScript's library; workerd supports it. */
interface Uint8ArrayConstructor {
  fromBase64(
    text: string,
    options?: { lastChunkHandling?: 'loose' | 'strict' | 'stop-before-partial' },
  ): Uint8Array<ArrayBuffer>
}

interface Uint8Array {
  toBase64(): string
  setFromBase64(
    text: string,
    options?: { lastChunkHandling?: 'loose' | 'strict' | 'stop-before-partial' },
  ): { read: number; written: number }
}
