import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { ENTITIES } from '../../../src/admin/transfer/entities.ts'
import { bearer, send, sendTo } from '../../http/send.ts'
import { ADMIN_TOKEN, call, importRecords, ORIGIN, post, put, remove, textOf } from '../../support/api.ts'
import { databaseOf } from '../../support/database.ts'
import { demoLines } from '../../support/demo.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import { seedLines } from '../../support/factories/lines.ts'
import { createListing, minimalListing } from '../../support/factories/listing.ts'
import { RECORDS } from '../../support/factories/samples.ts'
import { emptyService } from '../../support/storage.ts'
import { clean } from '../../support/transfer.ts'
import { everyRow } from './fresh.ts'

interface Exported {
  entity: string
  data: Record<string, unknown>
}

beforeEach(emptyService)

async function exportText(): Promise<string> {
  const answer = await send('GET', '/admin/export', { headers: bearer(ADMIN_TOKEN) })
  expect(answer.status).toBe(200)
  return textOf(answer)
}

async function exportLines(): Promise<Exported[]> {
  const text = await exportText()
  expect(text === '' || text.endsWith('\n')).toBe(true)
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

/** Imports a file of any length, in calls of `size` lines. */
async function importText(text: string, size = 1000): Promise<void> {
  const lines = text.split('\n').filter(Boolean)
  for (let start = 0; start < lines.length; start += size) {
    const part = lines.slice(start, start + size)
    const { body } = await call('POST', '/admin/import', { body: part.join('\n') })
    // What later changes leave behind is named in warnings.
    expect({ ...body.data, warnings: [] }).toEqual(clean(part.length))
  }
}

/** Export → import into an empty service → export gives the same bytes, and the same rows. */
async function expectRoundTrip(): Promise<string> {
  const first = await exportText()
  const rows = await everyRow()
  await emptyService()
  expect(await exportText()).toBe('')
  await importText(first)
  expect(await exportText()).toBe(first)
  expect(await everyRow()).toEqual(rows)
  return first
}

describe('GET /admin/export', () => {
  it('of an empty service is empty', async () => {
    const answer = await send('GET', '/admin/export', { headers: bearer(ADMIN_TOKEN) })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('Content-Type')).toBe('application/x-ndjson')
    expect(answer.headers.get('Content-Disposition')).toBe('attachment; filename="estia.ndjson"')
    expect(answer.headers.get('Cache-Control')).toBe('private, no-store')
    expect((await answer.arrayBuffer()).byteLength).toBe(0)
  })

  it('restores listings exactly, including values left by later changes', {
    timeout: 60_000,
  }, async () => {
    await seedAgency()
    const full = {
      subcategory: 'apartment',
      subtype: 1,
      price: 1000,
      size: 33.3,
      floor: -0.5,
      levels: 1,
      rooms: 2,
      bathrooms: 1,
      year_built: 1990,
      property_condition: 'good',
      source_id: 2,
      title: 'Τίτλος',
      description: 'Line\nline\u2028line "quoted" \\ 🏠',
      notes: 'Σημείωση',
      tags: [3, 1],
      contacts: [2, 1],
      users: [3, 1],
      features: ['has_elevator', 'is_seaside'],
      positioning: ['is_corner'],
      view: ['sea'],
      flooring: ['marble'],
      location: {
        area_level1: 1,
        area_level2: 11,
        area_level3: 111,
        postal_code: '10680',
        address: 'Σόλωνος 5',
        latitude: 37.98,
        longitude: 23.73,
        display_address: 'fake',
      },
      details: {
        heating_type: 'central',
        land_size: 120.5,
        thermal_break: true,
        assignment_expires: '2027-01-31',
      },
      'the service': { energy_class: 'app', has_keys: true, tenant_contact_id: 2, yield: 4.25 },
    }
    const changes: Record<string, unknown>[] = [
      {},
      // Keeps fields that land does not have.
      { category: 'land' },
      { category: 'land', rooms: 5, subcategory: 'plot' },
      { category: 'commercial' },
      { price: null },
      { price_per_sqm: 7 },
      { price_per_sqm: null },
      { location: null },
      { location: { latitude: null } },
      { location: { longitude: null, display_address: 'none' } },
      { location: { display_address: 'real' } },
      { location: { latitude: 0, longitude: 0 } },
      { location: { address: null } },
      { details: null, 'the service': null },
      { details: { thermal_break: false, heating_type: null } },
      { tags: [], contacts: null, features: null },
      { title: null, notes: '' },
      { title: 'English', language_id: 2 },
      { title: null, description: null },
      { subcategory: null },
      { availability: 'shortterm', extra: { shortterm_unit: 'per_day' } },
    ]
    for (const change of changes) {
      const id = await createListing(full)
      const { status } = await put(`/api/listings/${id}`, change)
      expect(status, JSON.stringify(change)).toBe(200)
    }
    await createListing()
    for (const id of [1, 3]) await post(`/api/listings/${id}/status`, { to: 'active' })
    await post('/api/listings/3/status', { to: 'deleted' })
    await remove('/api/contacts/2')
    await expectRoundTrip()
  })

  it('comes back as it was: imported listings with pictures', async () => {
    await seedAgency()
    await importRecords([
      [
        'listings',
        {
          ...minimalListing,
          id: 70,
          code: 'X',
          status: 'archived',
          photos: [
            {
              original_image: 'photos/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.jpg',
              watermark_image: 'photos/bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.jpg',
            },
            { original_image: null, watermark_image: 'https://cdn.example/c.jpg' },
          ],
          panorama_photos: [{ image: 'photos/99999999999999999999999999999999.jpg', thumb: null }],
          floor_configuration: [{ b: 1.5, a: [null, 'ά'] }, {}],
        },
      ],
      ['contacts', { id: 90, company_name: 'ΑΕ', is_company: true, address: { street: 'Σόλωνος' } }],
    ])
    const text = await expectRoundTrip()
    expect(text).toContain('photos/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.jpg')
    expect(text).not.toContain(ORIGIN)
  })

  it('comes back as it was: every entity there is', { timeout: 60_000 }, async () => {
    const demo = Array.from(demoLines({ contacts: 40, listings: 40 }), (line) => JSON.stringify(line))
    const exported = new Set<string>()
    for (const fill of [
      () => importText(demo.join('\n')),
      () => seedLines().then(() => importRecords(RECORDS)),
    ]) {
      await emptyService()
      await fill()
      for (const { entity } of await exportLines()) exported.add(entity)
      await expectRoundTrip()
    }
    expect(exported).toEqual(new Set(ENTITIES.map(({ name }) => name)))
  })

  it('has every record, however many, in the order of their ids', async () => {
    const count = 1234
    const stores = Array.from({ length: count }, (_, index) =>
      JSON.stringify({
        entity: 'stores',
        data: {
          id: (index + 1) * 3,
          name: `S${index}`,
          watermark_url: null,
          phone: null,
          email: null,
          address: null,
          url: null,
        },
      }),
    )
    await importText(stores.toReversed().join('\n'), 500)
    expect(await exportText()).toBe(`${stores.join('\n')}\n`)
  })

  it('speaks of stored pictures by their keys, whatever the origin', async () => {
    await seedAgency()
    await importRecords([
      [
        'listings',
        {
          ...minimalListing,
          id: 1,
          photos: [{ original_image: 'photos/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.jpg' }],
        },
      ],
    ])
    const request = new Request('http://other.test/admin/export', { headers: bearer(ADMIN_TOKEN) })
    const elsewhere = await sendTo(
      { PUBLIC_BASE_URL: 'https://cdn.example', PICTURES_BASE_URL: 'https://pictures.example' },
      request,
    )
    expect(await textOf(elsewhere)).toBe(await exportText())
  })

  it('holds no keys', async () => {
    const { body } = await post('/admin/keys', { name: 'hidden', scopes: ['*:read'] })
    const text = await exportText()
    for (const secret of [body.data.key, body.data.id, 'hidden']) expect(text).not.toContain(secret)
  })

  it('taken while others write imports whole', { timeout: 60_000 }, async () => {
    await seedAgency()
    await importRecords([
      ['request_statuses', { id: 1, name: 'Open' }],
      ...Array.from({ length: 150 }, (_, index): [string, Record<string, unknown>] => [
        'contacts',
        { id: index + 10, first_name: `A${index}` },
      ]),
      ['listings', { ...minimalListing, id: 5, details: { wcs: 2 }, tags: [] }],
      ['listings', { ...minimalListing, id: 6 }],
    ])
    const answer = await send('GET', '/admin/export', { headers: bearer(ADMIN_TOKEN) })
    const decoder = new TextDecoder()
    let text = ''
    let isWritten = false
    for await (const chunk of answer.body ?? []) {
      text += decoder.decode(chunk, { stream: true })
      if (isWritten || !text.includes('"entity":"listings"')) continue
      isWritten = true
      // Below what is written already: a new tag, a contact with it, an edited one, and a deleted one; something cleared.
      await put('/api/listings/5', { details: { wcs: null } })
      await importRecords([['contact_tags', { id: 7, name: 'New' }]])
      const { body } = await post('/api/contacts', { first_name: 'New', tags: [7] })
      await put('/api/contacts/12', { first_name: 'Edited' })
      await remove('/api/contacts/13')
      const request = {
        availability: 'sale',
        category: 'land',
        locations: [1],
        users: [1],
        created_by: 1,
        store_id: 1,
      }
      expect((await post('/api/requests', { ...request, contacts: [body.created_id] })).status).toBe(200)
    }
    const whole = await exportText()
    expect(isWritten).toBe(true)
    expect(text.split('\n').length).toBeLessThan(2 * whole.split('\n').length)
    await emptyService()
    // In one call: every record that a line refers to is above it.
    await importText(text)
    expect(await exportText()).toBe(whole)
  })

  it('is a stream that ends in an error when the database fails on the way', async () => {
    await seedAgency()
    let reads = 0
    const breaking = databaseOf({
      prepare: (text: string) => {
        if (++reads > 40) throw new Error('gone')
        return env.DB.prepare(text)
      },
    })
    const answer = await send('GET', '/admin/export', { headers: bearer(ADMIN_TOKEN) }, { DB: breaking })
    await expect(answer.arrayBuffer()).rejects.toThrow()
  })
})
