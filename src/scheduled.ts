/** What the clock does, one line each. The times are those of `[triggers]` in `wrangler.toml`. */

import { sweepFiles } from './files/sweep.ts'

/** Finishes what writes have left to do. */
export const EVERY_MINUTE = '* * * * *'
/** Sweeps and forgets. */
export const DAILY = '17 3 * * *'

/** Runs the work of one of the times above. */
export async function scheduled({ cron }: Pick<ScheduledController, 'cron'>, env: Env): Promise<void> {
  if (cron === DAILY) await sweepFiles(env)
  if (cron !== EVERY_MINUTE && cron !== DAILY) throw new Error(`No work is planned at ${cron}`)
}
