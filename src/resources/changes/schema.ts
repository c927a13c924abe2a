/** The filters of the change feed. */
import { z } from 'zod'
import { RESOURCES } from '../../db/changes.ts'
import { int, list, named, text, unique } from '../../fields/values.ts'

export const DEFAULT_LIMIT = 500
const MAX_LIMIT = 1000

/** One or several resources, as a list or as comma-separated text; null if absent. */
const resources = z
  .union([text(), list(text())])
  .nullish()
  .transform((value) => {
    const names = (Array.isArray(value) ? value : (value ?? '').split(',')).map((name) => name.trim())
    const resourceNames = unique(names.filter((name) => name !== ''))
    return resourceNames.length > 0 ? resourceNames : null
  })
  .refine((names) => names?.every((name) => RESOURCES.includes(name)) ?? true, {
    message: `must be one of ${RESOURCES.join(', ')}`,
  })
  .describe(
    `Only changes of these: ${RESOURCES.map((name) => `\`${name}\``).join(', ')}; a list, or comma-separated text. ` +
      'All that the key may read when omitted',
  )

export const changeFilters = named('ChangeFilters', 'Filters of the change feed', {
  after: text()
    .nullish()
    .describe('A `cursor` or `next` of an earlier reply; from the beginning when omitted'),
  resources,
  limit: int()
    .min(1)
    .max(MAX_LIMIT)
    .nullish()
    .describe(`Maximum entries of the reply, up to ${MAX_LIMIT}; ${DEFAULT_LIMIT} when omitted`),
})
