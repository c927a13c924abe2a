/**
 * Positions on a timeline: of an entry, its date, its kind and its id. They hold while others write, as they name no page.
 */
import { LAST_ID, START } from './kinds.ts'

export interface Cursor {
  date: string
  kind: string
  id: number
}

const CURSOR = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)-([a-z_]{1,20})-(\d{1,15})$/

/** The text of a position. */
export function formatCursor({ date, kind, id }: Cursor): string {
  return `${date.replace(/\D/g, '')}-${kind}-${id}`
}

/** Parses the text of a position; null if it is none. */
export function parseCursor(text: string, kinds: readonly string[]): Cursor | null {
  const [, year, month, day, hour, minute, second, kind = '', id] = CURSOR.exec(text) ?? []
  if (!kinds.includes(kind)) return null
  return { date: `${year}-${month}-${day} ${hour}:${minute}:${second}`, kind, id: Number(id) }
}

/** Where the entries of the kind with index `k` go on after a position: of one moment, kinds are in their order. */
export function positionOf(
  cursor: Cursor | null,
  k: number,
  kinds: readonly string[],
): { date: string; id: number } {
  if (!cursor) return START
  const at = kinds.indexOf(cursor.kind)
  return { date: cursor.date, id: k < at ? 0 : k === at ? cursor.id : LAST_ID }
}
