/** The fields that the agency defined itself. */
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import type { CustomFieldResource } from '../../catalogue/custom-field.ts'
import { CUSTOM_FIELD_TYPES } from '../../catalogue/enums.ts'
import { database } from '../../db/client.ts'
import { custom_fields } from '../../db/tables/agency.ts'

export const customField = z
  .object({
    id: z.int().describe('The key under which records carry its value'),
    name: z.string().describe('Its name'),
    type: z.enum(CUSTOM_FIELD_TYPES).describe('What its values are'),
    options: z
      .array(
        z
          .object({ id: z.int().describe('The value'), name: z.string().describe('What it stands for') })
          .meta({ id: 'CustomFieldOption', description: 'A choice of a custom field' }),
      )
      .optional()
      .describe('The choices; only of `select` and `select_multi`'),
  })
  .meta({ id: 'CustomField', description: 'A field that the agency defined itself' })

/** The definitions for one resource, by id. */
export async function findCustomFields(env: Env, resource: CustomFieldResource) {
  const rows = await database(env)
    .select()
    .from(custom_fields)
    .where(eq(custom_fields.resource, resource))
    .orderBy(custom_fields.id)
  return rows.map(({ id, name, type, options }) => ({ id, name, type, ...(options ? { options } : {}) }))
}
