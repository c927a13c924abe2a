/**
 * Cursors: how far a client has read the change feed. For clients they are opaque text that grows. Here they are a
 * position in the feed and a floor, the newest entry when the client started.
 *
 * A purged tombstone matters only to a client that read the record before. A client that starts at the beginning reads
 * no record that was deleted by then, so all tombstones that it needs come after its floor. It may read past purged
 * positions for as long as it likes. It is too late only if a tombstone after its floor has been purged.
 */

export interface Cursor {
  /** The cursor of the last entry that was read or skipped. */
  position: number
  /** The newest entry when the client started. Once `position` has reached it, it no longer matters. */
  floor: number
}

/** Hex digits of a number: enough for any safe integer. */
const DIGITS = 14
const CURSOR = /^([0-9a-f]{12})-([0-9a-f]{14})(?:-([0-9a-f]{14}))?$/

/** The text of a cursor. Within one deployment, the texts sort like the positions. */
export function formatCursor(deployment: string, { position, floor }: Cursor): string {
  const numbers = floor > position ? [position, floor] : [position]
  return [deployment, ...numbers.map((number) => number.toString(16).padStart(DIGITS, '0'))].join('-')
}

/** Parses the text of a cursor; null if it is invalid or of another deployment. */
export function parseCursor(deployment: string, text: string): Cursor | null {
  const [, owner, position = '', floor = position] = CURSOR.exec(text) ?? []
  if (owner !== deployment) return null
  return { position: Number.parseInt(position, 16), floor: Number.parseInt(floor, 16) }
}
