/**
 * What searching listings costs beside SQL by hand: `npm run bench:search`. Each question is answered by the statements
 * of the service and by hand-written ones over `listings`, which have the one index that is best for that question.
 * Both run in D1, by turns, and must find the same.
 *
 *     npm run bench:search -- --sizes 100000,1000000 --questions 200 --seed 1 --rounds 3 --keys visitors,secret
 *     npm run bench:search -- --sizes 100000 --only 17,42
 */
import { parseArgs } from 'node:util'
import { showProgress } from '../scripts/service/terminal.ts'
import { measureUnfiltered } from './bench-search/calls.ts'
import { type Comparison, compare, NotAnswered } from './bench-search/compare.ts'
import { makeQuestions } from './bench-search/questions.ts'
import { reportCalls, reportSpread, reportWorst, reportWrites } from './bench-search/report.ts'
import { type SearchService, startSearch, type View } from './bench-search/service.ts'
import { measureWrites } from './bench-search/writes.ts'

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '100000,1000000' },
    questions: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '3' },
    keys: { type: 'string', default: 'visitors' },
    only: { type: 'string', default: '' },
  },
})
const COUNT = Number(options.questions)
const ONLY = options.only.split(',').filter(Boolean).map(Number)
const VIEWS = options.keys.split(',').map(viewOf)

for (const size of options.sizes.split(',').map(Number)) {
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
  const questions = await makeQuestions(service, size, { count: COUNT, seed: Number(options.seed), isSecret })
  const document = await service.documentTable()
  const comparisons: Comparison[] = []
  const unanswered: string[] = []
  for (const question of questions.filter(({ number }) => ONLY.length === 0 || ONLY.includes(number))) {
    showProgress(`${size} listings, ${view}: question ${question.number} of ${COUNT}`)
    try {
      comparisons.push(await compare(service, question, { view, document, rounds: Number(options.rounds) }))
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
  if (name !== 'visitors' && name !== 'secret') throw new Error('--keys is visitors, secret or both')
  return name
}
