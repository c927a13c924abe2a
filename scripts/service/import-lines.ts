/**
 * Imports any number of lines. Splits them into requests, and sends refused lines again at the end while that helps:
 * the records that they refer to may be in later lines.
 */
import type { Service } from './admin.ts'
import {
  type ImportError,
  type ImportOptions,
  type ImportTotals,
  type Line,
  type Lines,
  noLines,
  type Progress,
  recordOf,
  requestsOf,
  send,
  sendAll,
} from './import-requests.ts'

/** Sends `lines` in as many requests as needed, and calls `onProgress` after each. */
export async function importLines(
  service: Service,
  lines: Lines,
  onProgress: Progress,
  options: ImportOptions = {},
): Promise<ImportTotals> {
  const totals = noLines()
  const refused = new Refused()
  for await (const { request, answer, bytes } of sendAll(service, lines, totals, options)) {
    totals.accepted += answer.accepted
    totals.errors.push(...answer.errors)
    refused.note(request, answer.errors)
    onProgress({ ...totals, rejected: totals.errors.length }, bytes)
  }
  await sendAgain(service, totals, refused, options)
  totals.errors.sort((a, b) => a.line - b.line)
  totals.rejected = totals.errors.length
  return totals
}

/** Lines to send again: refused ones, and all later lines of the same record, so that the last line still wins. */
class Refused {
  readonly lines = new Map<number, Line>()
  /** Number of refused lines among them. */
  count = 0
  private readonly records = new Set<string>()

  /** Adds the lines of a request that must be sent again. */
  note(request: Line[], errors: ImportError[]): void {
    const byNumber = new Map(errors.map((error) => [error.line, error]))
    for (const line of request) {
      const error = byNumber.get(line.number)
      const isAbove = this.records.size > 0 && this.records.has(JSON.stringify(recordOf(line)))
      if (error || isAbove) this.lines.set(line.number, line)
      if (!error) continue
      this.count++
      if (error.entity !== null && error.id !== null) this.records.add(JSON.stringify(recordOf(line)))
    }
  }
}

/** Sends refused lines again, as long as their number decreases. */
async function sendAgain(
  service: Service,
  totals: ImportTotals,
  first: Refused,
  options: ImportOptions,
): Promise<void> {
  let refused = first
  const warned = new Set(totals.warnings.map(({ line }) => line))
  for (let before = Number.POSITIVE_INFINITY; refused.count > 0 && refused.count < before; ) {
    before = refused.count
    const again = refused.lines
    refused = new Refused()
    totals.errors = totals.errors.filter(({ line }) => !again.has(line))
    for await (const request of requestsOf(again.values())) {
      const { errors, warnings } = await send(service, request, options)
      totals.errors.push(...errors)
      totals.warnings.push(...warnings.filter(({ line }) => !warned.has(line)))
      for (const { line } of warnings) warned.add(line)
      refused.note(request, errors)
    }
    totals.accepted += before - refused.count
  }
}
