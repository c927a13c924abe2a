/**
 * What searching listings costs beside SQL by hand: `npm run bench:search`. Each question is answered by the statements
 * of the service and by hand-written ones over `listings`, which have the one index that is best for that question.
 * Both run in D1, by turns, and must find the same.
 */
import {
  readCommandLine,
  readNumber,
  readNumbers,
  refuseCommandLine,
  showProgress,
} from '../scripts/service/terminal.ts'
import { measureUnfiltered } from './bench-search/calls.ts'
import { type Comparison, compare, NotAnswered } from './bench-search/compare.ts'
import { makeQuestions } from './bench-search/questions.ts'
import { reportCalls, reportSpread, reportWorst, reportWrites } from './bench-search/report.ts'
import { type SearchService, startSearch, type View } from './bench-search/service.ts'
import { measureWrites } from './bench-search/writes.ts'

const USAGE = `Measures what searching listings costs beside SQL by hand.

Usage: npm run bench:search [-- OPTIONS]

  --sizes NUMBERS     how many listings there are (default: 100000,1000000)
  --questions NUMBER  how many searches are compared (default: 200)
  --seed NUMBER       chooses them (default: 1)
  --rounds NUMBER     how often each is measured (default: 3)
  --keys NAMES        visitors, secret or both (default: visitors)
  --only NUMBERS      only these questions
  --help              shows this`

const { values: options } = readCommandLine(USAGE, {
  sizes: { type: 'string', default: '100000,1000000' },
  questions: { type: 'string', default: '200' },
  seed: { type: 'string', default: '1' },
  rounds: { type: 'string', default: '3' },
  keys: { type: 'string', default: 'visitors' },
  only: { type: 'string' },
})
const SIZES = readNumbers('sizes', options.sizes)
const [COUNT, SEED] = [readNumber('questions', options.questions), readNumber('seed', options.seed)]
const ROUNDS = readNumber('rounds', options.rounds)
const ONLY = options.only === undefined ? [] : readNumbers('only', options.only)
const VIEWS = options.keys.split(',').map(viewOf)

for (const size of SIZES) {
  const service = await startSearch(size)
  try {
    for (const view of VIEWS) await measureView(service, size, view)
    if (ONLY.length === 0) console.log(`${reportWrites(await measureWrites(service))}\n`)
  } finally {
    await service.stop()
  }
}

async function measureView(service: SearchService, size: number, view: View): Promise<void> {
  const isSecret = view === 'secret'
  const questions = await makeQuestions(service, size, { count: COUNT, seed: SEED, isSecret })
  const document = await service.documentTable()
  const comparisons: Comparison[] = []
  const unanswered: string[] = []
  for (const question of questions.filter(({ number }) => ONLY.length === 0 || ONLY.includes(number))) {
    showProgress(`${size} listings, ${view}: question ${question.number} of ${COUNT}`)
    try {
      comparisons.push(await compare(service, question, { view, document, rounds: ROUNDS }))
    } catch (error) {
      if (!(isSecret && error instanceof NotAnswered)) throw error
      unanswered.push(error.message)
    }
  }
  showProgress('', true)
  console.log(`### ${size.toLocaleString('en')} listings, keys: ${view}, ${comparisons.length} questions\n`)
  if (unanswered.length > 0)
    console.log(`${unanswered.length} questions are not answered to these keys (${unanswered[0]}).\n`)
  if (comparisons.length > 0)
    console.log(`${reportSpread(comparisons)}\n\n${await reportWorst(service, comparisons)}\n`)
  if (ONLY.length === 0) console.log(`${reportCalls(await measureUnfiltered(service, view))}\n`)
}

function viewOf(name: string): View {
  if (name !== 'visitors' && name !== 'secret')
    return refuseCommandLine('--keys is visitors, secret or both.')
  return name
}
