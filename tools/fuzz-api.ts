/**
 * Sends damaged calls to the whole API: `npm run tool -- fuzz-api`. It generates valid calls from `/openapi.json`,
 * changes each in one to five places, and checks that the reply keeps the promises of every reply. A finding is a 5xx, no
 * reply within 10 seconds, a broken envelope, an error that reveals internals, or a dead service. The bytes of findings are
 * written to build/fuzz-api, and the exit code is then 1.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { seeded } from '../fixtures/random.ts'
import { readCommandLine, readNumber, showProgress } from '../scripts/service/terminal.ts'
import { callBytes, type FuzzCall, send } from './fuzz-api/call.ts'
import { mutate } from './fuzz-api/mutate.ts'
import { type Document, seedMaker } from './fuzz-api/seeds.ts'
import { isServed, validate } from './fuzz-api/validate.ts'
import { type AgencyService, startAgency } from './runtime/agency.ts'

const USAGE = `Sends damaged calls to the whole API and validates the replies.

Usage: npm run tool -- fuzz-api [OPTIONS]

  --calls NUMBER        how many (default: 100000)
  --seed NUMBER         makes the same calls again (default: another every time)
  --connections NUMBER  how many calls there are at once (default: 8)
  --file FILE           sends the bytes of a finding instead; may be repeated
  --keep FOLDER         where findings go (default: build/fuzz-api)
  --help                shows this`

const { values: options } = readCommandLine(USAGE, {
  calls: { type: 'string', default: '100000' },
  seed: { type: 'string' },
  connections: { type: 'string', default: '8' },
  file: { type: 'string', multiple: true },
  keep: { type: 'string', default: 'build/fuzz-api' },
})
const CALLS = readNumber('calls', options.calls)
const SEED = options.seed === undefined ? Date.now() % 1_000_000 : readNumber('seed', options.seed)
const CONNECTIONS = readNumber('connections', options.connections)
/** Time limit of one call, in milliseconds. */
const LIMIT = 10_000
/** Time limit of a call with a wrong length, in milliseconds. */
const SHORT_LIMIT = 300
/** Maximum findings of one kind that are written. */
const KEPT = 5

const service = await startAgency(null, { contacts: 40, listings: 40 })
try {
  if (options.file) await replay(service, options.file)
  else await fuzz(service)
} finally {
  await service.stop()
}

async function replay({ url, errors }: AgencyService, paths: string[]): Promise<void> {
  for (const path of paths) {
    const outcome = await send(url, 'GET', readFileSync(path), LIMIT)
    console.log(
      path,
      'answer' in outcome ? `${outcome.answer.status} ${outcome.answer.text.slice(0, 500)}` : outcome,
    )
  }
  for (const { message } of errors) console.log(message)
}

async function fuzz({ url, errors }: AgencyService): Promise<void> {
  const document = (await (await fetch(new URL('/openapi.json', url))).json()) as Document
  const makeSeed = seedMaker(document)
  const findings = new Map<string, number>()
  const answers = { served: new Map<number, number>(), unserved: new Map<number, number>() }
  let next = 0
  let dead = false
  console.log(`Seed ${SEED}, ${CALLS} calls`)

  async function callOnAndOn(): Promise<void> {
    while (next < CALLS && !dead) {
      const index = next++
      const random = seeded(SEED * 1_000_003 + index)
      const call = mutate(makeSeed(random), random, random.int(0, 9) === 0 ? 0 : random.int(1, 5))
      const bytes = callBytes(call, url.host)
      const outcome = await send(url, call.method, bytes, call.malformed ? SHORT_LIMIT : LIMIT)
      if ('answer' in outcome) {
        const { status } = outcome.answer
        const counts = isServed(outcome.answer) ? answers.served : answers.unserved
        counts.set(status, (counts.get(status) ?? 0) + 1)
      }
      const problem = validate(call, outcome)
      if (problem) report(index, call, bytes, problem)
      if (problem === 'the service is dead') dead = true
      if (index % 500 === 0)
        showProgress(
          `${index} of ${CALLS} calls, ${[...findings.values()].reduce((a, b) => a + b, 0)} findings`,
        )
    }
  }

  function report(index: number, call: FuzzCall, bytes: Buffer, problem: string): void {
    const kind = `${problem} · ${call.method} ${call.target.split('?')[0]?.replace(/\d+/g, '1').slice(0, 60)}`
    const times = (findings.get(kind) ?? 0) + 1
    findings.set(kind, times)
    process.exitCode = 1
    if (times > KEPT) return
    mkdirSync(options.keep, { recursive: true })
    const path = join(options.keep, `${SEED}-${index}.http`)
    writeFileSync(path, bytes)
    console.log(`\n${kind}: ${path}\n  ${errors.at(-1)?.message.slice(0, 600) ?? ''}`)
  }

  await Promise.all(Array.from({ length: CONNECTIONS }, callOnAndOn))
  showProgress(`${next} calls`, true)
  console.log(`Answers of the service: ${listCounts(answers.served)}`)
  console.log(`Answers of workerd to what it never passed on: ${listCounts(answers.unserved)}`)
  const healthy = (await fetch(new URL('/health', url)).catch(() => null))?.ok ?? false
  if (!healthy) process.exitCode = 1
  console.log(
    `${[...findings.values()].reduce((a, b) => a + b, 0)} findings; the service is ${healthy ? 'well' : 'dead'}`,
  )
  for (const [kind, times] of findings) console.log(`  ${times} × ${kind}`)
}

/** `200: 5, 404: 2` */
function listCounts(counts: Map<number, number>): string {
  const sorted = [...counts].toSorted(([a], [b]) => a - b)
  return sorted.map(([status, times]) => `${status}: ${times}`).join(', ') || 'none'
}
