/**
 * The Worker with the SQL by hand beside it. What `/bench/…` asks for is done as often as it says, and timed from outside:
 * the clocks of a Worker stand still while it computes.
 */
import { batch, type Database, database, runStatement } from '../../src/db/client.ts'
import { textStatement } from '../../src/db/statements.ts'
import worker from '../../src/index.ts'
import { PublicListings } from '../../src/resources/listings/public/queries.ts'
import { MAX_AGE } from '../../src/resources/listings/search/engine.ts'
import { FIELD_LIST } from '../../src/resources/listings/search/fields.ts'
import { nameKeys } from '../../src/resources/listings/search/places.ts'
import { selectListingRange } from '../../src/resources/listings/search/source.ts'
import { listingWords, nameWords } from '../../src/resources/listings/search/words.ts'
import { countDatabase } from '../bench/count-database.ts'
import type { BoundStatement } from '../bench/kept.ts'
import { KEY_MARK, statementsFor } from './by-hand.ts'
import type { Question } from './questions.ts'

/** A question, who answers it, and how often. */
export interface Task {
  question: Question
  side: 'ours' | 'byHand'
  times: number
  /** Counts what D1 reads, the change feed included: it is read once in ten seconds. */
  isCounted?: boolean
}

/** The total, and ids, cells, or the values of each facet with their counts. */
export interface Found {
  total: unknown
  found: unknown[]
}

type Row = Record<string, unknown>

const counts = { trips: 0, rowsRead: 0, rowsWritten: 0 }
let counted: Env | undefined
const usualAge = MAX_AGE.visitors

export default {
  async fetch(request, env, context) {
    counted ??= { ...env, DB: countDatabase(env.DB, counts) }
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === '/by-hand') return answerByHand(env.DB, JSON.parse(String(searchParams.get('question'))))
    const task = TASKS[pathname]
    if (!task) return worker.fetch(request, env, context)
    try {
      counts.rowsRead = 0
      const done = await task(await request.json(), counted.DB, env.DB)
      return Response.json({ ...counts, ...done })
    } catch (error) {
      return new Response(String((error as Error).stack), { status: 500 })
    }
  },
} satisfies ExportedHandler<Env>

const TASKS: Record<string, (body: never, counting: D1Database, db: D1Database) => Promise<object>> = {
  '/bench/find': (task: Task, counting, db) => find(task, task.isCounted ? counting : db),
  '/bench/sql': async (statement: BoundStatement, db) => ({ rows: await prepare(db)(statement).run() }),
  '/bench/words': (_, DB) => storeWords(database({ DB })),
}

const prepare = (db: D1Database) => (statement: BoundStatement) =>
  db.prepare(statement.sql).bind(...statement.params)
const askByHand = (db: D1Database, question: Question) =>
  db.batch<Row>(statementsFor(question).map(prepare(db)))

async function find({ question, side, times, isCounted }: Task, db: D1Database): Promise<Found> {
  MAX_AGE.visitors = isCounted ? 0 : usualAge
  if (side === 'byHand') {
    let results: D1Result<Row>[] = []
    for (let left = times; left > 0; left--) results = await askByHand(db, question)
    return foundByHand(question, results)
  }
  const listings = new PublicListings(database({ DB: db }), null)
  const methods = { list: 'findPage', facets: 'findFacets', map: 'findCells' } as const
  const ask = () => listings[methods[question.kind]](question.filters as never)
  let answer = await ask()
  for (let left = times - 1; left > 0; left--) answer = await ask()
  const { total } = answer
  if ('rows' in answer) return { total, found: answer.rows.map(({ id }) => id) }
  if ('cells' in answer) return { total, found: cellsOf(answer.cells) }
  const facets = Object.values(answer.data) as Row[][]
  return {
    total,
    found: facets.map((values) => values.map(({ value, min, count }) => [value ?? min, count])),
  }
}

const cellsOf = (cells: { count: unknown; id: unknown }[]) =>
  cells.map(({ count, id }) => [count, count === 1 ? id : null].join()).sort((a, b) => (a < b ? -1 : 1))

function foundByHand({ kind }: Question, [first, ...others]: D1Result<Row>[]): Found {
  const rows = first?.results ?? []
  if (kind === 'map') {
    const cells = rows.filter(({ column }) => column !== null) as { count: unknown; id: unknown }[]
    return { total: rows.reduce((sum, { count }) => sum + Number(count), 0), found: cellsOf(cells) }
  }
  const total = rows[0]?.total
  if (kind === 'list') return { total, found: others[0]?.results.map(({ id }) => id) ?? [] }
  return { total, found: others.map(({ results }) => results.map(({ value, count }) => [value, count])) }
}

async function answerByHand(db: D1Database, question: Question): Promise<Response> {
  const [total, page] = await askByHand(db, question)
  const data = page?.results.map(({ id, shown }) => ({ id, ...JSON.parse(String(shown)) }))
  return Response.json({ total: total?.results[0]?.total, data })
}

/** The words of the names of a listing's values: a value, or keys as JSON. */
function namesOf(row: Row): string[] {
  return FIELD_LIST.flatMap(([field, { kind, options }]) => {
    const values: string[] = kind === 'keys' ? JSON.parse(String(row[field])) : [String(row[field])]
    return values.flatMap((value) => {
      const [name_el, name_en] = options.names?.[value] ?? []
      return name_el && name_en ? nameWords({ name_el, name_en }) : []
    })
  })
}

/** Stores the words of all listings for full-text search. */
async function storeWords(db: Database): Promise<object> {
  const places = await runStatement(
    db,
    textStatement<{ id: number; name_el: string; name_en: string }>(
      'select id, name_el, name_en from locations',
    ),
  )
  const wordsOf = new Map(
    places.map((place) => [place.id, [...nameWords(place), ...nameKeys(place).map((key) => KEY_MARK + key)]]),
  )
  for (let first = 1; ; ) {
    const rows = await runStatement(db, selectListingRange(first, Number.MAX_SAFE_INTEGER, 4000))
    const words = rows.map((row) => {
      const { id, code, titles, area_level1, area_level2, area_level3 } = row
      const areas = [area_level1, area_level2, area_level3].flatMap((area) => wordsOf.get(Number(area)) ?? [])
      return [
        id,
        [...listingWords({ code, titles: JSON.parse(titles) }), ...areas, ...namesOf(row)].join(' '),
      ]
    })
    await batch(db, {
      words: textStatement(
        `insert into by_hand_words (rowid, words) select value ->> 0, value ->> 1 from json_each(?)`,
        [JSON.stringify(words)],
      ),
    })
    if (rows.length < 4000) return {}
    first = Number(rows.at(-1)?.id) + 1
  }
}
