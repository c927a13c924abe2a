/** Bodies of the contact endpoints. */
import { z } from 'zod'
import { address, contact, people, record } from '../../catalogue/contact.ts'
import { inputs } from '../../fields/derive.ts'
import { ids } from '../../fields/values.ts'
import { customValues } from '../custom-fields/values.ts'

const links = () =>
  ids()
    .nullish()
    .transform((entries) => entries ?? [])

export const contactInput = z
  .object({
    ...inputs(contact),
    address: z
      .object(inputs(address))
      .meta({ id: 'ContactAddressInput', description: 'A postal address' })
      .nullish(),
    custom_fields: customValues()
      .nullish()
      .describe('Values by custom-field id, of the types in the custom-fields lookup; null clears one'),
    ...inputs(people),
    tags: links().describe('Ids from the tags lookup'),
    created_by: inputs(record).created_by,
    users: links().describe('Agents: ids of users'),
  })
  .meta({ id: 'ContactInput', description: 'The body that creates a contact' })

export const contactUpdate = contactInput
  .partial()
  .extend({ created_by: z.unknown().optional().describe('Ignored: the creator never changes') })
  .meta({ id: 'ContactUpdate', description: 'Changes of a contact: only the keys that are sent' })

export type ContactInput = z.output<typeof contactUpdate>
