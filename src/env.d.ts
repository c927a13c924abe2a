/** The Worker's bindings, variables and secrets, as wrangler.toml and the deployment set them. */
interface Env {
  /** D1 database with every record. */
  DB: D1Database
  /** R2 bucket with photos, watermarks and files. */
  PHOTOS: R2Bucket
  /** KV namespace with the hashed API keys. */
  API_KEYS: KVNamespace
  /** Static assets: the documentation's page, guides and scripts. */
  ASSETS: Fetcher
  /** Counts the calls of API keys. */
  KEY_BUDGET?: RateLimit
  /** Counts wrong keys and admin tokens by address. */
  ADDRESS_BUDGET?: RateLimit
  /** Calls a minute of one key, as `KEY_BUDGET` counts them; empty: no limit. */
  CALLS_PER_KEY?: string
  /** Wrong keys and admin tokens a minute of one address, as `ADDRESS_BUDGET` counts them; empty: no limit. */
  FAILURES_PER_ADDRESS?: string
  /** Secret for `/admin/*`; while it is unset every admin call answers 401. */
  ADMIN_TOKEN?: string
  /** Secret that seals the secrets of webhooks; without it `ADMIN_TOKEN` does. */
  WEBHOOK_SECRET_KEY?: string
  /** `"true"` lets photos be fetched from private addresses (local development). */
  ALLOW_PRIVATE_PHOTO_URLS?: string
  /** Origin that stored photo URLs and tours start with; empty: the request's own. */
  PUBLIC_BASE_URL?: string
  /** Comma-separated origins that browsers may call from; `*` for any. */
  CORS_ORIGINS?: string
  /** API key that `/docs` fills in, set by `npm start` alone; whoever opens the page can read it. */
  DOCS_DEMO_KEY?: string
}

declare namespace Cloudflare {
  interface Env extends globalThis.Env {}
}

/** Of a newer language than the compiler's library knows; workerd has it. */
interface Uint8ArrayConstructor {
  fromBase64(
    text: string,
    options?: { lastChunkHandling?: 'loose' | 'strict' | 'stop-before-partial' },
  ): Uint8Array<ArrayBuffer>
}

interface Uint8Array {
  setFromBase64(
    text: string,
    options?: { lastChunkHandling?: 'loose' | 'strict' | 'stop-before-partial' },
  ): { read: number; written: number }
}
