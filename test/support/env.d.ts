declare namespace Cloudflare {
  interface Env {
    /** Every SQL migration, read by the test configuration. */
    MIGRATIONS: import('cloudflare:test').D1Migration[]
  }
  interface GlobalProps {
    mainModule: typeof import('../../src/index.ts')
  }
}
