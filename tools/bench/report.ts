/** What was measured, as tables. */
import type { Call } from './calls.ts'
import type { Costs } from './costs.ts'
import type { Rates } from './measure.ts'

/** A table of rates, ratios and costs. */
export function reportCalls(
  title: string,
  connections: number[],
  rates: Map<Call, Rates>,
  costs: Map<Call, Costs>,
): string {
  const head = [
    'call',
    ...connections.flatMap((many) => [`ours, ${many}`, `ruler, ${many}`, `**ratio, ${many}**`]),
  ]
  const costHead = ['rows read', 'rows written', 'D1 trips', 'KV']
  const rows = [...rates].map(([call, found]) => {
    const figures = connections.flatMap((_, index) => figuresOf(found, index))
    return [call.title, ...figures, ...costsOf(costs.get(call))]
  })
  return [`### ${title}`, '', table([...head, ...costHead], rows)].join('\n')
}

function figuresOf(rates: Rates, index: number): string[] {
  const [alone, ours, ruler] = (['baseline', 'ours', 'ruler'] as const).map(
    (host) => rates.get(host)?.[index],
  )
  const ratio = ours && ruler ? `**${(ours / ruler).toFixed(2)}**` : '–'
  return [showRate(ours ?? alone), showRate(ruler), ratio]
}

function showRate(rate: number | undefined): string {
  return rate === undefined ? '–' : Math.round(rate).toLocaleString('en')
}

/** Ours, and behind the slash the ruler's. */
function costsOf(costs: Costs | undefined): string[] {
  if (!costs) return ['–', '–', '–', '–']
  const { ours, ruler } = costs
  return (['rowsRead', 'rowsWritten', 'trips', 'keys'] as const).map((name) =>
    ruler ? `${ours[name]} / ${ruler[name]}` : String(ours[name]),
  )
}

function table([first, ...others]: string[], rows: string[][]): string {
  const lines = [[first, ...others], ['---', ...others.map(() => '---:')], ...rows]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
