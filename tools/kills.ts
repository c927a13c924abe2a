/**
 * What holds when the runtime is killed: `npm run kills`. Writers write side by side, each to records of its own, and
 * repeat what got no answer, while workerd is killed in the midst of it and started again on what it has stored. After
 * each round no acknowledged write is missing, no row refers to a missing object, matches equal a fresh computation once
 * the clock has run, counters equal counts.
 *
 *     npm run kills -- --rounds 20 --writers 6 --seed 7
 */
import { parseArgs } from 'node:util'
import { seeded } from '../fixtures/random.ts'
import { showProgress } from '../scripts/service/terminal.ts'
import { findBroken } from './faults/promises.ts'
import { Acknowledged } from './faults/record.ts'
import { type AnswerBody, credentials, PIXEL, WRITES, type Write } from './faults/writes.ts'
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
  /** The write that got no answer, to be made again. */
  left: null as Write | null,
}))
const counts = { answered: 0, unanswered: 0, failed: 0 }
const outside = () => new Response(Buffer.from(PIXEL, 'base64'), { headers: { 'Content-Type': 'image/png' } })
const service = await startAgency('tools/faults/worker.ts', { contacts: 30, listings: 30 }, outside)
const broken = new Set<string>()
let isUp = true
try {
  for (const { known, random: own } of writers)
    for (const name of FIRST)
      for (let times = 0; times < 2; times++) await send(make(name, own, known), known)
  for (let round = 1; round <= ROUNDS; round++) await tryRound(round)
} finally {
  await service.stop()
}
console.log(`${counts.answered} writes answered, ${counts.unanswered} cut off, ${counts.failed} failed`)
console.log(broken.size === 0 ? 'Everything held' : `${broken.size} promises broken`)
if (broken.size > 0 || counts.failed > 0 || counts.unanswered === 0) process.exitCode = 1

async function tryRound(round: number): Promise<void> {
  isUp = true
  const writing = writers.map(write)
  await new Promise((resolve) => setTimeout(resolve, random.int(SOONEST, LATEST)))
  isUp = false
  await service.crash()
  await Promise.all(writing)
  const found = (await findBroken(service, ...writers.map(({ known }) => known))).filter(
    (line) => !broken.has(line),
  )
  showProgress(`Round ${round}: ${found.length === 0 ? 'everything held' : `${found.length} broken`}`, true)
  for (const line of found) {
    console.log(`  ${line}`)
    broken.add(line)
  }
}

/** Writes until workerd is gone. */
async function write(writer: (typeof writers)[number]): Promise<void> {
  while (isUp) {
    const next = writer.left ?? make(writer.random.pick(NAMES), writer.random, writer.known)
    writer.left = (await send(next, writer.known)) ? null : next
  }
}

function make(name: string, own: typeof random, known: Acknowledged): Write {
  const write = WRITES[name]
  if (!write) throw new Error(`There is no write called ${name}`)
  return write(own, known)
}

/** Whether there was an answer. */
async function send({ method, path, body, note }: Write, known: Acknowledged): Promise<boolean> {
  try {
    const answer = await fetch(new URL(path, service.url), { method, body, headers: credentials(path) })
    const data = (await answer.json()) as AnswerBody
    note(data, answer.ok, known)
    if (answer.ok) counts.answered++
    else if (isUp) {
      counts.failed++
      console.log(`  ${method} ${path}: ${JSON.stringify(data).slice(0, 200)}`)
    }
    return answer.ok
  } catch {
    note({}, false, known)
    counts.unanswered++
    return false
  }
}
