/** What a contact has agreed to: in and out, of enquiries, and in the trail. */
import { beforeAll, describe, expect, it } from 'vitest'
import { get, post, put } from '../../support/api.ts'
import { lastEntry } from '../../support/trail.ts'
import { exported, importLine } from '../../support/transfer.ts'
import { createEnquiry, seedEnquiries } from '../enquiries/seed.ts'

beforeAll(seedEnquiries)

const consent = (day: number, given = true, source: string | null = 'call') => ({
  purpose: 'marketing',
  given,
  date: `2026-03-0${day} 10:00:00`,
  source,
})
const read = async (id: number) => (await get(`/api/contacts/${id}?fields=all`)).body.data.consents
const create = async (body: object = {}) =>
  (await post('/api/contacts', { first_name: 'A', created_by: 1, ...body })).body.created_id
const convert = (id: number, contact_id?: number) => post(`/api/enquiries/${id}/convert`, { contact_id })

describe('consents of a contact', () => {
  it('are none at first, and are replaced by PUT and import', async () => {
    const id = await create()
    expect(await read(id)).toEqual([])
    await put(`/api/contacts/${id}`, { consents: [consent(1)] })
    expect(await read(id)).toEqual([consent(1)])
    await put(`/api/contacts/${id}`, { notes: 'x' })
    expect(await importLine('contacts', { id, consents: [consent(2, false, null)] })).toBeNull()
    expect(await read(id)).toEqual([consent(2, false, null)])
    expect((await exported('contacts')).find((line) => line.includes(`"id":${id},`))).toContain(
      JSON.stringify({ consents: [consent(2, false, null)] }).slice(1, -1),
    )
    await put(`/api/contacts/${id}`, { consents: null })
    expect(await read(id)).toEqual([])
  })

  it('keep the latest entry for a purpose, and of two of one moment the one further down', async () => {
    const id = await create({ consents: [consent(1), consent(3, false), consent(2)] })
    expect(await read(id)).toEqual([consent(3, false)])
    await put(`/api/contacts/${id}`, { consents: [consent(1, true, 'a'), consent(1, false, 'b')] })
    expect(await read(id)).toEqual([consent(1, false, 'b')])
  })

  it('are in the trail with their values', async () => {
    const id = await create({ consents: [consent(1)] })
    await put(`/api/contacts/${id}`, { consents: [consent(2, false)], notes: 'x' })
    const changed = { consents: [[consent(1)], [consent(2, false)]] }
    expect(await lastEntry('contacts', id)).toMatchObject({ changed, others: ['notes'] })
  })
})

describe('the consent of an enquiry', () => {
  const sent = async (marketing: boolean) => {
    const id = await createEnquiry({ consent: { privacy: true, marketing } })
    const { date_created } = (await get(`/api/enquiries/${id}`)).body.data
    return {
      id,
      consent: { purpose: 'marketing', given: marketing, date: date_created, source: `enquiry ${id}` },
    }
  }

  it.each([true, false])('is that of the contact made of it: %s', async (marketing) => {
    const { id, consent } = await sent(marketing)
    expect(await read((await convert(id)).body.contact_id)).toEqual([consent])
  })

  it('replaces an earlier one of an existing contact, with its values in the trail', async () => {
    const contact = await create({ consents: [consent(1, false)] })
    const { id, consent: carried } = await sent(true)
    const before = (await get(`/api/contacts/${contact}`)).headers.get('ETag')
    await convert(id, contact)
    expect(await read(contact)).toEqual([carried])
    const changed = { consents: [[consent(1, false)], [carried]] }
    expect((await lastEntry('contacts', contact))?.changed).toEqual(changed)
    expect((await get(`/api/contacts/${contact}`)).headers.get('ETag')).not.toBe(before)
  })

  it('never replaces a later one', async () => {
    const later = { ...consent(1, false), date: '2999-01-01 00:00:00' }
    const contact = await create({ consents: [later] })
    const before = await get(`/api/contacts/${contact}`)
    await convert((await sent(true)).id, contact)
    const after = await get(`/api/contacts/${contact}`)
    expect([after.body, after.headers.get('ETag')]).toEqual([before.body, before.headers.get('ETag')])
  })
})
