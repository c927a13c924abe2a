/**
 * Cursors: how far a reader has come. To clients they are text that grows; here they are a place in the feed and the
 * floor of the reader, for readers that began at the beginning.
 *
 * A tombstone that is purged harms only who read the record before. Who begins at the beginning when the newest entry
 * is the `floor` reads no record that was deleted by then, so all its tombstones come behind the floor: it may walk
 * past purged places as long as it likes, and is too late only when something behind its floor is gone.
 */

export interface Cursor {
  /** The cursor of the last entry that was read, or looked at. */
  position: number
  /** The newest entry when the reader began; at most `position` means that it is past that. */
  floor: number
}

/** Digits of a number: enough for any safe integer. */
const DIGITS = 14
const CURSOR = /^([0-9a-f]{12})-([0-9a-f]{14})(?:-([0-9a-f]{14}))?$/

/** The text of a cursor. Of one deployment the texts grow as the positions do. */
export function formatCursor(deployment: string, { position, floor }: Cursor): string {
  const numbers = floor > position ? [position, floor] : [position]
  return [deployment, ...numbers.map((number) => number.toString(16).padStart(DIGITS, '0'))].join('-')
}

/** The cursor behind a text; null for one of another deployment, and for what is none at all. */
export function parseCursor(deployment: string, text: string): Cursor | null {
  const [, owner, position = '', floor = position] = CURSOR.exec(text) ?? []
  if (owner !== deployment) return null
  return { position: Number.parseInt(position, 16), floor: Number.parseInt(floor, 16) }
}
