/**
 * Runs tests in the copy of the repository, each under one fault, in a Vitest that loads the service once. Reads a `Plan` of
 * JSON, and prints a line of JSON for each run that ended.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { startVitest, type TestModule, type TestSpecification } from 'vitest/node'

/** A test file under a fault, or under none (0). */
export interface Run {
  fault: number
  test: string
  /** The fault that the test must have found just before, without which it is not run. */
  after?: number
}

/** What came of it: whether a test failed, and which faults it reached. */
export interface Outcome extends Run {
  failed: boolean
  reached: number[]
  ms: number
}

const FOLDER = 'test/mutations'
const SETUP = 'test/support/setup.ts'
const [copy = '', plan = ''] = process.argv.slice(2)
process.chdir(copy)
const runs: Run[] = JSON.parse(readFileSync(plan, 'utf8'))
rmSync(FOLDER, { recursive: true, force: true })
mkdirSync(FOLDER)
const nameOf = (index: number) => `${String(index).padStart(6, '0')}.test.ts`
// Emptying the storage takes longer than anything else of a file that runs nothing.
const setup = readFileSync(SETUP, 'utf8')
const emptying = /^await emptyService\(\)$/m
if (!setup.includes('estiaFaults'))
  writeFileSync(SETUP, setup.replace(emptying, 'if (!globalThis.estiaFaults?.isNextIdle) $&'))
for (const [index, run] of runs.entries()) writeFileSync(join(FOLDER, nameOf(index)), fileOf(run, index))

/** In the order of their names, which is that of the plan. */
class InOrder {
  async sort(specs: TestSpecification[]) {
    return specs.toSorted((a, b) => (a.moduleId < b.moduleId ? -1 : 1))
  }
  async shard(specs: TestSpecification[]) {
    return specs
  }
}

const vitest = await startVitest('test', [`${FOLDER}/`], {
  watch: false,
  silent: true,
  project: ['workerd'],
  maxWorkers: 1,
  sequence: { sequencer: InOrder },
  reporters: [{ onTestModuleEnd: report }],
})
await vitest.close()
process.exit(0)

function report(module: TestModule): void {
  const run = runs[Number.parseInt(relative(FOLDER, relative(copy, module.moduleId)), 10)]
  if (!run) return
  const tests = [...module.children.allTests()]
  const reached = tests.flatMap((test) => (test.meta() as { reached?: number[] }).reached ?? [])
  const failed = module.state() === 'failed'
  const { duration } = module.diagnostic()
  const outcome: Outcome = { ...run, failed, reached, ms: Math.round(duration) }
  process.stderr.write(`${JSON.stringify(outcome)}\n`)
}

/** A test file that runs `test` under `fault`, up to the first failure, and not if an earlier file has found the fault. */
function fileOf(run: Run, index: number): string {
  const { fault, test } = run
  const next = runs[index + 1]
  return `import { afterAll, afterEach, beforeEach, it } from 'vitest'
const faults = (globalThis.estiaFaults ??= { active: 0, reached: new Uint8Array(100000), found: new Map() })
faults.active = ${fault}
faults.reached.fill(0)
let failed = false
beforeEach((context) => failed && context.skip())
afterEach(({ task }) => {
  if (task.result?.state !== 'fail') return
  failed = true
  faults.found.set(${fault}, '${test}')
})
afterAll(() => {
  faults.active = 0
  faults.isNextIdle = ${next ? conditionOf(next) : true}
})
if (!(${conditionOf(run)})) await import('../${test.replace(/^test\//, '')}?run=${index}')
it('ends', ({ task }) => {
  task.meta.reached = ${fault} === 0 ? [...faults.reached.entries()].flatMap(([id, is]) => (is ? id : [])) : []
})
`
}

/** When there is nothing to run, as code. */
function conditionOf({ fault, test, after }: Run): string {
  if (after !== undefined) return `faults.found.get(${after}) !== '${test}'`
  return String(fault > 0 && `faults.found.has(${fault})`)
}
