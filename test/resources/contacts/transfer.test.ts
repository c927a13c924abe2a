import { beforeAll, describe, expect, it } from 'vitest'
import { importRecords } from '../../support/api.ts'
import { clean, importReply, importText } from '../../support/transfer.ts'
import { FIELDS, readContact, seedContacts, storedContact } from './seed.ts'

beforeAll(async () => {
  await seedContacts()
  await importRecords([['contacts', { id: 600, first_name: 'Named' }]])
})

describe('import of contacts', () => {
  it('names contacts further down, in a circle too, but none that is refused', async () => {
    const names = (id: number, other: number, rest = {}) => ({
      id,
      first_name: 'A',
      custom_fields: { [FIELDS.contact]: other },
      ...rest,
    })
    const lines = [
      names(520, 521),
      names(521, 522),
      names(522, 520),
      names(523, 524),
      names(524, 525),
      names(525, 523, { tags: [99] }),
      names(526, 520),
      names(527, 527),
      names(528, 529),
      names(529, 526),
    ]
    const reply = await importReply('contacts', lines)
    const refused = (number: number, id: number, field: string, value: number) => {
      const message = `Unknown ${field} ${value}`
      return { line: number, entity: 'contacts', id, message, problems: [{ field, message }] }
    }
    expect(reply.errors).toEqual([
      refused(4, 523, 'custom_fields.20', 524),
      refused(5, 524, 'custom_fields.20', 525),
      refused(6, 525, 'tags', 99),
    ])
    expect(await readContact(522)).toMatchObject({ custom_fields: { 20: 520 } })
    expect(await storedContact(523)).toBeNull()
  })

  it('may have to be sent again in a circle that a line of another entity parts', async () => {
    const names = (id: number, other: number, users: number[]) =>
      JSON.stringify({
        entity: 'contacts',
        data: { id, first_name: 'A', users, custom_fields: { [FIELDS.contact]: other } },
      })
    const user = JSON.stringify({ entity: 'users', data: { id: 900, name: 'New' } })
    const contacts = [names(530, 531, []), names(531, 530, [900])]
    expect(await importText(contacts.join(`\n${user}\n`))).toMatchObject({
      accepted: 1,
      errors: [
        { line: 1, message: `Unknown custom_fields.${FIELDS.contact} 531` },
        { line: 3, message: `Unknown custom_fields.${FIELDS.contact} 530` },
      ],
    })
    expect(await importText(contacts.join('\n'))).toEqual(clean(2))
    expect(await readContact(531)).toMatchObject({ custom_fields: { [FIELDS.contact]: 530 } })
    const below = [user.replaceAll('900', '901'), names(532, 533, []), names(533, 532, [901])].join('\n')
    expect(await importText(below)).toEqual(clean(3))
  })
})
