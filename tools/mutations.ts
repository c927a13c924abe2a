/**
 * Shows which faults no test would notice: `npm run mutations -- src/resources/offers/queries.ts`. A copy of the repository
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
import { seeded } from '../fixtures/random.ts'
import { readCommandLine, readNumber, refuseCommandLine, showProgress } from '../scripts/service/terminal.ts'
import { selectTests } from './check-fast/select.ts'
import { type Mutant, mutantsOf } from './mutations/mutants.ts'
import type { Outcome, Run } from './mutations/run.ts'
import { type Fault, withFault, withSwitches } from './mutations/switched.ts'

const USAGE = `Shows which faults no test would notice.

Usage: npm run mutations -- FILES [OPTIONS]

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
const LONGEST = 300_000

const copy = mkdtempSync(join(tmpdir(), 'estia-mutations-'))
process.on('SIGTERM', () => process.exit(1))
process.on('exit', () => {
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
const tests = options.tests?.split(',') ?? [...new Set(sources.flatMap(testsOf))]

for (const [file, text] of texts)
  write(
    file,
    withSwitches(
      text,
      numbered.filter((fault) => fault.file === file),
    ),
  )
const known = await runAll(tests.filter(isSwitchable).map((test) => ({ fault: 0, test })))
for (const { test } of known.filter(({ failed }) => failed)) console.log(`${test} fails without a fault.`)
const usable = known.filter(({ failed }) => !failed).toSorted((a, b) => a.ms - b.ms)
const plan = numbered.flatMap(({ id }) =>
  usable.filter(({ reached }) => reached.includes(id)).map(({ test }) => ({ fault: id, test })),
)
// The last runs show whether a fault has left something behind in the service, which would make all others seem noticed.
const control = usable.map(({ test }) => ({ fault: 0, test }))
const failures = (await runAll([...plan, ...control])).filter(({ failed }) => failed)
for (const { test } of failures.filter(({ fault }) => fault === 0))
  console.log(`${test} fails after the faults: one has left something behind, so others may only seem noticed.`)
const found = new Set(failures.map(({ fault }) => fault))
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
  const sources = git('ls-files', 'test').filter((one) => one.endsWith('.ts'))
  const files = new Map(sources.map((one) => [one, readFileSync(join(copy, one), 'utf8')]))
  return selectTests([file], files).run.filter((test) => !test.startsWith('test/tools/'))
}

/** Those of other folders run in Node, where the switches are not. */
function isSwitchable(test: string): boolean {
  return !test.startsWith('test/node/')
}

/** What comes of all `runs`. One that does not end has failed, and the others go on. */
async function runAll(runs: Run[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  while (outcomes.length < runs.length) {
    const before = outcomes.length
    const left = runs.slice(before)
    await new Promise<void>((done) => {
      const list = join(copy, 'plan.json')
      writeFileSync(list, JSON.stringify(left))
      const child = spawn(process.execPath, [join(import.meta.dirname, 'mutations/run.ts'), copy, list], {
        stdio: ['ignore', 'ignore', 'pipe'],
        detached: true,
      })
      const stop = () => process.kill(-(child.pid ?? 0), 'SIGKILL')
      let timer = setTimeout(stop, LONGEST)
      createInterface(child.stderr).on('line', (line) => {
        if (!line.startsWith('{"fault"')) return
        outcomes.push(JSON.parse(line))
        showProgress(`run ${outcomes.length} of ${runs.length}`)
        clearTimeout(timer)
        timer = setTimeout(stop, LONGEST)
      })
      child.on('close', () => {
        clearTimeout(timer)
        done()
      })
    })
    const next = runs[outcomes.length]
    if (next && outcomes.length > before) outcomes.push({ ...next, failed: true, reached: [], ms: LONGEST })
    else if (next) throw new Error('The tests do not start.')
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
