/** What was measured, as tables. */
import type { BenchCall } from './calls.ts'
import type { Costs } from './costs.ts'
import type { Rate, Rates } from './measure.ts'

/** Calls per second, ours and by hand, and ours divided by the latter. */
export function reportRates(connections: number[], rates: Map<BenchCall, Rates>): string {
  const head = connections.flatMap((many) => [`ours, ${many}`, `by hand, ${many}`, `**ratio, ${many}**`])
  const rows = [...rates].map(([call, found]) => {
    const figures = connections.flatMap((_, index) => {
      const { ours, byHand } = pairOf(found, index)
      return [show(ours?.calls), show(byHand?.calls), ratio(ours?.calls, byHand?.calls)]
    })
    return [call.title, ...figures]
  })
  return table(['calls a second', ...head], rows)
}

/** What each call costs, ours and behind the slash that by hand; the ratio is that of what is computed. */
export function reportCosts(rates: Map<BenchCall, Rates>, costs: Map<BenchCall, Costs>): string {
  const rows = [...rates].map(([call, found]) => {
    const { ours, byHand } = pairOf(found, -1)
    const [own, other] = [ours?.computed, byHand?.computed]
    return [call.title, show(own), show(other), ratio(other, own), ...countsOf(costs.get(call))]
  })
  const head = [
    'ours, µs computed',
    'by hand',
    '**ratio**',
    'rows read',
    'rows written',
    'D1 trips',
    'KV reads',
  ]
  return table(['cost of a call', ...head], rows)
}

/** The rates at one of the numbers of connections; a call that only the baseline answers stands as ours. */
function pairOf(rates: Rates, index: number): { ours?: Rate; byHand?: Rate } {
  return {
    ours: (rates.get('ours') ?? rates.get('baseline'))?.at(index),
    byHand: rates.get('by-hand')?.at(index),
  }
}

function show(figure: number | undefined): string {
  return figure === undefined ? '–' : Math.round(figure).toLocaleString('en')
}

function ratio(one: number | undefined, other: number | undefined): string {
  return one && other ? `**${(one / other).toFixed(2)}**` : '–'
}

function countsOf(costs: Costs | undefined): string[] {
  if (!costs) return ['–', '–', '–', '–']
  const { ours, byHand } = costs
  return (['rowsRead', 'rowsWritten', 'trips', 'keys'] as const).map((name) =>
    byHand ? `${show(ours[name])} / ${show(byHand[name])}` : show(ours[name]),
  )
}

export function table([first, ...others]: string[], rows: string[][]): string {
  const lines = [[first, ...others], ['---', ...others.map(() => '---:')], ...rows]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
