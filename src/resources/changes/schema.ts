/** What a reader of the feed may ask for. */
import { z } from 'zod'
import { RESOURCES } from '../../db/changes.ts'
import { int, list, text, unique } from '../../fields/values.ts'

export const DEFAULT_LIMIT = 500
const MAX_LIMIT = 1000

/** One or several resources, as a list or as text with commas; null when absent. */
const resources = z
  .union([text(), list(text())])
  .nullish()
  .transform((value) => {
    const names = (Array.isArray(value) ? value : (value ?? '').split(',')).map((name) => name.trim())
    const given = unique(names.filter((name) => name !== ''))
    return given.length > 0 ? given : null
  })
  .refine((names) => names?.every((name) => RESOURCES.includes(name)) ?? true, {
    message: `must be one of ${RESOURCES.join(', ')}`,
  })
  .describe(
    `Only changes of these: ${RESOURCES.map((name) => `\`${name}\``).join(', ')}; a list, or text with commas. ` +
      'Without it, all that the key may read',
  )

export const changeFilters = z
  .object({
    after: text()
      .nullish()
      .describe('A `cursor` or `next` of an earlier answer; without it, from the beginning'),
    resources,
    limit: int()
      .min(1)
      .max(MAX_LIMIT)
      .nullish()
      .describe(`Most entries of the answer, up to ${MAX_LIMIT}; ${DEFAULT_LIMIT} without it`),
  })
  .meta({ id: 'ChangeFilters', description: 'Where the feed is read on, and of what' })
