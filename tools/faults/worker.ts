/**
 * The Worker with its work of cron at hand, at whatever time. Three extra paths:
 *
 * - `/faults/scheduled?cron=…` runs cron
 * - `/faults/sweep?days=…` sweeps the bucket as if so many days had passed
 * - `/faults/deliver?seconds=…` sends webhooks as if so many seconds had passed; receivers have `limit` milliseconds
 */
import { type DeliveryLimits, deliverByCron } from '../../src/admin/webhooks/deliver.ts'
import { REAL_TIMING } from '../../src/admin/webhooks/send.ts'
import { sweepFiles } from '../../src/files/sweep.ts'
import worker from '../../src/index.ts'

/** Short enough not to wait for deliveries that are due later. */
const RUN_ONCE: DeliveryLimits = { batches: 100, time: 4_000 }

export default {
  async fetch(request, env, context) {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === '/faults/scheduled') {
      const cron = searchParams.get('cron') ?? ''
      return Response.json({ done: await succeeds(worker.scheduled({ cron }, env)) })
    }
    if (pathname === '/faults/sweep') {
      const then = Date.now() + Number(searchParams.get('days')) * 24 * 60 * 60 * 1000
      return Response.json({ done: await succeeds(sweepFiles(env, new Date(then))) })
    }
    if (pathname === '/faults/deliver') {
      const ahead = Number(searchParams.get('seconds')) * 1000
      const answerLimit = Number(searchParams.get('limit') ?? REAL_TIMING.replyTimeout)
      await deliverByCron(
        env,
        { ...REAL_TIMING, now: () => Date.now() + ahead, replyTimeout: answerLimit },
        RUN_ONCE,
      )
      return Response.json({ done: true })
    }
    return worker.fetch(request, env, context)
  },
} satisfies ExportedHandler<Env>

function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  )
}
