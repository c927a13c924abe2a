/**
 * Tries out the import of any number of lines. A request of a dry run sees only its own lines, not those of the requests
 * before it. So a refused line is tried again together with the lines of the file that it needs: those of the same record,
 * and those with an id that it is said to miss. Their own needs follow in the next round. Everything is kept in memory.
 */
import type { Service } from './admin.ts'
import {
  type Answer,
  type ImportError,
  type ImportOptions,
  type ImportTotals,
  type Line,
  type Lines,
  lengthOf,
  MAX_BYTES,
  MAX_LINES,
  noLines,
  type Progress,
  recordOf,
  send,
  sendAll,
} from './import-requests.ts'

/** Refused lines that are tried together at first. */
const GROUP = 200
/** Maximum rounds of looking for lines. References are a few records deep. */
const MAX_ROUNDS = 30

/** The result of a dry run. */
export interface TrialTotals extends ImportTotals {
  requests: number
  /** Refused lines that need more others than a request can hold. */
  undecided: number[]
}

/** Tries out `lines` in as many requests as needed, and calls `onProgress` after each. */
export async function tryLines(
  service: Service,
  lines: Lines,
  onProgress: Progress,
  options: ImportOptions,
): Promise<TrialTotals> {
  const totals: TrialTotals = { ...noLines(), requests: 0, undecided: [] }
  const file = new File()
  const refused = new Map<number, ImportError>()
  const trial = { ...options, dryRun: true }
  let count = 0
  for await (const { request, answer, bytes } of sendAll(service, lines, totals, trial)) {
    for (const line of request) file.add(line)
    for (const error of answer.errors) refused.set(error.line, error)
    totals.requests += answer.calls
    count += request.length
    onProgress({ ...totals, accepted: count - refused.size, rejected: refused.size }, bytes)
  }
  if (totals.requests > 1) {
    const attempt = (request: Line[]) => send(service, request, trial)
    const waiting = [...refused.keys()]
    for (let start = 0; start < waiting.length; start += GROUP)
      await tryAgain(attempt, file, refused, totals, waiting.slice(start, start + GROUP))
  }
  totals.errors.push(...refused.values())
  totals.errors.sort((a, b) => a.line - b.line)
  totals.rejected = totals.errors.length
  totals.accepted = count - refused.size
  return totals
}

/** The lines of the file, by their ids and records. */
class File {
  readonly lines = new Map<number, Line>()
  private readonly byId = new Map<unknown, number[]>()

  add(line: Line): void {
    this.lines.set(line.number, line)
    const { id } = recordOf(line) ?? {}
    if (id === undefined) return
    const known = this.byId.get(id)
    if (known) known.push(line.number)
    else this.byId.set(id, [line.number])
  }

  /** The lines that a refused one may need. */
  neededBy({ line, entity, id, problems }: ImportError): number[] {
    const missing = problems.flatMap(({ message }) => {
      const [, found] = /^Unknown \S+ (\d+)$/.exec(message) ?? []
      return found === undefined ? [] : Number(found)
    })
    const sameRecord = (this.byId.get(id) ?? []).filter((number) => {
      const found = this.lines.get(number)
      return number < line && found && recordOf(found)?.entity === entity
    })
    return [...sameRecord, ...missing.flatMap((one) => this.byId.get(one) ?? [])].filter(
      (number) => number !== line,
    )
  }
}

/** Tries refused lines again with the lines that they need, and updates `refused`. Halves them if they need too many. */
async function tryAgain(
  attempt: (request: Line[]) => Promise<Answer>,
  file: File,
  refused: Map<number, ImportError>,
  totals: TrialTotals,
  group: number[],
): Promise<void> {
  let order = group
  let errors = group.flatMap((number) => refused.get(number) ?? [])
  const tried = new Set<string>()
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const needed = errors.flatMap((error) =>
      file.neededBy(error).filter((number) => {
        // What stands in front of a line already does not help it.
        const name = `${error.line} ${number}`
        return !tried.has(name) && tried.add(name)
      }),
    )
    if (needed.length === 0) break
    const front = [...new Set(needed)].toSorted((a, b) => a - b)
    const inFront = new Set(front)
    order = [...front, ...order.filter((number) => !inFront.has(number))]
    const request = order.flatMap((number) => file.lines.get(number) ?? [])
    const isTooLong = request.length > MAX_LINES || lengthOf(request) > MAX_BYTES
    const answer = isTooLong ? null : await attempt(request)
    // A second call sees nothing of the lines of the first.
    if (!answer || answer.calls > 1) {
      if (group.length === 1) {
        totals.undecided.push(...group)
        return
      }
      const middle = group.length >> 1
      await tryAgain(attempt, file, refused, totals, group.slice(0, middle))
      await tryAgain(attempt, file, refused, totals, group.slice(middle))
      return
    }
    errors = answer.errors
  }
  const found = new Map(errors.map((error) => [error.line, error]))
  for (const number of group) {
    const error = found.get(number)
    if (error) refused.set(number, error)
    else if (tried.size > 0) refused.delete(number)
  }
}
