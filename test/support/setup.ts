/**
 * Gives each test file an empty, migrated storage. The files of one worker share its modules (`isolate: false` in
 * vitest.config.ts), so state that modules cache of the former storage is cleared here.
 */
import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { afterEach, inject, vi } from 'vitest'
import { expectSubscriptions } from '../../src/admin/webhooks/after-write.ts'
import { MAX_AGE, releaseIndex } from '../../src/resources/listings/search/shared-index.ts'
import { keepEntrypointFlat } from './entrypoint.ts'
import { keepLog } from './log.ts'
import { emptyService } from './storage.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** See `SEED` in vitest.config.ts. */
    seed: number
    /** See `QUICK` in vitest.config.ts. */
    isQuick: boolean
  }
}

fc.configureGlobal({ seed: inject('seed') })
keepEntrypointFlat()
keepLog()
await emptyService()
expectSubscriptions(env)
releaseIndex()
// Visitors see each write at once.
MAX_AGE.visitors = 0
// What a test replaces, it replaces for itself.
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})
