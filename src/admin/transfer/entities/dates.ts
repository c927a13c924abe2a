/** Dates of imported records. Those that a line does not send keep their stored values, in replace mode too. */

interface Sent {
  date_created?: string | null
  date_updated?: string | null
}

/** For records whose `date_updated` is their creation until they change. */
export function datesOf(
  { date_created, date_updated }: Sent,
  stored: { date_created: string; date_updated: string } | null,
  now: string,
): { date_created: string; date_updated: string } {
  const created = date_created ?? stored?.date_created ?? now
  return { date_created: created, date_updated: date_updated ?? stored?.date_updated ?? created }
}

/** For records whose `date_updated` is null until they change. */
export function datesOfChanges(
  { date_created, date_updated }: Sent,
  stored: { date_created: string; date_updated: string | null } | null,
  now: string,
): { date_created: string; date_updated: string | null } {
  return {
    date_created: date_created ?? stored?.date_created ?? now,
    date_updated: date_updated === undefined ? (stored?.date_updated ?? null) : date_updated,
  }
}
