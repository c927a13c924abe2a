/** The person of contacts that were merged: what is held, its erasure and holds. */
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { continueErasures } from '../../../src/admin/erasure/clear.ts'
import { database } from '../../../src/db/client.ts'
import { purgeEnquiries } from '../../../src/resources/enquiries/purge.ts'
import { expectError, get, importRecords, type Line, post, remove } from '../../support/api.ts'
import { execute, failBefore, selectAll } from '../../support/database.ts'
import { emptyAndSeed, emptyService } from '../../support/storage.ts'
import { clean, exported, importLine, importText } from '../../support/transfer.ts'
import { AGENCY, OTHER, PERSON, RECORDS, TEXTS } from './persona.ts'

const [TARGET, SIBLING, FORMER, LATER] = [12, 30, 88, 90]
const contact = (id: number, more = {}): Line => [
  'contacts',
  { id, first_name: `zqmerged${id}`, created_by: 1, ...more },
]
/** An expense that an import has brought for a merged contact. */
const expense = (id: number, contacts: number[]): Line => [
  'expenses',
  {
    ...{ id, category_id: 1, amount: '1.00', date: '2026-01-01', status: 'pending', created_by: 1 },
    ...{ title: `zqexpense${id}`, contacts },
  },
]

/** 88 was merged into the person, who was merged into 12, as was 30 with its telephone. 90 is somebody else. */
const seed = async () => {
  await importRecords([
    ...AGENCY,
    ...RECORDS,
    contact(TARGET),
    contact(SIBLING, { merged_into: TARGET, phones: [{ number: '6907654321' }] }),
    contact(FORMER, { merged_into: PERSON }),
    contact(LATER),
    ['contacts', { id: PERSON, merged_into: TARGET }],
    expense(880, [FORMER]),
    expense(900, [LATER]),
    expense(901, [LATER, SIBLING]),
  ])
}
beforeEach(() => emptyAndSeed(seed))

const ALL = [TARGET, SIBLING, PERSON, FORMER]
const erase = (id: number, more = {}, DB = env.DB) =>
  post(`/admin/contacts/${id}/erase`, { reason: 'x', ...more }, { bindings: { DB } })
/** The database, in which a contact changes between the reads of an erasure and its transaction. */
const atOnce = (change: string, ...params: number[]) =>
  failBefore(/^insert or replace into erased_records/, () =>
    execute(`update contacts set ${change}, version = version + 1 where id = ?`, ...params),
  )
const hold = (id: number) => post(`/admin/contacts/${id}/hold`, { reason: 'A lawsuit' })
const personOf = async (id: number) => (await get(`/admin/contacts/${id}/person`)).body.data
const namesOf = (entries: { resource: string; id: number }[]) =>
  entries.map(({ resource, id }) => `${resource} ${id}`)
const contactsIn = (entries: { resource: string; id: number }[]) =>
  entries.flatMap(({ resource, id }) => (resource === 'contacts' ? id : []))
/** Texts of the person that are stored, and of the contacts and expenses above. */
const found = async () => {
  const all = (await exported()).join('\n')
  return [...TEXTS.filter((text) => all.includes(text)), ...(all.match(/zq(merged|expense)\d+/g) ?? [])]
}
const UNTOUCHED = ['zqmerged90', 'zqexpense900']
const states = () => selectAll('select id, is_erased, merged_into from contacts order by id')

describe('GET /admin/contacts/{id}/person', () => {
  it.each(ALL)('shows of contact %d all that were merged with it, and what links to them', async (id) => {
    const { contact, merged, expenses, offers, possible, erasure } = await personOf(id)
    expect([contact.id, erasure]).toEqual([id, null])
    expect(namesOf(merged)).toEqual(ALL.filter((one) => one !== id).map((one) => `contacts ${one}`))
    expect(merged[0].fields.first_name).toMatch(/^zq/)
    expect(merged[0].clears).toContain('first_name')
    expect(namesOf(expenses)).toEqual(['expenses 1', 'expenses 880', 'expenses 901'])
    expect(namesOf(offers)).toEqual(['offers 1', 'offers 2'])
    expect(namesOf(possible)).toEqual(['enquiries 2', 'external-listings 1'])
  })
})

describe('POST /admin/contacts/{id}/erase', () => {
  const also = [
    { resource: 'enquiries', id: 2 },
    { resource: 'external-listings', id: 1 },
  ]

  it.each(ALL)(
    'of contact %d erases all that were merged with it, and keeps what they were merged into',
    async (id) => {
      const { erased, complete } = (await erase(id, { also })).body.data
      expect([complete, contactsIn(erased)]).toEqual([true, ALL])
      expect(namesOf(erased)).toEqual(expect.arrayContaining(['expenses 880', 'expenses 901', 'offers 1']))
      expect(await found()).toEqual(UNTOUCHED)
      expect(await states()).toEqual([
        { id: TARGET, is_erased: 1, merged_into: null },
        { id: SIBLING, is_erased: 1, merged_into: TARGET },
        { id: PERSON, is_erased: 1, merged_into: TARGET },
        { id: OTHER, is_erased: 0, merged_into: null },
        { id: FORMER, is_erased: 1, merged_into: PERSON },
        { id: LATER, is_erased: 0, merged_into: null },
      ])
      expect((await get(`/api/contacts/${FORMER}`)).headers.get('X-Merged-Into')).toBeNull()
      // A second call, of any of them, changes nothing.
      for (const one of ALL) expect(contactsIn((await erase(one)).body.data.erased)).toEqual(ALL)
      const { merged, erasure } = await personOf(FORMER)
      expect([namesOf(merged).length, erasure.complete]).toEqual([3, true])
    },
  )

  it('clears what a merge has moved, and what the contact was given by it', async () => {
    await emptyService()
    await importRecords([...AGENCY, ...RECORDS, contact(TARGET), contact(LATER)])
    const { status } = await post(`/api/contacts/${TARGET}/merge`, { contacts: [PERSON] })
    expect([status, (await get('/api/offers/1')).body.data.contacts]).toEqual([200, [TARGET, OTHER]])
    const { erased, complete } = (await erase(PERSON, { also })).body.data
    expect([complete, contactsIn(erased)]).toEqual([true, [TARGET, PERSON]])
    expect(await found()).toEqual(['zqmerged90'])
    expect((await get('/api/requests/2?fields=all')).body.data.extra_fields[4]).toEqual([OTHER, TARGET])
    const undone = await post(`/api/contacts/${TARGET}/unmerge`, { contact_id: PERSON })
    expect([undone.status, undone.headers.get('X-Merged-Into')]).toEqual([404, null])
  })

  it('clears contacts that are merged into it at the same moment', async () => {
    const DB = atOnce('is_deleted = 1, merged_into = ?', TARGET, LATER)
    const { complete } = (await erase(TARGET, { also }, DB)).body.data
    expect(complete).toBe(true)
    expect(await found()).toEqual([])
  })

  it('leaves a contact alone whose merge is undone at the same moment', async () => {
    const DB = atOnce('is_deleted = 0, merged_into = null', FORMER)
    const { erased } = (await erase(TARGET, { also }, DB)).body.data
    expect(contactsIn(erased)).toEqual([TARGET, SIBLING, PERSON])
    expect(await found()).toEqual(['zqmerged88', 'zqmerged90', 'zqexpense880', 'zqexpense900'])
  })

  it('clears by cron what was merged right after it', async () => {
    await erase(TARGET, { also })
    await execute('update contacts set is_deleted = 1, merged_into = ? where id = ?', SIBLING, LATER)
    await continueErasures(env, database(env), new Date(Date.now() + 11 * 60_000))
    expect(await found()).toEqual([])
    expect((await states()).at(-1)).toEqual({ id: LATER, is_erased: 1, merged_into: SIBLING })
  })
})

describe('erased again', () => {
  const eraseAgain = (id: number, more = {}) =>
    post('/admin/backups/erased', {
      id,
      date: new Date().toISOString().slice(0, 19).replace('T', ' '),
      ...more,
    })

  it('of a database that went back before the merge, all are erased by their own entries', async () => {
    await execute('update contacts set merged_into = null, is_deleted = 0')
    await eraseAgain(TARGET)
    expect(await found()).toContain('zqmerged88')
    for (const id of ALL.slice(1)) expect((await eraseAgain(id)).body.data.complete).toBe(true)
    expect((await found()).filter((text) => /merged|expense/.test(text))).toEqual(UNTOUCHED)
  })

  it('of a database that went back behind it, all are erased by the first entry', async () => {
    expect((await eraseAgain(TARGET)).body.data).toEqual({ erased: true, complete: true, newer: [] })
    expect((await found()).filter((text) => /merged|expense/.test(text))).toEqual(UNTOUCHED)
    for (const id of ALL)
      expect((await eraseAgain(id)).body.data).toMatchObject({ complete: true, newer: [] })
  })
})

describe('a hold', () => {
  it.each(ALL)('on contact %d keeps all that were merged with it', async (id) => {
    expect((await hold(id)).status).toBe(200)
    for (const one of ALL) await expectError(erase(one), 409, 'On hold: A lawsuit')
    await expectError(
      erase(LATER, { also: [{ resource: 'contacts', id: FORMER }] }),
      ...[409, 'On hold: A lawsuit'],
    )
    for (const one of ALL)
      expect(await importLine('contacts', { id: one, is_erased: true, merged_into: mergedInto[one] })).toBe(
        'On hold: A lawsuit',
      )
    for (const one of ALL)
      expect((await personOf(one)).hold).toMatchObject({ contact_id: id, reason: 'A lawsuit' })
    expect(await found()).toEqual(expect.arrayContaining(['zqmerged12', 'zqmerged30', 'zqmerged88']))
    expect((await remove(`/admin/contacts/${id}/hold`)).status).toBe(200)
    expect((await erase(SIBLING)).body.data.complete).toBe(true)
  })

  const mergedInto: Record<number, number | null> = {
    [TARGET]: null,
    [SIBLING]: TARGET,
    [PERSON]: TARGET,
    [FORMER]: PERSON,
  }

  it('that comes between the reads of an erasure and its transaction keeps them', async () => {
    const DB = failBefore(/^insert or replace into erased_records/, () => hold(FORMER))
    await expectError(erase(TARGET, {}, DB), 409, 'On hold: A lawsuit')
    expect(await selectAll('select id from contacts where is_erased')).toEqual([])
  })

  it('keeps what they share with others who are erased, until it ends', async () => {
    await hold(TARGET)
    const { erased, kept } = (await erase(LATER)).body.data
    expect([namesOf(erased).includes('expenses 900'), namesOf(kept).includes('expenses 901')]).toEqual([
      true,
      true,
    ])
    expect(await found()).toContain('zqexpense901')
    await remove(`/admin/contacts/${TARGET}/hold`)
    await continueErasures(env, database(env))
    expect(await found()).not.toContain('zqexpense901')
  })

  it('keeps expired enquiries of contacts that were merged with it', async () => {
    const later = new Date('2126-01-01')
    await importRecords([
      ['enquiries', { id: 1, status: 'spam' }],
      ['enquiries', { id: 2, status: 'spam' }],
    ])
    await hold(FORMER)
    expect(await purgeEnquiries(env, later)).toEqual({ removed: 1 })
    const line = JSON.stringify({ entity: 'enquiries', data: { id: 1 }, mode: 'remove' })
    expect((await importText(line)).errors).toMatchObject([{ id: 1, message: 'On hold: A lawsuit' }])
    await remove(`/admin/contacts/${FORMER}/hold`)
    expect(await purgeEnquiries(env, later)).toEqual({ removed: 1 })
  })
})

describe('an import', () => {
  it('takes the blank lines of an erased person into an empty service', async () => {
    await erase(TARGET)
    const before = await exported()
    const lines = before
      .filter((line) => line.includes('"is_erased":true'))
      .map((line) => JSON.parse(line).data)
    expect(lines.map(({ id, merged_into = null }) => [id, merged_into])).toEqual(
      expect.arrayContaining([
        [SIBLING, TARGET],
        [PERSON, TARGET],
        [FORMER, PERSON],
      ]),
    )
    await emptyService()
    expect(await importText(before.join('\n'))).toMatchObject({ ...clean(before.length), warnings: [] })
    expect(await exported()).toEqual(before)
  })

  it('refuses to merge a stored contact into an erased one, and stores a new one blank', async () => {
    await erase(TARGET)
    expect(await importLine('contacts', { id: LATER, merged_into: TARGET })).toBe('The contact 12 was erased')
    expect(await importLine('contacts', contact(91, { merged_into: SIBLING })[1])).toBeNull()
    expect((await states()).at(-1)).toEqual({ id: 91, is_erased: 1, merged_into: SIBLING })
    expect(await found()).not.toContain('zqmerged91')
  })
})
