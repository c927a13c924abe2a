/** Why something was done, which becomes a line of the notes of a record. */
import { formatDateTime, LONG_TEXT, text } from '../../fields/values.ts'
import type { Draft } from '../../http/request/check.ts'

/**
 * Notes with a reason as a line of its own: `2026-12-01 cancelled: Has the flu`. Refuses a `reason` for which they have no
 * room.
 * @param what has been done
 */
export function withReason(
  draft: Draft<{ reason?: unknown }>,
  notes: string | null,
  what: string,
  reason: string,
): string {
  const line = `${formatDateTime(new Date()).slice(0, 10)} ${what}: ${reason.replace(/\s+/g, ' ').trim()}`
  const added = notes ? `${notes.replace(/\n$/, '')}\n${line}` : line
  if (!text(LONG_TEXT).safeParse(added).success)
    draft.refuse('reason', `Invalid reason: notes are at most ${LONG_TEXT} characters`)
  return added
}
