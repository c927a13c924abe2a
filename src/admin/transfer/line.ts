/** A line of a file that is imported. */

/** `merge`: a line changes the keys that it has. `replace`: it is the whole record. `remove`: there is none any more. */
export type Mode = 'merge' | 'replace' | 'remove'

export const MAX_LINE_PROBLEMS = 50

/** Something wrong with a line. Without a field it is about the line as a whole. */
export interface LineProblem {
  field: string | null
  message: string
}

export interface Line {
  number: number
  /** The id or key of its record; null when it has no valid one. */
  id: number | string | null
  /** The values of the keys that its entity knows. */
  data: Record<string, unknown>
  /** The first unknown keys, at the top or in a group. */
  unknown: string[]
  mode: Mode
  /** Whether it is refused for what `checkLikePost` finds, and not only named in a warning. */
  isStrict: boolean
  /** Says whether the picture at an address is to be downloaded; null if none is. */
  downloads: ((address: string) => 'yes' | 'no' | 'refused') | null
  /** In bytes. */
  length: number
  /** Keys that count as changed although the record has their values already: other keys of the line change them. */
  forcedKeys: Set<string>
  /** Unknown keys, including those within lists. */
  ignored: string[]
  /** What had changed between reading and storing. */
  changedMeanwhile?: 'record' | 'definitions'
  /** What its sender should look at although it is stored. */
  warning: string | null
  /** Why it was refused; empty while it is valid. */
  problems: LineProblem[]
}

/** Refuses a line. */
export function refuseLine(line: Line, message: string, field: string | null = null): void {
  line.problems = [{ field, message }]
}
