/** The figures as Markdown. */
import type { Contender } from './contenders.ts'
import type { Job } from './jobs.ts'

/** Of one contender at one job. Memory and size are bytes. */
export type Figures =
  | { ms: number; codec: number | null; peak: number | null; size: number; psnr: number | null }
  | { failure: string }

/** By the name of the job, then of the contender. */
export type Results = Map<string, Map<string, Figures>>

/** Milliseconds of each job and, against sharp, the ratio. */
export function timeTable(results: Results, jobs: Job[], contenders: Contender[]): string {
  return table(
    ['photo', ...contenders.map(({ title }) => title)],
    jobs.map(({ name, title }) => {
      const row = results.get(name)
      const base = row?.get('sharp')
      return [
        title,
        ...contenders.map((contender) => {
          const figures = row?.get(contender.name)
          if (!figures) return '–'
          if ('failure' in figures) return figures.failure
          const ratio = base && 'ms' in base ? ` (${(figures.ms / base.ms).toFixed(2)})` : ''
          return figures.ms.toFixed(0) + ratio
        }),
      ]
    }),
  )
}

/** Memory, size of the first copy and its likeness. */
export function qualityTable(results: Results, jobs: Job[], contenders: Contender[]): string {
  const ours = contenders.find(({ name }) => name.startsWith('ours'))
  // Node and workerd make the same bytes; one column says it.
  const shown = contenders.filter((contender) => contender === ours || !contender.name.startsWith('ours'))
  return table(
    [
      'photo',
      ...(ours ? ["Estia's codec, MB"] : []),
      ...shown.map(({ title }) => `${title.replace(' in workerd', '')}: MB / KB / dB`),
    ],
    jobs.map(({ name, title }) => {
      const row = results.get(name)
      const own = ours && row?.get(ours.name)
      return [
        title,
        ...(ours ? [own && 'codec' in own ? megabytes(own.codec) : '–'] : []),
        ...shown.map((contender) => {
          const figures = row?.get(contender.name)
          if (!figures || 'failure' in figures) return '–'
          const size = (figures.size / 1000).toFixed(0)
          return `${megabytes(figures.peak)} / ${size} / ${figures.psnr?.toFixed(2) ?? 'other size'}`
        }),
      ]
    }),
  )
}

/** Bytes as megabytes of 1,000,000 bytes, the unit of limits. */
export function megabytes(bytes: number | null): string {
  return bytes === null ? '–' : (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)
}

/** A Markdown table; all columns but the first are figures. */
export function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [line(head), `|---|${'---:|'.repeat(head.length - 1)}`, ...rows.map(line)].join('\n')
}
