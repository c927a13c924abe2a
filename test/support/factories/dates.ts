/** A date of long ago. */
export const OLD = '2020-01-01 00:00:00'
export const dates = { date_created: OLD, date_updated: OLD }
