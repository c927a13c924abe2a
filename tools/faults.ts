/**
 * Tests the guarantees of the service when storage fails: `npm run tool -- faults`. It makes every kind of write. Each call to D1, R2
 * and KV fails in turn, before and after it took effect, and the Worker ends there. Then it makes mixed calls while a fifth
 * of all storage calls fail at random. Every reply must be the envelope. Once storage works again and cron has run:
 *
 * - no row refers to a missing object, and two sweeps leave no unreferenced object
 * - no acknowledged write is missing
 * - stored matches equal a new computation, and counters equal counts
 */
import { PIXEL } from '../fixtures/pictures.ts'
import { seeded } from '../fixtures/random.ts'
import { readCommandLine, readNumber, showProgress } from '../scripts/service/terminal.ts'
import type { Plan } from './faults/bindings.ts'
import { findBroken, findLeftOver } from './faults/promises.ts'
import { Acknowledged } from './faults/record.ts'
import { type AnswerBody, credentials, FAULTY_WRITES } from './faults/writes.ts'
import { type AgencyService, startAgency } from './runtime/agency.ts'

const USAGE = `Tests the guarantees of the service when storage fails.

Usage: npm run tool -- faults [OPTIONS]

  --calls NUMBER  how many mixed calls are made while storage fails by chance (default: 2000)
  --rate NUMBER   the part of storage calls that fail then (default: 0.2)
  --seed NUMBER   chooses them (default: 1)
  --only WRITE    only this kind of write is failed one call after the other
  --help          shows this`

const { values: options } = readCommandLine(USAGE, {
  calls: { type: 'string', default: '2000' },
  rate: { type: 'string', default: '0.2' },
  seed: { type: 'string', default: '1' },
  only: { type: 'string' },
})
const CALLS = readNumber('calls', options.calls)
const RATE = readNumber('rate', options.rate)
/** Maximum broken promises that are printed. */
const MAX_REPORTED = 100
const random = seeded(readNumber('seed', options.seed))
const known = new Acknowledged()
/** The broken promises found, each reported once. */
const broken = new Set<string>()
const statuses = new Map<number, number>()
/** How many days in the future the last sweep pretended to run. */
let day = 0

const outside = () => new Response(Buffer.from(PIXEL, 'base64'), { headers: { 'Content-Type': 'image/png' } })
const service = await startAgency('tools/faults/worker.ts', { contacts: 30, listings: 12 }, outside)
try {
  await prepare(service)
  await failOneByOne(service)
  await failByChance(service)
} finally {
  await service.stop()
}
const counted = [...statuses].toSorted(([a], [b]) => a - b).map(([status, times]) => `${status}: ${times}`)
console.log(`Answers ${counted.join(', ')}`)
console.log(broken.size === 0 ? 'Everything held' : `${broken.size} promises broken`)
if (broken.size > 0) process.exitCode = 1

/** Records to write to. */
async function prepare(to: AgencyService): Promise<void> {
  for (const name of ['create a listing', 'create a request', 'create a contact'])
    for (let times = 0; times < 4; times++) await call(to, name, null)
}

async function failOneByOne(to: AgencyService): Promise<void> {
  for (const name of Object.keys(FAULTY_WRITES).filter((kind) => !options.only || kind === options.only)) {
    const calls = (await call(to, name, null)) + 1
    for (let at = 1; at <= calls; at++) {
      for (const when of ['before', 'after'] as const) {
        showProgress(`${name}: storage call ${at} of ${calls} fails ${when} its effect`)
        await call(to, name, { at, when })
        await call(to, name, { at, when, isCut: true })
      }
    }
    await check(to, `${name}, failing and ending at each of ${calls - 1} storage calls, before and after`)
  }
}

async function failByChance(to: AgencyService): Promise<void> {
  const names = Object.keys(FAULTY_WRITES)
  // No deletions, so that there are always records to write to.
  const lasting = names.filter((name) => !name.startsWith('delete'))
  for (let index = 0; index < CALLS; index++) {
    if (index % 50 === 0) showProgress(`${index} of ${CALLS} mixed calls`)
    const plan = { rate: RATE, seed: random.int(0, 2 ** 31) }
    if (random.chance(0.05)) await runCron(to, plan)
    else await call(to, random.pick(random.chance(0.6) ? lasting : names), plan)
  }
  await sweep(to, null)
  await sweep(to, null)
  for (const key of await findLeftOver(to)) report(`${key} is in the bucket, and no row refers to it`)
  await check(to, `${CALLS} mixed calls, ${RATE * 100} % of storage calls failing`)
}

/** Makes a write under `plan` and checks its reply. Returns the number of its storage calls. */
async function call(to: AgencyService, name: string, plan: Plan): Promise<number> {
  const make = FAULTY_WRITES[name]
  if (!make) throw new Error(`There is no write called ${name}`)
  const { method, path, body, note } = make(random, known)
  const answer = await fetch(new URL(path, to.url), {
    method,
    body,
    headers: { ...credentials(path), 'X-Faults': JSON.stringify(plan) },
  })
  const text = await answer.text()
  statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
  const data = readEnvelope(text, answer.status)
  const about = `${name} under ${JSON.stringify(plan)}`
  if (!data) report(`${about}: ${answer.status} is no envelope: ${text.slice(0, 200)}`)
  if (!plan && !answer.ok) throw new Error(`${name} fails on sound storage: ${text}`)
  note(data ?? {}, answer.ok, known)
  return Number(answer.headers.get('X-Storage-Calls'))
}

function readEnvelope(text: string, status: number): AnswerBody | null {
  try {
    const body = JSON.parse(text) as AnswerBody
    return body.status === status ? body : null
  } catch {
    return null
  }
}

async function runCron(to: AgencyService, plan: Plan): Promise<void> {
  if (random.chance(0.3)) return sweep(to, plan)
  const headers = { 'X-Faults': JSON.stringify(plan) }
  const path = `/faults/scheduled?cron=${encodeURIComponent('* * * * *')}`
  await (await fetch(new URL(path, to.url), { headers })).text()
}

/** Sweeps the bucket as if days had passed, two more each time, so that the grace period of files is over. */
async function sweep({ url }: AgencyService, plan: Plan): Promise<void> {
  day += 2
  const headers = { 'X-Faults': JSON.stringify(plan) }
  await (await fetch(new URL(`/faults/sweep?days=${day}`, url), { headers })).text()
}

async function check(to: AgencyService, what: string): Promise<void> {
  const found = (await findBroken(to, known)).filter((line) => !broken.has(line))
  showProgress(`${what}: ${found.length === 0 ? 'everything held' : `${found.length} broken`}`, true)
  for (const line of found) report(line)
}

function report(line: string): void {
  if (broken.size < MAX_REPORTED) console.log(`\n  ${line}`)
  broken.add(line)
}
