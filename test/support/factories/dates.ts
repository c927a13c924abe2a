/** Dates of records, and what they look like. */
import { expect } from 'vitest'

/** A date of long ago. */
export const OLD = '2020-01-01 00:00:00'
export const dates = { date_created: OLD, date_updated: OLD }

export const DATE_TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/
/** Any date, as records show it. */
export const DATE = expect.stringMatching(DATE_TIME)
