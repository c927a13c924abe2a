/** A question put to the service and answered by hand, by turns. */
import { isDeepStrictEqual } from 'node:util'
import { median } from '../bench/measure.ts'
import { type Candidate, candidatesFor } from './by-hand.ts'
import { pathOf, type Question } from './questions.ts'
import type { SearchService, View } from './service.ts'
import type { Trip, TripOutcome } from './worker.ts'

/** What an answer takes. */
export interface Cost {
  milliseconds: number
  rowsRead: number
}

export interface Comparison {
  question: Question
  /** How many listings match. */
  total: number
  ours: Cost
  byHand: Cost
  /** The time by hand as a share of ours: above 1, ours is faster. */
  ratio: number
  /** Calls to D1 of one call to the service. */
  trips: Trip[]
  /** The index by hand. */
  index: string
}

export interface Comparing {
  view: View
  /** The table with the JSON that visitors see. */
  document: string
  rounds: number
}

/** How long a question is repeated before its time is taken, in milliseconds. */
const ENOUGH = 20

/** A question that the service does not answer to this kind of key, as it ignores or refuses a part of it. */
export class NotAnswered extends Error {}

/** Compares both. Throws if their answers differ, and `NotAnswered`. */
export async function compare(
  service: SearchService,
  question: Question,
  { view, document, rounds }: Comparing,
): Promise<Comparison> {
  const path = pathOf(question)
  const recording = await service.call(view, path)
  if (recording.ignored) throw new NotAnswered(`ignored: ${recording.ignored}`)
  if (recording.status === 400) throw new NotAnswered(recording.body)
  if (recording.status !== 200) throw new Error(`${path}: ${recording.status} ${recording.body}`)
  if (recording.trips.length === 0) throw new Error(`${path}: nothing was read`)
  const { data, total_results } = JSON.parse(recording.body) as Answer
  const best = await createBest(service, candidatesFor(question, view, document))
  try {
    requireSame(path, { ids: data.map(({ id }) => id), total: total_results }, answerOf(best.outcome))
    const times = { ours: [] as TripOutcome[], byHand: [] as TripOutcome[] }
    const sides = [
      ['ours', recording.trips],
      ['byHand', [best.candidate.trip]],
    ] as const
    for (const [, trips] of sides) await service.run([...trips])
    for (let round = 0; round < rounds; round++) {
      // Whoever goes second finds the database's pages in memory.
      for (const [side, trips] of round % 2 === 0 ? sides : sides.toReversed())
        times[side].push(await service.run([...trips], ENOUGH))
    }
    const [ours, byHand] = [costOf(times.ours), costOf(times.byHand)]
    const ratio = byHand.milliseconds / ours.milliseconds
    return {
      question,
      total: total_results,
      ours,
      byHand,
      ratio,
      trips: recording.trips,
      index: best.candidate.create,
    }
  } finally {
    await service.query(best.candidate.drop)
  }
}

interface Answer {
  data: { id: number }[]
  total_results: number
}

/** Creates each index, and leaves the one with which the question takes least. */
async function createBest(
  service: SearchService,
  candidates: Candidate[],
): Promise<{ candidate: Candidate; outcome: TripOutcome }> {
  const tried: { candidate: Candidate; outcome: TripOutcome }[] = []
  for (const candidate of candidates) {
    await service.query(candidate.create)
    await service.run([candidate.trip])
    tried.push({ candidate, outcome: await service.run([candidate.trip], ENOUGH) })
  }
  const [best, ...others] = tried.toSorted((a, b) => a.outcome.milliseconds - b.outcome.milliseconds)
  if (!best) throw new Error('There is no index')
  for (const { candidate } of others) await service.query(candidate.drop)
  return best
}

function answerOf({ results }: TripOutcome): { ids: unknown[]; total: unknown } {
  const [page = [], counts = []] = results[0] ?? []
  return { ids: page.map(({ id }) => id), total: counts[0]?.total }
}

function requireSame(path: string, ours: object, byHand: object): void {
  if (isDeepStrictEqual(ours, byHand)) return
  const [one, other] = [JSON.stringify(ours), JSON.stringify(byHand)]
  throw new Error(`${path}: the answers differ\nours:    ${one}\nby hand: ${other}`)
}

function costOf(outcomes: TripOutcome[]): Cost {
  return {
    milliseconds: median(outcomes.map(({ milliseconds }) => milliseconds)),
    rowsRead: outcomes[0]?.rowsRead ?? 0,
  }
}
