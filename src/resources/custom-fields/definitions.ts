/** The fields that the agency defined itself. */
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { database } from '../../db/client.ts'
import { custom_fields } from '../../db/tables/agency.ts'

export const CUSTOM_FIELD_TYPES = [
  'text',
  'textarea',
  'wysiwyg',
  'number',
  'formatted_number',
  'select',
  'select_multi',
  'checkbox',
  'file',
  'image',
  'file_multi',
  'image_multi',
  'address',
  'url',
  'date',
  'datetime',
  'currency',
  'user',
  'user_multi',
  'contact',
  'contact_multi',
  'phone',
] as const

export const CUSTOM_FIELD_RESOURCES = ['listings', 'external-listings', 'requests', 'contacts'] as const

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
export async function findCustomFields(env: Env, resource: (typeof CUSTOM_FIELD_RESOURCES)[number]) {
  const rows = await database(env)
    .select()
    .from(custom_fields)
    .where(eq(custom_fields.resource, resource))
    .orderBy(custom_fields.id)
  return rows.map(({ id, name, type, options }) => ({ id, name, type, ...(options ? { options } : {}) }))
}
