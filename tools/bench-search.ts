/**
 * What searching listings takes beside SQL by hand: `npm run bench -- search`. Both run in one Worker over one database, by
 * turns, and must find the same.
 */
import { rmSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import autocannon from 'autocannon'
import { readCommandLine, readNumber, readNumbers, showProgress } from '../scripts/service/terminal.ts'
import { median } from './bench/measure.ts'
import { table } from './bench/report.ts'
import { SETUP } from './bench-search/by-hand.ts'
import { copySearched } from './bench-search/database.ts'
import { makeQuestions, pathOf, type Question } from './bench-search/questions.ts'
import type { Found, Task } from './bench-search/worker.ts'
import { buildBundle } from './runtime/bundle.ts'
import { http } from './runtime/http.ts'
import { storeKey, storePublishableKey, TOOLS_KEY } from './runtime/key.ts'
import { startBundle } from './runtime/workerd.ts'

const USAGE = `Measures what searching listings takes beside SQL by hand.

Usage: npm run bench -- search [OPTIONS]

  --sizes NUMBERS     how many listings there are (default: 5000,100000,300000)
  --questions NUMBER  how many lists are asked for (default: 60)
  --seed NUMBER       chooses the questions (default: 1)
  --enough NUMBER     how long each is repeated, in milliseconds (default: 200)
  --help              shows this`

const { values: options } = readCommandLine(USAGE, {
  sizes: { type: 'string', default: '5000,100000,300000' },
  questions: { type: 'string', default: '60' },
  seed: { type: 'string', default: '1' },
  enough: { type: 'string', default: '200' },
})
const SIZES = readNumbers('sizes', options.sizes)
const [COUNT, SEED] = [readNumber('questions', options.questions), readNumber('seed', options.seed)]
const ENOUGH = readNumber('enough', options.enough)

const VISITOR_KEY = `estia_pub_${'0'.repeat(48)}`
/** Most cells of the service's maps. */
const MAX_CELLS = 500
const CONNECTIONS = 16
const PATHS = { list: '', facets: '/facets', map: '/map' } as const

const bundle = buildBundle('tools/bench-search/worker.ts')
try {
  for (const size of SIZES) await measure(size)
} finally {
  rmSync(bundle, { recursive: true, force: true })
}

async function measure(size: number): Promise<void> {
  const folder = await copySearched(size)
  const miniflare = startBundle(bundle, {
    resourcePersistencePath: folder,
    d1Databases: ['DB'],
    r2Buckets: ['PHOTOS'],
    kvNamespaces: ['API_KEYS'],
    // A kept answer would ask the database nothing.
    cacheAPI: false,
  })
  try {
    const url = await miniflare.ready
    await storeKey(miniflare, TOOLS_KEY)
    await storePublishableKey(miniflare, VISITOR_KEY)
    const bench: Bench = async (task, body = {}) => {
      const start = performance.now()
      const answer = await send(url, `/bench/${task}`, body)
      return { ...answer, milliseconds: performance.now() - start }
    }
    for (const [step, text] of SETUP.entries()) {
      showProgress(`${size} listings: table by hand, step ${step + 1} of ${SETUP.length}`)
      await bench('sql', { sql: text, params: [] })
    }
    await bench('words')
    const questions = makeQuestions(COUNT, SEED)
    const comparisons: Comparison[] = []
    for (const question of questions) {
      showProgress(`${size} listings: question ${comparisons.length + 1} of ${questions.length}`)
      comparisons.push(await compare(bench, question))
    }
    const rates = await measureRates(url)
    showProgress('', true)
    console.log(
      `### ${size.toLocaleString('en')} listings\n\n${reportComparisons(comparisons)}\n\n${rates}\n`,
    )
  } finally {
    await miniflare.dispose()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What the tasks of the Worker answer; each some of it. */
interface Answer extends Found {
  milliseconds: number
  rowsRead: number
}
type Bench = (task: string, body?: object) => Promise<Answer>

async function send(url: URL, path: string, body: object): Promise<Answer> {
  const headers = { Authorization: `Bearer ${TOOLS_KEY}`, Connection: 'close' }
  const ask = () => http(new URL(path, url), 'POST', { headers, body: JSON.stringify(body) })
  // Behind much work, workerd sometimes drops a connection before it reads from it.
  const { status, text } = await ask().catch(ask)
  if (status !== 200) throw new Error(`${path}: ${text}`)
  return JSON.parse(text) as Answer
}

interface Comparison {
  question: Question
  /** Milliseconds and rows read of one answer. */
  ours: { milliseconds: number; rowsRead: number }
  byHand: { milliseconds: number; rowsRead: number }
}

/** Throws if the answers differ. */
async function compare(bench: Bench, question: Question): Promise<Comparison> {
  const count = (side: Task['side']) => bench('find', { question, side, times: 1, isCounted: true })
  const ours = await count('ours')
  let byHand = await count('byHand')
  while (question.kind === 'map' && byHand.found.length > MAX_CELLS) {
    question.coarser++
    byHand = await count('byHand')
  }
  const answers = [ours, byHand].map(({ total, found }) => [total, ...found])
  const [own = [], other = []] = answers
  const at = [...own, undefined].findIndex((part, index) => !isDeepStrictEqual(part, other[index]))
  if (at >= 0 && at < Math.max(own.length, other.length))
    throw new Error(`${pathOf(question)}: the answers differ\n${JSON.stringify([own[at], other[at]])}`)
  const timeOf = async (side: Task['side']) => {
    for (let times = 1; ; ) {
      const take = async () => (await bench('find', { question, side, times })).milliseconds
      const milliseconds = await take()
      // The better of two, as the machine may have been busy.
      if (milliseconds >= ENOUGH) return Math.min(milliseconds, await take()) / times
      times = Math.ceil(times * Math.min(20, (1.2 * ENOUGH) / milliseconds))
    }
  }
  return {
    question,
    ours: { milliseconds: await timeOf('ours'), rowsRead: ours.rowsRead },
    byHand: { milliseconds: await timeOf('byHand'), rowsRead: byHand.rowsRead },
  }
}

/** Lists over HTTP, each with other filters. */
async function measureRates(url: URL): Promise<string> {
  const questions = makeQuestions(20 * CONNECTIONS, SEED + 1).filter(({ line }) => line === 'lists')
  const rateOf = async (path: (question: Question) => string) => {
    let number = 0
    const setupRequest = (request: object) => ({
      ...request,
      path: path(questions[number++ % questions.length] as Question),
    })
    const { requests, non2xx, errors } = await autocannon({
      ...{ url: url.origin, connections: CONNECTIONS, duration: Math.ceil(ENOUGH / 50) },
      requests: [{ setupRequest }],
    })
    if (non2xx + errors > 0) throw new Error(`${non2xx + errors} of ${requests.total} calls failed`)
    return requests.average
  }
  const byHand = await rateOf(
    (question) => `/by-hand?${new URLSearchParams({ question: JSON.stringify(question) })}`,
  )
  const ours = await rateOf((question) => visitorPath(question))
  return table(
    [`lists a second, ${CONNECTIONS} connections`, 'ours', 'by hand', '**ratio**'],
    [['different filters, over HTTP', show(ours), show(byHand), `**${(ours / byHand).toFixed(2)}**`]],
  )
}

function visitorPath(question: Question): string {
  return `/api/listings${PATHS[question.kind]}?key=${VISITOR_KEY}&${pathOf(question)}`
}

function show(figure: number, digits = 0): string {
  return figure.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

function ratioOf({ ours, byHand }: Comparison): number {
  return byHand.milliseconds / ours.milliseconds
}

/** What lies so far up in the order of `values`, as a share. */
function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN
}

function reportComparisons(comparisons: Comparison[]): string {
  const lines = Map.groupBy(comparisons, ({ question }) => question.line)
  const worst: string[] = []
  const rows = [...lines].map(([line, all]) => {
    const ratios = all.map(ratioOf)
    const [lowest] = all.toSorted((a, b) => ratioOf(a) - ratioOf(b))
    if (lowest) worst.push(`- ${line}: \`?${pathOf(lowest.question)}\``)
    const of = (side: 'ours' | 'byHand') => {
      const times = all.map((one) => one[side].milliseconds)
      return `${show(median(times), 2)}, ${show(quantile(times, 1), 2)}`
    }
    return [
      `${line} (${all.length})`,
      ...[`**${show(median(ratios), 2)}**`, show(quantile(ratios, 0.05), 2), show(quantile(ratios, 0), 2)],
      ...[of('ours'), of('byHand')],
      ...(['ours', 'byHand'] as const).map((side) =>
        show(
          quantile(
            all.map((one) => one[side].rowsRead),
            1,
          ),
        ),
      ),
    ]
  })
  const head = [
    'questions',
    '**ratio, median**',
    '5 %',
    'worst',
    'ours, ms: median, most',
    'by hand, ms',
    'ours, most rows read',
    'by hand',
  ]
  return `${table(head, rows)}\n\nThe worst of each:\n\n${worst.join('\n')}`
}
