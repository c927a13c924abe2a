import { beforeAll, describe, expect, it } from 'vitest'
import { expectInvalid, importRecords, post, put } from '../../support/api.ts'
import { execute } from '../../support/database.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import { createListing, minimalListing, readListing } from '../../support/factories/listing.ts'

beforeAll(seedAgency)

const LONG_AGO = '2020-01-01 00:00:00'
const TARGETS = ['pending', 'active', 'inactive', 'archived', 'deleted']
const MESSAGE = `Invalid to: must be one of ${TARGETS.join(', ')}`

const setStatus = (id: number | string, to: unknown) => post(`/api/listings/${id}/status`, { to })

/** Makes a listing's last write lie back, so that the next one shows. */
const age = (id: number) => execute('update listings set date_updated = ? where id = ?', LONG_AGO, id)

function expectNow(moment: string) {
  expect(Math.abs(Date.parse(`${moment}Z`) - Date.now())).toBeLessThan(60_000)
}

describe('POST /api/listings/{id}/status', () => {
  it.each(TARGETS)('takes a draft to %s and gives it its code', async (to) => {
    const id = await createListing()
    await age(id)
    expect((await setStatus(id, to)).body).toEqual({ status: 200, updated_id: id })
    const listing = await readListing(id)
    expect(listing).toMatchObject({ status: to, code: `RES-${String(id).padStart(5, '0')}` })
    expectNow(listing.status_date)
    expectNow(listing.date_updated)
  })

  it.each([
    ['residential', 'RES'],
    ['commercial', 'COM'],
    ['land', 'LAN'],
    ['other', 'OTH'],
  ])('the code of %s begins with %s', async (category, prefix) => {
    const id = await createListing({ category })
    await setStatus(id, 'pending')
    expect((await readListing(id)).code).toBe(`${prefix}-${String(id).padStart(5, '0')}`)
  })

  it('the code of a large id is as long as it needs', async () => {
    await importRecords([['listings', { ...minimalListing, id: 765_432 }]])
    await setStatus(765_432, 'active')
    expect((await readListing(765_432)).code).toBe('RES-765432')
    await execute('delete from listing_users where listing_id = 765432')
    await execute('delete from listings where id = 765432')
  })

  it('the code never changes', async () => {
    const id = await createListing()
    await setStatus(id, 'active')
    const { code } = await readListing(id)
    await put(`/api/listings/${id}`, { category: 'land' })
    for (const to of TARGETS) {
      await setStatus(id, to)
      expect(await readListing(id)).toMatchObject({ status: to, code })
    }
  })

  it('a code that came by import stays', async () => {
    await importRecords([['listings', { ...minimalListing, id: 800, code: 'OLD 7', status: 'inactive' }]])
    await setStatus(800, 'active')
    expect((await readListing(800)).code).toBe('OLD 7')
  })

  it('a code that another listing holds is made longer', async () => {
    const id = await createListing()
    const taken = `RES-${String(id).padStart(5, '0')}`
    await importRecords([['listings', { ...minimalListing, id: 5000, code: taken, status: 'active' }]])
    await setStatus(id, 'active')
    expect((await readListing(id)).code).toBe(`${taken}-${id}`)
  })

  it.each([
    ['draft', MESSAGE],
    [null, 'Missing to'],
    ['', 'Missing to'],
  ])('refuses %j', async (to, message) => {
    const id = await createListing()
    await expectInvalid(setStatus(id, to), message)
    expect(await readListing(id)).toMatchObject({ status: 'draft', code: null, status_date: null })
  })
})
