/**
 * Tests the guarantees of the service when the runtime is killed: `npm run tool -- kills`. Several writers work in parallel, each on
 * its own records, while workerd is killed and started again on its stored data. A call without a reply is repeated, a POST
 * with the same idempotency key. After each round:
 *
 * - no acknowledged write is missing, and repeated keys get the same reply
 * - no row refers to a missing object, and counters equal counts
 * - once cron has run, stored matches equal a new computation
 *
 * At the end, when all calls have replies, there are exactly as many rows as the replies report.
 */
import { PIXEL } from '../fixtures/pictures.ts'
import { seeded } from '../fixtures/random.ts'
import { readCommandLine, readNumber, showProgress } from '../scripts/service/terminal.ts'
import { findBroken } from './faults/promises.ts'
import { Acknowledged } from './faults/record.ts'
import { type AnswerBody, FAULTY_WRITES } from './faults/writes.ts'
import { KeyedAnswers, makeRepeatable, type Repeatable, sendTo } from './kills/keyed.ts'
import { startAgency } from './runtime/agency.ts'

const USAGE = `Tests the guarantees of the service when the runtime is killed.

Usage: npm run tool -- kills [OPTIONS]

  --rounds NUMBER   how often it is killed (default: 20)
  --writers NUMBER  how many write at once (default: 6)
  --seed NUMBER     chooses the writes (default: 1)
  --help            shows this`

const { values: options } = readCommandLine(USAGE, {
  rounds: { type: 'string', default: '20' },
  writers: { type: 'string', default: '6' },
  seed: { type: 'string', default: '1' },
})
const ROUNDS = readNumber('rounds', options.rounds)
/** How long writers write until workerd is killed, in milliseconds. */
const [SOONEST, LATEST] = [100, 2_000]
/** The first writes of each writer, so that it has its own records. */
const FIRST = ['create a listing', 'create a request', 'create a contact']
/** All writes except deletions, which could leave a writer without records; `faults` tests those. */
const NAMES = Object.keys(FAULTY_WRITES).filter((name) => !name.startsWith('delete'))

const random = seeded(readNumber('seed', options.seed))
const writers = Array.from({ length: readNumber('writers', options.writers) }, () => ({
  known: new Acknowledged(),
  random: seeded(random.int(0, 2 ** 31)),
  /** Writes without a reply, to be repeated. */
  left: [] as Repeatable[],
}))
type Writer = (typeof writers)[number]
const counts = { answered: 0, unanswered: 0, held: 0, replayed: 0, failed: 0 }
/** Probability that a writer first repeats a write without a reply. */
const RETRIED = 0.3
/** Longer than the 30 seconds for which a killed call may hold its idempotency key, in milliseconds. */
const LONGEST_HOLD = 40_000
const outside = () => new Response(Buffer.from(PIXEL, 'base64'), { headers: { 'Content-Type': 'image/png' } })
const service = await startAgency('tools/faults/worker.ts', { contacts: 30, listings: 12 }, outside)
const keyed = new KeyedAnswers()
const broken = new Set<string>()
let isUp = true
try {
  await keyed.begin(service)
  for (const writer of writers)
    for (const name of FIRST)
      for (let times = 0; times < 2; times++) await send(await make(name, writer), writer)
  for (let round = 1; round <= ROUNDS; round++) await tryRound(round)
  await finish()
} finally {
  await service.stop()
}
console.log(
  `${counts.answered} writes answered, ${counts.unanswered} cut off, ${counts.failed} failed; ${keyed.size} keys, ` +
    `${counts.replayed} of them answered by what was kept, ${counts.held} times held by a call that was gone`,
)
console.log(broken.size === 0 ? 'Everything held' : `${broken.size} promises broken`)
if (broken.size > 0 || counts.failed > 0 || counts.unanswered === 0) process.exitCode = 1

async function tryRound(round: number): Promise<void> {
  isUp = true
  const writing = writers.map(write)
  await new Promise((resolve) => setTimeout(resolve, random.int(SOONEST, LATEST)))
  isUp = false
  await service.crash()
  await Promise.all(writing)
  report(`Round ${round}`, [
    ...(await findBroken(service, ...writers.map(({ known }) => known))),
    ...(await keyed.findOtherAnswers(service)),
  ])
}

/** Repeats writes until all have a reply. */
async function finish(): Promise<void> {
  isUp = true
  const end = Date.now() + LONGEST_HOLD
  for (const writer of writers) {
    for (let next = writer.left.shift(); next; next = writer.left.shift()) {
      await send(next, writer)
      if (writer.left.length > 0) await new Promise((resolve) => setTimeout(resolve, 500))
      if (Date.now() > end) break
    }
  }
  const unfinished = writers.flatMap(({ left }) => left.map(({ path }) => `${path} is never answered`))
  report('Everything answered', [
    ...unfinished,
    ...(await findBroken(service, ...writers.map(({ known }) => known))),
    ...(await keyed.findOtherAnswers(service)),
    ...(await keyed.findOtherRows(service)),
  ])
}

function report(what: string, lines: string[]): void {
  const found = lines.filter((line) => !broken.has(line))
  showProgress(`${what}: ${found.length === 0 ? 'everything held' : `${found.length} broken`}`, true)
  for (const line of found) {
    console.log(`  ${line}`)
    broken.add(line)
  }
}

/** Writes until workerd is killed. */
async function write(writer: Writer): Promise<void> {
  while (isUp) {
    const left = writer.random.chance(RETRIED) ? writer.left.shift() : undefined
    await send(left ?? (await make(writer.random.pick(NAMES), writer)), writer)
  }
}

function make(name: string, { random: own, known }: Writer): Promise<Repeatable> {
  const write = FAULTY_WRITES[name]
  if (!write) throw new Error(`There is no write called ${name}`)
  return makeRepeatable(write(own, known))
}

/** Sends a write once. Without a reply, or while the service still processes its key, it is kept for later. */
async function send(call: Repeatable, { known, left }: Writer): Promise<void> {
  try {
    const answer = await sendTo(service, call)
    const text = await answer.text()
    if (answer.status === 409 && answer.headers.has('Retry-After')) {
      counts.held++
      left.push(call)
    } else if (answer.ok || isUp) noteAnswer(call, answer, text, known)
    else left.push(call)
  } catch {
    call.note({}, false, known)
    counts.unanswered++
    left.push(call)
  }
}

function noteAnswer(call: Repeatable, answer: Response, text: string, known: Acknowledged): void {
  const { method, path, note } = call
  const isReplayed = answer.headers.has('Idempotent-Replayed')
  // Another write may have changed the status since the replayed one.
  if (!(isReplayed && path.endsWith('/status'))) note(JSON.parse(text) as AnswerBody, answer.ok, known)
  if (isReplayed) counts.replayed++
  if (answer.ok) {
    counts.answered++
    keyed.note(call, answer, text)
  } else {
    counts.failed++
    console.log(`  ${method} ${path}: ${text.slice(0, 200)}`)
  }
}
