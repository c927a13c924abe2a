/** What was measured, as tables. */
import { table } from '../bench/report.ts'
import type { CallCost } from './calls.ts'
import type { Comparison } from './compare.ts'
import { pathOf } from './questions.ts'
import type { SearchService } from './service.ts'
import type { WriteCost } from './writes.ts'

/** Questions that are shown with their filters and the plan of ours. */
const SHOWN = 10
/** Of the ratios, the lowest are shown singly. */
const LOWEST = 5

/** The spread of the ratios, times and rows of all questions. */
export function reportSpread(comparisons: Comparison[]): string {
  const rows: [string, number[], number][] = [
    ['**ratio**', comparisons.map(({ ratio }) => ratio), 2],
    ['ours, ms', comparisons.map(({ ours }) => ours.milliseconds), 1],
    ['by hand, ms', comparisons.map(({ byHand }) => byHand.milliseconds), 1],
    ['ours, rows read', comparisons.map(({ ours }) => ours.rowsRead), 0],
    ['by hand, rows read', comparisons.map(({ byHand }) => byHand.rowsRead), 0],
    ['listings that match', comparisons.map(({ total }) => total), 0],
  ]
  const shares = [0, 0.05, 0.25, 0.5, 0.75, 0.95, 1]
  const head = ['', 'lowest', '5 %', '25 %', '**median**', '75 %', '95 %', 'highest']
  const spread = table(
    head,
    rows.map(([name, values, digits]) => [
      name,
      ...shares.map((share) => show(quantile(values, share), digits)),
    ]),
  )
  const lowest = worstFirst(comparisons).slice(0, LOWEST)
  const ratios = lowest.map(({ ratio, question }) => `${show(ratio, 2)} (${question.number})`).join(', ')
  const several = comparisons.filter(({ trips }) => trips.length !== 1).map(({ question }) => question.number)
  return `${spread}

Lowest ratios, with the numbers of their questions: ${ratios}.
${several.length === 0 ? 'Each question is one trip to D1.' : `More than one trip to D1: questions ${several.join(', ')}.`}`
}

/** The questions with the lowest ratios: what they ask, and how ours goes about it. */
export async function reportWorst(service: SearchService, comparisons: Comparison[]): Promise<string> {
  const parts = worstFirst(comparisons)
    .slice(0, SHOWN)
    .map(async ({ question, ratio, ours, byHand, total, trips, index }) => {
      const plans = await Promise.all(
        trips.flat().map(({ sql, params }) => service.query(`explain query plan ${sql}`, ...params)),
      )
      return `${question.number}. **${show(ratio, 2)}** \`${decodeURIComponent(pathOf(question))}\`
   ${show(total, 0)} match; ours ${show(ours.milliseconds, 1)} ms, ${show(ours.rowsRead, 0)} rows; by hand ${show(byHand.milliseconds, 1)} ms, ${show(byHand.rowsRead, 0)} rows
   by hand: ${index}
${plans.map((steps) => `   ours: ${stepsOf(steps)}`).join('\n')}`
    })
  return (await Promise.all(parts)).join('\n')
}

/** The steps of a plan that find and sort listings, without the look-ups by id. */
function stepsOf(plan: Record<string, unknown>[]): string {
  const steps = plan.map(({ detail }) => String(detail))
  return steps
    .filter((step) => /^(SCAN|SEARCH|USE|MULTI)/.test(step) && !/json_each|PRIMARY KEY/.test(step))
    .join(' | ')
}

/** The calls without filters. */
export function reportCalls(costs: CallCost[]): string {
  const rows = costs.map(({ path, milliseconds, rowsRead, trips }) =>
    Number.isNaN(milliseconds)
      ? [`\`${path}\``, 'not served', '–', '–']
      : [`\`${path}\``, show(milliseconds, 1), show(rowsRead, 0), String(trips)],
  )
  return table(['without filters', 'ms', 'rows read', 'trips to D1'], rows)
}

/** What becoming visible costs. */
export function reportWrites({ with: all, without, tables }: WriteCost): string {
  const rows = tables.map(([name, more]) => `${name} ${show(more, 1)}`).join(', ')
  return `A listing that becomes visible writes ${show(all, 1)} rows, ${show(without, 1)} without the tables for searches:
**${show(all - without, 1)}** more, those of indexes included. New rows: ${rows}.`
}

function worstFirst(comparisons: Comparison[]): Comparison[] {
  return comparisons.toSorted((a, b) => a.ratio - b.ratio)
}

function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.round(share * (sorted.length - 1))] ?? Number.NaN
}

function show(figure: number, digits: number): string {
  return figure.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}
