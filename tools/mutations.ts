/**
 * Shows which faults no test would notice: `npm run tool -- mutations src/resources/offers/queries.ts`. A copy of the repository
 * gets all faults, each behind a switch. A first run shows which tests reach which fault, a second runs these under it. What
 * stays unnoticed is tried once more on its own, as a fault may lie in what is done once, while the service loads.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { seeded } from '@estia/photo-codec/fixtures/random'
import { readCommandLine, readNumber, refuseCommandLine, showProgress } from '../scripts/service/terminal.ts'
import { selectTests } from './check-fast/select.ts'
import { type Mutant, mutantsOf } from './mutations/mutants.ts'
import type { Outcome, Run } from './mutations/run.ts'
import { type Fault, withFault, withSwitches } from './mutations/switched.ts'

const USAGE = `Shows which faults no test would notice.

Usage: npm run tool -- mutations FILES [OPTIONS]

  FILES           sources of the service, committed; each with the tests that belong to it. \`src/app.ts:12\` is its line 12
  --tests FILES   these tests instead, separated by commas
  --count NUMBER  so many faults of each file, chosen at random, of every kind (default: all)
  --seed NUMBER   chooses them (default: 1)
  --fast          does not try again what stays unnoticed
  --help          shows this`

const { values: options, positionals } = readCommandLine(
  USAGE,
  {
    tests: { type: 'string' },
    count: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    fast: { type: 'boolean', default: false },
  },
  true,
)
if (positionals.length === 0) refuseCommandLine('Which files?')
const COUNT = readNumber('count', options.count)
const random = seeded(readNumber('seed', options.seed))
/** A fault may make a loop endless; in milliseconds. */
const LONGEST = 150_000
/** The number of no fault: what is to run after it is not run. */
const NEVER = -1

const copy = mkdtempSync(join(tmpdir(), 'estia-mutations-'))
/** Ends the run of tests, with the processes that it has started. */
let stop = () => {}
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))
process.on('exit', () => {
  stop()
  git('worktree', 'remove', '--force', copy)
  rmSync(copy, { recursive: true, force: true })
})
git('worktree', 'add', '--detach', '--force', copy)
mkdirSync(join(copy, 'node_modules'))
// All but the caches, which another run may be using.
for (const name of readdirSync('node_modules').filter((one) => !/^\.(?!bin)/.test(one)))
  symlinkSync(resolve('node_modules', name), join(copy, 'node_modules', name))

const places = positionals.map((place) => place.split(':'))
const sources = [...new Set(places.flatMap(([file]) => file ?? []))]
const texts = new Map(sources.map((file) => [file, readFileSync(join(copy, file), 'utf8')]))
const faults = [...texts].flatMap(([file, text]) => {
  const mutants = mutantsOf(file, text).filter(({ line }) =>
    places.some(([name, number]) => name === file && (number === undefined || Number(number) === line)),
  )
  return choose(mutants).map((one) => ({ ...one, file }))
})
const numbered: Fault[] = faults.map((fault, index) => ({ ...fault, id: index + 1 }))
const tests = [...new Set(sources.flatMap(testsOf))]

for (const [file, text] of texts)
  write(
    file,
    withSwitches(
      text,
      numbered.filter((fault) => fault.file === file),
    ),
  )
// Twice, as some tests look at what a service does only once.
const twice = tests.filter(isSwitchable).flatMap((test) => [test, test])
const known = await runAll(twice.map((test) => ({ fault: 0, test })))
const failing = new Set(known.filter(({ failed }) => failed).map(({ test }) => test))
for (const test of failing) console.log(`Left out, as it fails without a fault: ${test}`)
const usable = known
  .filter(({ test }, index) => index % 2 === 1 && !failing.has(test))
  .toSorted((a, b) => a.ms - b.ms)
const plan = numbered.flatMap(({ id }) =>
  usable.filter(({ reached }) => reached.includes(id)).map(({ test }) => ({ fault: id, test })),
)
// What has found a fault must pass without it, or the fault has left something behind in the service.
const checked = plan.flatMap((run): Run[] => [run, { fault: 0, test: run.test, after: run.fault }])
const found = new Set((await runAll(checked)).filter(({ failed }) => failed).map(({ fault }) => fault))
for (const [file, text] of texts) write(file, text)

const survivors = numbered.filter(({ id }) => !found.has(id))
const unnoticed = options.fast ? survivors : survivors.filter((fault) => !isNoticed(fault))
for (const file of sources) {
  const tried = numbered.filter((fault) => fault.file === file)
  const green = unnoticed.filter((fault) => fault.file === file)
  console.log(`${file}: ${tried.length} faults, ${green.length} unnoticed${green.length ? ':' : '.'}`)
  for (const { id, line, before, after } of green) {
    const reached = plan.filter(({ fault }) => fault === id).length
    console.log(`  ${file}:${line} ${before} → ${after} (reached by ${reached})`)
  }
}
process.exitCode = unnoticed.length > 0 ? 1 : 0

/** As many as wanted, of every kind. */
function choose(mutants: Mutant[]): Mutant[] {
  const kinds = [...Map.groupBy(mutants, ({ kind }) => kind).values()].map((those) =>
    random.sample(those, those.length),
  )
  const longest = Math.max(0, ...kinds.map(({ length }) => length))
  const inTurn = Array.from({ length: longest }, (_, index) => kinds.flatMap((those) => those[index] ?? []))
  return inTurn.flat().slice(0, COUNT)
}

function testsOf(file: string): string[] {
  if (options.tests) return options.tests.split(',')
  const sources = git('ls-files', 'test').filter((one) => one.endsWith('.ts'))
  const files = new Map(sources.map((one) => [one, readFileSync(join(copy, one), 'utf8')]))
  return selectTests([file], files).run.filter((test) => !test.startsWith('test/tools/'))
}

/** Those of other folders run in Node, where the switches are not. */
function isSwitchable(test: string): boolean {
  return !test.startsWith('test/node/')
}

/** What comes of all `runs`. A run that does not end has failed. After it, the others go on in a service loaded anew. */
async function runAll(runs: Run[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  while (outcomes.length < runs.length) {
    const before = outcomes.length
    const found = new Set(outcomes.flatMap(({ fault, failed }) => (failed && fault > 0 ? fault : [])))
    const left = runs
      .slice(before)
      .map((run) => (found.has(run.after ?? run.fault) ? { ...run, after: NEVER } : run))
    await new Promise<void>((done) => {
      const list = join(copy, 'plan.json')
      writeFileSync(list, JSON.stringify(left))
      const child = spawn(process.execPath, [join(import.meta.dirname, 'mutations/run.ts'), copy, list], {
        stdio: ['ignore', 'ignore', 'pipe'],
        detached: true,
      })
      let isStopping = false
      stop = () => {
        isStopping = true
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      }
      let timer = setTimeout(() => stop(), LONGEST)
      createInterface(child.stderr).on('line', (line) => {
        if (!line.startsWith('{"fault"')) return
        const outcome: Outcome = JSON.parse(line)
        if (isStopping) return
        outcomes.push(outcome)
        showProgress(`run ${outcomes.length} of ${runs.length}`)
        clearTimeout(timer)
        if (outcome.after && outcome.failed) stop()
        timer = setTimeout(() => stop(), LONGEST)
      })
      child.on('close', () => {
        clearTimeout(timer)
        stop = () => {}
        done()
      })
    })
    const next = runs[outcomes.length]
    const last = outcomes.at(-1)
    if (outcomes.length === before) throw new Error('The tests do not start.')
    const isStopped = last?.after !== undefined && last.failed
    if (next && !isStopped) outcomes.push({ ...next, failed: true, reached: [], ms: LONGEST })
  }
  return outcomes
}

/** Whether a test fails if the service has this one fault from the beginning. */
function isNoticed(fault: Fault): boolean {
  const text = texts.get(fault.file) ?? ''
  showProgress(`${fault.file}:${fault.line} ${fault.before} → ${fault.after}`)
  write(fault.file, withFault(text, fault))
  const parameters = ['vitest', 'run', '--bail', '1', '--silent', '--reporter', 'dot', ...testsOf(fault.file)]
  const { status } = spawnSync('npx', parameters, { cwd: copy, stdio: 'ignore', timeout: LONGEST })
  write(fault.file, text)
  return status !== 0
}

function write(file: string, text: string): void {
  writeFileSync(join(copy, file), text)
}

/** The lines that git prints. */
function git(...parameters: string[]): string[] {
  return execFileSync('git', parameters, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    .split('\n')
    .filter(Boolean)
}
