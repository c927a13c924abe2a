import { beforeAll, describe, expect, it } from 'vitest'
import { get, importRecords } from '../../support/api.ts'
import { clean, importLine, importReply, importText, withProblems } from '../../support/transfer.ts'
import { CONTACT_DEFAULTS, FIELDS, FULL, readContact, seedContacts, storedContact } from './seed.ts'

beforeAll(async () => {
  await seedContacts()
  await importRecords([['contacts', { id: 600, first_name: 'Named' }]])
})

const importContact = (data: Record<string, unknown>, mode?: string) => importLine('contacts', data, mode)

describe('import of contacts', () => {
  it('stores the whole contact object, and names contacts that were deleted', async () => {
    expect(await importContact(FULL)).toBeNull()
    expect(await readContact(500)).toEqual(FULL)
    expect(await storedContact(500)).toMatchObject({
      search: 'ελενη οικονομου\nοικονομου ελενη\nκτισισ\n690\na@example.com\n= eleni oikonomou ktisis',
    })
    expect((await get('/api/contacts?fields=all&search=κτισις')).body.data).toEqual([FULL])
  })

  it('replaces a contact whole where it is told to, but keeps dates, creator and source left open', async () => {
    await importContact({ ...FULL, id: 502 })
    const { date_updated } = FULL
    expect(await importContact({ id: 502, company_name: 'Only', date_updated }, 'replace')).toBeNull()
    expect(await readContact(502)).toEqual({
      ...CONTACT_DEFAULTS,
      id: 502,
      source_id: 2,
      company_name: 'Only',
      date_created: FULL.date_created,
      date_updated: FULL.date_updated,
      created_by: 2,
    })
  })

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

  it('names contacts hundreds of lines below', async () => {
    const lines = Array.from({ length: 250 }, (_, index) => ({
      id: 4000 + index,
      first_name: 'A',
      custom_fields: { [FIELDS.contact]: 4000 + ((index + 120) % 250) },
    }))
    await importRecords(lines.slice(0, 80).map((line) => ['contacts', { ...line, custom_fields: {} }]))
    const reply = await importReply('contacts', lines)
    expect(reply).toEqual(clean(250))
    expect(await readContact(4100)).toMatchObject({ custom_fields: { 20: 4220 } })
  })

  it('stores the good ones of many lines', async () => {
    const lines = Array.from({ length: 250 }, (_, index) => ({
      ...FULL,
      id: 1000 + index,
      tags: index === 120 ? [99] : [1 + (index % 4)],
    }))
    const reply = await importReply('contacts', lines)
    expect(reply).toEqual({
      accepted: 249,
      rejected: 1,
      errors: withProblems([{ line: 121, entity: 'contacts', id: 1120, message: 'Unknown tags 99' }]),
      warnings: [],
      ignored: [],
      next: null,
    })
    expect(await readContact(1003)).toEqual({ ...FULL, id: 1003, tags: [4] })
    expect(await storedContact(1120)).toBeNull()
  })
})
