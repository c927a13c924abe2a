/** Dates of records that lines make: those that a line leaves open keep their stored values in any case. */

/** The dates of a line. */
interface Sent {
  date_created?: string | null
  date_updated?: string | null
}

/** Of a kind whose records have changed last when they were created. */
export function datesOf(
  { date_created, date_updated }: Sent,
  stored: { date_created: string; date_updated: string } | null,
  now: string,
): { date_created: string; date_updated: string } {
  const created = date_created ?? stored?.date_created ?? now
  return { date_created: created, date_updated: date_updated ?? stored?.date_updated ?? created }
}

/** Of a kind whose records have no date of a change before the first one; null says so. */
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
