/** What is wrong with a feed, as its readers would see it. */

/** How grave it is: an error is refused or misread; a warning may be right, and should be looked at. */
export type Level = 'error' | 'warning'

export interface Finding {
  level: Level
  /** The property, item or address, or the file. */
  where: string
  message: string
}

/** Longest quotation of a feed in a message. */
const MAX_QUOTE = 60

/** Collects findings. Those that repeat at every entry are counted, and the first ones named. */
export class Report {
  readonly findings: Finding[] = []
  /** What the feed has: `120 properties`. */
  readonly counts = new Map<string, number>()
  readonly #places = new Map<string, number>()
  readonly #maxPlaces: number

  /** @param maxPlaces how many places are named of a message that repeats */
  constructor(maxPlaces = 5) {
    this.#maxPlaces = maxPlaces
  }

  error(where: string, message: string): void {
    this.#add('error', where, message)
  }

  warn(where: string, message: string): void {
    this.#add('warning', where, message)
  }

  count(what: string): number {
    const number = (this.counts.get(what) ?? 0) + 1
    this.counts.set(what, number)
    return number
  }

  /** How many findings of a message are not named. */
  get unnamed(): [message: string, count: number][] {
    return [...this.#places]
      .filter(([, count]) => count > this.#maxPlaces)
      .map(([message, count]) => [message, count - this.#maxPlaces])
  }

  /** How many findings there are, named or not. */
  get total(): number {
    return [...this.#places.values()].reduce((sum, count) => sum + count, 0)
  }

  get hasErrors(): boolean {
    return this.findings.some(({ level }) => level === 'error')
  }

  #add(level: Level, where: string, message: string): void {
    // Values differ from place to place.
    const kind = message.replace(/"(?:[^"\\]|\\.)*"/g, '…')
    const places = (this.#places.get(kind) ?? 0) + 1
    this.#places.set(kind, places)
    if (places <= this.#maxPlaces) this.findings.push({ level, where, message })
  }
}

/** A value of a feed in a message: short, and in one line. */
export function quote(value: string): string {
  return JSON.stringify(value.length > MAX_QUOTE ? `${value.slice(0, MAX_QUOTE)}…` : value)
}

/** Whether a text is a complete http or https URL without spaces. */
export function isWebUrl(text: string): boolean {
  return /^https?:\/\/[^\s<>"]+$/i.test(text) && URL.canParse(text)
}
