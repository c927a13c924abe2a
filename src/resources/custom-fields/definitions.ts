/** Serves the definitions of custom fields. */
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { CustomFieldResource } from '../../catalogue/custom-field.ts'
import { CUSTOM_FIELD_TYPES } from '../../catalogue/office-enums.ts'
import { database, runStatement } from '../../db/client.ts'
import { selectRows } from '../../db/statements.ts'
import { custom_fields } from '../../db/tables/agency.ts'
import { named } from '../../fields/values.ts'
import type { Router } from '../../http/endpoint/router.ts'
import { lookupBody } from '../../http/reply/envelope.ts'

const customField = named('CustomField', 'A field that the agency defined', {
  id: z.int().describe('The key of its value in records'),
  name: z.string().describe('Its name'),
  type: z.enum(CUSTOM_FIELD_TYPES).describe('Type of its values'),
  options: z
    .array(
      named('CustomFieldOption', 'A choice of a custom field', {
        id: z.int().describe('The value'),
        name: z.string().describe('Its name'),
      }),
    )
    .optional()
    .describe('The choices, for `select` and `select_multi` only'),
})

/** Adds the list of the custom fields of a resource, by id, such as `/api/contacts/custom-fields`. */
export function serveCustomFields(router: Router, resource: CustomFieldResource, summary: string): void {
  router.get(`/api/${resource}/custom-fields`, { summary, reply: lookupBody(customField) }, async (c) => {
    const statement = selectRows(custom_fields, sql`where resource = ${resource} order by id`)
    const rows = await runStatement(database(c.env), statement)
    return rows.map(({ id, name, type, options }) => ({ id, name, type, ...(options ? { options } : {}) }))
  })
}
