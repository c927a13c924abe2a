/** Bodies of the contact endpoints. */
import { z } from 'zod'
import { address, contact, people, record } from '../../catalogue/contact.ts'
import { inputs } from '../../fields/derive.ts'
import { ids, named } from '../../fields/values.ts'
import { customValues } from '../custom-fields/values.ts'

const links = () =>
  ids()
    .nullish()
    .transform((entries) => entries ?? [])

export const contactInput = named('ContactInput', 'The body that creates a contact', {
  ...inputs(contact),
  address: named('ContactAddressInput', 'A postal address', inputs(address)).nullish(),
  custom_fields: customValues()
    .nullish()
    .describe('Values by custom-field id, of the types in the custom-fields lookup; null clears one'),
  ...inputs(people),
  tags: links().describe('Ids from the tags lookup'),
  created_by: inputs(record).created_by,
  users: links().describe('Agents: ids of users'),
})

export const contactUpdate = contactInput
  .partial()
  .extend({ created_by: z.unknown().optional().describe('Ignored: the creator never changes') })
  .meta({ id: 'ContactUpdate', description: 'Changes of a contact: only the keys that are sent' })

export type ContactInput = z.output<typeof contactUpdate>
