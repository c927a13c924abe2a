/**
 * What holds when the runtime is killed: `npm run kills`. Writers write side by side, each to records of its own, and
 * repeat what got no answer, a POST with the idempotency key that it had, while workerd is killed in the midst of it and
 * started again on what it has stored. After each round no acknowledged write is missing, keys are answered as before, no
 * row refers to a missing object, matches equal a fresh computation once the clock has run, counters equal counts. In the
 * end, when all have their answers, there are as many rows as these tell of.
 *
 *     npm run kills -- --rounds 20 --writers 6 --seed 7
 */
import { parseArgs } from 'node:util'
import { seeded } from '../fixtures/random.ts'
import { showProgress } from '../scripts/service/terminal.ts'
import { findBroken } from './faults/promises.ts'
import { Acknowledged } from './faults/record.ts'
import { type AnswerBody, PIXEL, WRITES } from './faults/writes.ts'
import { KeyedAnswers, makeRepeatable, type Repeatable, sendTo } from './kills/keyed.ts'
import { startAgency } from './runtime/agency.ts'

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    writers: { type: 'string', default: '6' },
    seed: { type: 'string', default: '1' },
  },
})
const ROUNDS = Number(options.rounds)
/** How long writers write until workerd is killed, in milliseconds. */
const [SOONEST, LATEST] = [100, 2_000]
/** What a writer begins with, so that it has records of its own. */
const FIRST = ['create a listing', 'create a request', 'create a contact']
/** A deletion would leave a writer without records of its own; the faults try it. */
const NAMES = Object.keys(WRITES).filter((name) => !name.startsWith('delete'))

const random = seeded(Number(options.seed))
const writers = Array.from({ length: Number(options.writers) }, () => ({
  known: new Acknowledged(),
  random: seeded(random.int(0, 2 ** 31)),
  /** Writes that got no answer, to be made again. */
  left: [] as Repeatable[],
}))
type Writer = (typeof writers)[number]
const counts = { answered: 0, unanswered: 0, held: 0, replayed: 0, failed: 0 }
/** How often a writer looks first whether what is left can be done. */
const RETRIED = 0.3
/** A key may be held for 30 seconds by a call that is gone. */
const LONGEST_HOLD = 40_000
const outside = () => new Response(Buffer.from(PIXEL, 'base64'), { headers: { 'Content-Type': 'image/png' } })
const service = await startAgency('tools/faults/worker.ts', { contacts: 30, listings: 30 }, outside)
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

/** Sends what is left until everything is answered. */
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

/** Writes until workerd is gone. */
async function write(writer: Writer): Promise<void> {
  while (isUp) {
    const left = writer.random.chance(RETRIED) ? writer.left.shift() : undefined
    await send(left ?? (await make(writer.random.pick(NAMES), writer)), writer)
  }
}

function make(name: string, { random: own, known }: Writer): Promise<Repeatable> {
  const write = WRITES[name]
  if (!write) throw new Error(`There is no write called ${name}`)
  return makeRepeatable(write(own, known))
}

/** Sends a write once. What gets no answer, or is still being answered as far as the service knows, is left. */
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
  // A status that was set back then may have been set anew since.
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
