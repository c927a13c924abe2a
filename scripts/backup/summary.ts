/**
 * Compares a backup with what was restored from it: counts of the records of each entity, and a digest of them in any
 * order. If a record has several lines, the last one counts, and only those are kept in memory. Records that are
 * erased again may be erased already: such a contact is left out, and what concerns it is only counted.
 */
import { createHash } from 'node:crypto'
import { type Line, nameOf, parse, type Survey } from './survey.ts'

/** Of the records of one entity. */
interface Totals {
  records: number
  /** The sum of the digests of all records. */
  digest: bigint
}

export type Summary = Map<string, Totals>

/** Digests are added as numbers of so many bits. */
const BITS = 128

/** Sums lines up as they pass. `summary` is complete when they have ended. */
export async function* summed(
  lines: AsyncIterable<Buffer>,
  { repeated, gone, cleared }: Survey,
  summary: Summary,
): AsyncGenerator<Buffer> {
  const latest = new Map<string, { entity: string; digest: bigint }>()
  for await (const line of lines) {
    const parsed = parse(line)
    const name = parsed ? nameOf(parsed) : ''
    if (parsed && !gone.has(name)) {
      const { entity } = parsed
      const digest = cleared.has(name) ? 0n : digestOf(parsed)
      if (isRemoved(parsed)) latest.delete(name)
      else if (repeated.has(name)) latest.set(name, { entity, digest })
      else add(summary, entity, digest)
    }
    yield line
  }
  for (const { entity, digest } of latest.values()) add(summary, entity, digest)
}

/** Whether a line says that its record is none any more. */
function isRemoved({ entity, data, mode }: Line): boolean {
  return mode === 'remove' || (entity === 'settings' && data.value === null)
}

/** What differs between a backup and what was restored, a sentence for each entity: its count, or its contents. */
export function differencesOf(backup: Summary, restored: Summary): Record<'counts' | 'contents', string[]> {
  const found: Record<'counts' | 'contents', string[]> = { counts: [], contents: [] }
  for (const entity of new Set([...backup.keys(), ...restored.keys()])) {
    const [before, after] = [backup.get(entity), restored.get(entity)]
    const counts = [before?.records ?? 0, after?.records ?? 0]
    if (counts[0] !== counts[1])
      found.counts.push(`${entity}: ${counts[0]} in the backup, ${counts[1]} restored`)
    else if (before?.digest !== after?.digest) found.contents.push(`${entity}: the records are not the same`)
  }
  return found
}

function add(summary: Summary, entity: string, digest: bigint): void {
  const totals = summary.get(entity) ?? { records: 0, digest: 0n }
  summary.set(entity, {
    records: totals.records + 1,
    digest: BigInt.asUintN(BITS, totals.digest + digest),
  })
}

function digestOf({ entity, data }: Line): bigint {
  const digest = createHash('sha256').update(entity).update(JSON.stringify(data)).digest('hex')
  return BigInt(`0x${digest.slice(0, BITS / 4)}`)
}
