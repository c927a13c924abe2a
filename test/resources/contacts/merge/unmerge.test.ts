/** Giving merged contacts back: in lists, in chains, and where records have changed since. */
import { beforeEach, describe, expect, it } from 'vitest'
import { OTHER, PERSON } from '../../../admin/erasure/persona.ts'
import { expectError, expectInvalid, get, put, remove } from '../../../support/api.ts'
import { execute, selectAll } from '../../../support/database.ts'
import { FOURTH, merge, restored, seedPersons, stateBut, THIRD, unmerge } from './merging.ts'

beforeEach(seedPersons)

/** The list of an offer, and that of a custom field. */
const lists = async () => {
  const [offer, request] = await Promise.all([get('/api/offers/1'), get('/api/requests/2')])
  return [offer.body.data.contacts, request.body.data.extra_fields[4]]
}

const setLists = async (contacts: number[]) => {
  await put('/office/offers/1', { contacts })
  await put('/api/requests/2', { extra_fields: { 4: contacts } })
}

describe('POST /api/contacts/{id}/unmerge', () => {
  it('leaves what has changed since, and names it', async () => {
    await merge(THIRD, [PERSON])
    await put('/api/tasks/2', { contacts: [THIRD] })
    await put('/office/offers/1', { contacts: [OTHER], notes: 'Other buyer' })
    await put('/api/listings/1', { 'the service': { tenant_contact_id: OTHER } })
    await put(`/api/contacts/${OTHER}`, { custom_fields: { 2: FOURTH } })
    // Another change of a record is none of what names the contact.
    await put('/office/contracts/2', { notes: 'Signed' })
    expect(await unmerge(THIRD, PERSON)).toMatchObject(
      restored(PERSON, [
        { resource: 'contacts', id: OTHER },
        { resource: 'listings', id: 1 },
        { resource: 'offers', id: 1 },
      ]),
    )
    expect(await contactsOf('/api/tasks/2')).toEqual([THIRD])
    expect(await contactsOf('/api/offers/1')).toEqual([OTHER])
    expect((await get('/api/contracts/2')).body.data.notary_contact_id).toBe(PERSON)
    expect((await get('/api/listings/1')).body.data.contacts).toEqual([OTHER, PERSON])
  })

  it('refuses who was not merged into it, a second time, and what is too long ago', async () => {
    await expectInvalid(unmerge(THIRD, null), 'Missing contact_id')
    await expectInvalid(unmerge(THIRD, PERSON), `Invalid contact_id: ${PERSON} is not merged into ${THIRD}`)
    await merge(THIRD, [PERSON])
    await expectInvalid(unmerge(OTHER, PERSON), `Invalid contact_id: ${PERSON} is not merged into ${OTHER}`)
    await unmerge(THIRD, PERSON)
    await expectInvalid(unmerge(THIRD, PERSON), `Invalid contact_id: ${PERSON} is not merged into ${THIRD}`)
    await merge(THIRD, [PERSON])
    await execute("update contact_merges set date = datetime('now', '-30 days', '-1 second')")
    const late = `Invalid contact_id: ${PERSON} was merged more than 30 days ago, or by an import`
    await expectInvalid(unmerge(THIRD, PERSON), late)
    // The next merge forgets it.
    await merge(THIRD, [FOURTH])
    expect(await selectAll('select contact_id from contact_merges')).toEqual([{ contact_id: FOURTH }])
    expect(await selectAll('select * from contact_merge_references')).toEqual([])
    await expectInvalid(unmerge(THIRD, PERSON), late)
  })

  it('gives a contact back although the remaining one was deleted since', async () => {
    const before = await stateBut(THIRD)
    await merge(THIRD, [PERSON])
    await remove(`/api/contacts/${THIRD}`)
    await expectError(unmerge(THIRD, OTHER), 404, 'Contact not found')
    expect(await unmerge(THIRD, PERSON)).toMatchObject(restored(PERSON))
    expect(await stateBut(THIRD)).toEqual(before)
    await expectError(get(`/api/contacts/${THIRD}`), 404, 'Contact not found')
    await expectError(unmerge(THIRD, PERSON), 404, 'Contact not found')
  })

  it('gives lists back as they were, whatever was merged and undone in whatever order', async () => {
    const ids = [PERSON, OTHER, THIRD, FOURTH]
    let seed = 7
    const random = (below: number) => {
      seed = (seed * 48271) % 2147483647
      return seed % below
    }
    const shuffled = () => ids.toSorted(() => random(3) - 1).slice(0, 1 + random(4))
    for (let round = 0; round < 5; round++) {
      const list = shuffled()
      await setLists(list)
      /** Who is merged into whom. */
      const into = new Map<number, number>()
      const shown = (id: number): number => (into.has(id) ? shown(into.get(id) ?? 0) : id)
      for (let step = 0; step < 6 || into.size > 0; step++) {
        const living = ids.filter((id) => !into.has(id))
        const [one = 0, ...others] = living.toSorted(() => random(3) - 1).slice(0, 2 + random(2))
        const undone = [...into].filter(([, target]) => !into.has(target))
        if (step < 6 && living.length > 1 && (undone.length === 0 || random(2))) {
          expect((await merge(one, others)).status).toBe(200)
          for (const other of others) into.set(other, one)
        } else {
          const [id, target] = undone[random(undone.length)] ?? [0, 0]
          expect(await unmerge(target, id)).toMatchObject(restored(id))
          into.delete(id)
        }
        const expected = [...new Set(list.map(shown))]
        const found = await lists()
        const sorted = (all: number[]) => all.toSorted((a, b) => a - b)
        expect(found.map(sorted)).toEqual([sorted(expected), sorted(expected)])
      }
      expect(await lists()).toEqual([list, list])
      expect(await selectAll('select * from contact_merge_references')).toEqual([])
    }
  })
})

const contactsOf = async (path: string) => (await get(path)).body.data.contacts
