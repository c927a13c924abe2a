/**
 * Gives each test file an empty, migrated storage. The files of one worker share its modules (`isolate: false` in
 * vitest.config.ts), so what a module remembers of the storage before has to be forgotten here.
 */
import { reset } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { noticeWebhooks } from '../../src/admin/webhooks/after-write.ts'
import { forgetDefaultKey } from './api.ts'

/** How often the storage is emptied again when work of the file before was still writing to it. */
const ATTEMPTS = 5

for (let attempt = 1; ; attempt++) {
  await reset()
  try {
    await env.DB.batch(env.MIGRATIONS.flatMap(({ queries }) => queries).map((query) => env.DB.prepare(query)))
    break
  } catch (error) {
    if (attempt === ATTEMPTS) throw error
  }
}
forgetDefaultKey()
noticeWebhooks(env)
