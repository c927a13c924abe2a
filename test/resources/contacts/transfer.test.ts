import { beforeAll, describe, expect, it } from 'vitest'
import { get, importRecords, put } from '../../support/api.ts'
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
      search: 'ελενη οικονομου\nοικονομου ελενη\nκτισισ\n690\na@example.com',
    })
    expect((await get('/api/contacts?fields=all&search=κτισις')).body.data).toEqual([FULL])
  })

  it('takes date-times, and answers them as they came', async () => {
    expect(
      await importContact({ ...FULL, id: 501, date_converted_to_client: '2020-06-01 12:00:00' }),
    ).toBeNull()
    expect(await readContact(501)).toEqual({
      ...FULL,
      id: 501,
      date_converted_to_client: '2020-06-01 12:00:00',
    })
  })

  it('merges into a contact that exists', async () => {
    await importContact({ ...FULL, id: 510 })
    const line = { id: 510, notes: null, address: { street: 'Σόλωνος 1' }, custom_fields: { 1: null, 4: 5 } }
    expect(await importContact(line)).toBeNull()
    const merged = await readContact(510)
    const { 1: _, ...kept } = FULL.custom_fields
    expect(merged).toEqual({
      ...FULL,
      id: 510,
      notes: '',
      address: { ...FULL.address, street: 'Σόλωνος 1' },
      custom_fields: { ...kept, 4: 5 },
      date_updated: merged.date_updated,
    })
    expect(Math.abs(Date.parse(`${merged.date_updated}Z`) - Date.now())).toBeLessThan(60_000)
    expect(
      await importContact({ id: 510, phones: [], tags: null, date_updated: '2022-01-01 00:00:00' }),
    ).toBeNull()
    expect(await readContact(510)).toEqual({
      ...merged,
      phones: [],
      tags: [],
      date_updated: '2022-01-01 00:00:00',
    })
    expect(await importContact({ id: 510, first_name: '', last_name: null, company_name: '' })).toBe(
      'Missing first_name',
    )
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

  it('hides and brings back', async () => {
    await importContact({ id: 505, first_name: 'A', is_deleted: true })
    expect((await get('/api/contacts/505')).status).toBe(404)
    await importContact({ id: 505, first_name: 'B' })
    expect((await get('/api/contacts/505')).status).toBe(404)
    await importContact({ id: 505, is_deleted: false })
    expect((await get('/api/contacts/505')).body.data).toMatchObject({ first_name: 'B' })
  })

  it('stops a merge that read the contact before', async () => {
    await importContact({ ...FULL, id: 506 })
    const [reply] = await Promise.all([
      put('/api/contacts/506', { notes: 'merged' }),
      importContact({ ...FULL, id: 506, first_name: 'Imported' }),
    ])
    expect(reply.status).toBe(200)
    expect(await readContact(506)).toMatchObject({ first_name: 'Imported' })
  })

  it('loses nothing of a merge at the same time', async () => {
    await importContact({ ...FULL, id: 507 })
    const [reply, message] = await Promise.all([
      put('/api/contacts/507', { notes: 'merged' }),
      importContact({ id: 507, first_name: 'Imported' }),
    ])
    expect([reply.status, message]).toEqual([200, null])
    expect(await readContact(507)).toMatchObject({ first_name: 'Imported', notes: 'merged' })
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
