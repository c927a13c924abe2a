/**
 * The Worker with failing storage. The header `X-Faults` of a call contains the plan as JSON; `X-Storage-Calls` of the reply
 * is the number of storage calls. Four extra paths:
 *
 * - `/faults/scheduled?cron=…` runs cron under the same plan
 * - `/faults/sweep?days=…` sweeps the bucket as if so many days had passed
 * - `/faults/deliver?seconds=…` sends webhooks as if so many seconds had passed; receivers have `limit` milliseconds
 * - `/faults/matches` computes all matches without the stored ones
 */
import { sql } from 'drizzle-orm'
import { type DeliveryLimits, deliverByCron } from '../../src/admin/webhooks/deliver.ts'
import { REAL_TIMING } from '../../src/admin/webhooks/send.ts'
import { database, runStatement } from '../../src/db/client.ts'
import { sweepFiles } from '../../src/files/sweep.ts'
import worker from '../../src/index.ts'
import { MAX_MATCHES } from '../../src/resources/matching/find.ts'
import { readCandidates, selectCandidates } from '../../src/resources/matching/listing-view.ts'
import { selectMatchingRequests } from '../../src/resources/matching/request.ts'
import { type Deviation, matchListing, requestedCriteria } from '../../src/resources/matching/score.ts'
import { Faults, type Plan, withFaults } from './bindings.ts'

/** Short enough not to wait for deliveries that are due later. */
const RUN_ONCE: DeliveryLimits = { batches: 100, time: 4_000 }

export default {
  async fetch(request, env, context) {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === '/faults/matches') return Response.json(await findMatches(env))
    const faults = new Faults(JSON.parse(request.headers.get('X-Faults') ?? 'null') as Plan)
    const faulty = withFaults(env, faults)
    if (pathname === '/faults/scheduled') {
      const cron = searchParams.get('cron') ?? ''
      return Response.json({ done: await succeeds(worker.scheduled({ cron }, faulty)) })
    }
    if (pathname === '/faults/sweep') {
      const then = Date.now() + Number(searchParams.get('days')) * 24 * 60 * 60 * 1000
      return Response.json({ done: await succeeds(sweepFiles(faulty, new Date(then))) })
    }
    if (pathname === '/faults/deliver') {
      const ahead = Number(searchParams.get('seconds')) * 1000
      const answerLimit = Number(searchParams.get('limit') ?? REAL_TIMING.replyTimeout)
      await deliverByCron(
        faulty,
        { ...REAL_TIMING, now: () => Date.now() + ahead, replyTimeout: answerLimit },
        RUN_ONCE,
      )
      return Response.json({ done: true })
    }
    const answer = await Promise.race([worker.fetch(request, faulty, context), faults.cut.then(noReply)])
    const headers = new Headers(answer.headers)
    headers.set('X-Storage-Calls', String(faults.calls))
    return new Response(answer.body, { status: answer.status, headers })
  },
} satisfies ExportedHandler<Env>

/** What a client is shown of a Worker that was terminated. */
function noReply(): Response {
  return Response.json({ status: 500, error_message: 'Terminated' }, { status: 500 })
}

function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  )
}

/** Every match as `[request_id, listing_id, score, deviations]`, best first, the best `MAX_MATCHES` of each request. */
async function findMatches(env: Env): Promise<[number, number, number, Deviation[]][]> {
  const db = database(env)
  const active = selectCandidates(sql`select id from listings where status = 'active'`)
  const listings = readCandidates(await runStatement(db, active))
  const requests = await runStatement(db, selectMatchingRequests(sql`where is_deleted = 0`))
  return requests.flatMap((request) => {
    const criteria = requestedCriteria(request)
    return listings
      .flatMap((listing) => {
        const found = matchListing(request, listing, criteria)
        return found ? [{ id: listing.id, ...found }] : []
      })
      .toSorted((a, b) => b.score - a.score || b.id - a.id)
      .slice(0, MAX_MATCHES)
      .map(({ id, score, deviations }): [number, number, number, Deviation[]] => [
        request.id,
        id,
        score,
        deviations,
      ])
  })
}
