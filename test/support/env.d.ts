declare namespace Cloudflare {
  interface Env {
    /** Allows three calls in ten seconds. */
    BUDGET_OF_THREE: RateLimit
    /** A bucket for backups, which tests bind as `BACKUPS`. */
    BACKUPS_OF_TESTS: R2Bucket
    /** Every SQL migration, read by the test configuration. */
    MIGRATIONS: import('cloudflare:test').D1Migration[]
    /** What makes an empty database as all migrations leave it. */
    SCHEMA: import('./schema.ts').Schema
  }
  interface GlobalProps {
    mainModule: typeof import('../../src/index.ts')
  }
}

/** Provided by Vite: the matching modules, or the texts of the files. */
interface ImportMeta {
  glob(pattern: string, options: { eager: true }): Record<string, Record<string, unknown>>
  glob(pattern: string, options: { query: '?raw'; import: 'default'; eager: true }): Record<string, string>
}

declare module '*?raw' {
  const text: string
  // biome-ignore lint/style/noDefaultExport: Vite exports a file's text as the default
  export default text
}
