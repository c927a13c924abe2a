/**
 * Shows which faults no test would notice: `npm run mutations -- src/resources/offers/queries.ts`. Each fault is put into a
 * copy of the repository, and the tests that belong to the file must then fail. Those that stay green are listed.
 */
import { execFileSync, spawnSync } from 'node:child_process'
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
import { dirname, join, resolve } from 'node:path'
import { seeded } from '../fixtures/random.ts'
import { readCommandLine, readNumber, refuseCommandLine, showProgress } from '../scripts/service/terminal.ts'
import { selectTests } from './check-fast/select.ts'
import { type Mutant, mutantsOf } from './mutations/mutants.ts'

const USAGE = `Shows which faults no test would notice.

Usage: npm run mutations -- FILES [OPTIONS]

  FILES           sources of the service, committed; each with the tests that belong to it
  --tests FILES   these tests instead, separated by commas
  --count NUMBER  so many faults of each file, chosen at random (default: all)
  --seed NUMBER   chooses them (default: 1)
  --help          shows this`

const { values: options, positionals } = readCommandLine(
  USAGE,
  {
    tests: { type: 'string' },
    count: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
  },
  true,
)
if (positionals.length === 0) refuseCommandLine('Which files?')
const COUNT = readNumber('count', options.count)
const random = seeded(readNumber('seed', options.seed))
/** A fault may make a loop endless; in milliseconds. */
const LONGEST = 600_000

const copy = mkdtempSync(join(tmpdir(), 'estia-mutations-'))
const survivors: string[] = []
let tried = 0
try {
  git('worktree', 'add', '--detach', '--force', copy)
  mkdirSync(join(copy, 'node_modules'))
  // All but the caches, which another run may be using.
  for (const name of readdirSync('node_modules').filter((one) => !/^\.(?!bin)/.test(one)))
    symlinkSync(resolve('node_modules', name), join(copy, 'node_modules', name))
  for (const file of positionals) tryFile(file)
} finally {
  git('worktree', 'remove', '--force', copy)
  rmSync(copy, { recursive: true, force: true })
}
console.log(`${tried} faults, ${survivors.length} unnoticed${survivors.length ? ':' : '.'}`)
for (const survivor of survivors) console.log(survivor)
process.exitCode = survivors.length > 0 ? 1 : 0

function tryFile(file: string): void {
  const path = join(copy, file)
  const text = readFileSync(path, 'utf8')
  const tests = options.tests?.split(',') ?? testsOf(file)
  if (tests.length === 0) throw new Error(`No test belongs to ${file}.`)
  // Those of the same room find most faults, and soon.
  const near = tests.filter((test) => test.startsWith(`${dirname(file).replace(/^src/, 'test')}/`))
  const far = tests.filter((test) => !near.includes(test))
  const noticed = () => !pass(near) || !pass(far)
  if (noticed()) {
    survivors.push(`${file}: its tests fail without a fault: ${tests.join(' ')}`)
    return
  }
  const mutants = mutantsOf(file, text)
  while (mutants.length > COUNT) mutants.splice(random.int(0, mutants.length - 1), 1)
  for (const [index, mutant] of mutants.entries()) {
    showProgress(`${file}: fault ${index + 1} of ${mutants.length}, ${survivors.length} unnoticed`)
    writeFileSync(path, apply(text, mutant))
    tried++
    if (!noticed()) survivors.push(`${file}:${mutant.line} ${mutant.before} → ${mutant.after}`)
  }
  writeFileSync(path, text)
}

function testsOf(file: string): string[] {
  const sources = git('ls-files', 'test').filter((one) => one.endsWith('.ts'))
  const files = new Map(sources.map((one) => [one, readFileSync(join(copy, one), 'utf8')]))
  return selectTests([file], files).run.filter((test) => !test.startsWith('test/tools/'))
}

/** Whether `tests` pass in the copy. */
function pass(tests: string[]): boolean {
  if (tests.length === 0) return true
  const parameters = ['vitest', 'run', '--bail', '1', '--silent', '--reporter', 'dot', ...tests]
  return spawnSync('npx', parameters, { cwd: copy, stdio: 'ignore', timeout: LONGEST }).status === 0
}

function apply(text: string, { start, before, after }: Mutant): string {
  return text.slice(0, start) + after + text.slice(start + before.length)
}

/** The lines that git prints. */
function git(...parameters: string[]): string[] {
  return execFileSync('git', parameters, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    .split('\n')
    .filter(Boolean)
}
