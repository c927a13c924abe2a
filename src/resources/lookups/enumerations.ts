/** Serves the names of all values, in Greek and English. */
import { z } from 'zod'
import { ENUMERATION_NAMES, ENUMERATIONS } from '../../catalogue/enumerations.ts'
import { EXTRA_SCOPES, WEBSITE_SCOPES } from '../../catalogue/scopes.ts'
import { named } from '../../fields/values.ts'
import type { Router } from '../../http/endpoint/router.ts'
import { lookupBody, replyWithLookup } from '../../http/reply/envelope.ts'

const PATH = '/api/enumerations'

const enumeration = named('Enumeration', 'A closed set of values with their names', {
  name: z.enum(ENUMERATION_NAMES).describe('That of the field, with its resource where several have one'),
  values: z
    .array(
      named('NamedValue', 'A value of an enumeration, and what people call it', {
        value: z.string().describe('As in bodies, filters and replies'),
        name_el: z.string().describe('In Greek'),
        name_en: z.string().describe('In English'),
      }),
    )
    .describe('In the order in which a form offers them'),
})

/** Adds the endpoint, which every key may call. */
export function serveEnumerations(router: Router): void {
  const reply = lookupBody(enumeration)
  router.get(
    PATH,
    {
      summary: 'Names of values',
      description:
        'Every enumeration of the API with the names of its values. Any key may call it. `subcategory` has those of all ' +
        'categories, in the order of the categories. Features, positioning, view and flooring are in ' +
        '`/api/listings/features`. What the agency defines itself has lookups: sources, tags, statuses of requests.',
      scope: null,
      reply,
    },
    (c) => replyWithLookup(c, ENUMERATIONS),
  )
  const [first, ...others] = [...WEBSITE_SCOPES, ...EXTRA_SCOPES]
  if (first === undefined) throw new Error('Website keys have no scope')
  router
    .forVisitors([first, ...others], () => null)
    .get(PATH, { reply }, ({ replyWithLookup }) => replyWithLookup(ENUMERATIONS))
}
