import { beforeEach, describe, expect, it } from 'vitest'
import { minimalRequest } from '../../resources/requests/seed.ts'
import { type Data, importRecords } from '../../support/api.ts'
import { selectFirst } from '../../support/database.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import { minimalListing } from '../../support/factories/listing.ts'
import { numbered } from '../../support/factories/named.ts'
import { emptyAndSeed } from '../../support/storage.ts'
import { importReply } from '../../support/transfer.ts'

beforeEach(() => emptyAndSeed(seedAgency))

async function mistakes(entity: string, ...lines: Data[]): Promise<(string | undefined)[]> {
  const { errors } = await importReply(entity, lines)
  return lines.map((_, index) => errors.find((error: { line: number }) => error.line === index + 1)?.message)
}

async function mistakeOf(entity: string, data: Data): Promise<string | undefined> {
  return (await mistakes(entity, data))[0]
}

async function stored(table: string, id: number): Promise<Data | null> {
  return selectFirst(`select * from ${table} where id = ?`, id)
}

const two = numbered('One', 'Two')

describe('a custom field', () => {
  beforeEach(() =>
    importRecords([
      ['request_statuses', { id: 1, name: 'Open' }],
      ['custom_fields', { id: 1, resource: 'contacts', name: 'One', type: 'select', options: two }],
      ['custom_fields', { id: 2, resource: 'contacts', name: 'Many', type: 'select_multi', options: two }],
      ['custom_fields', { id: 3, resource: 'requests', name: 'Text', type: 'text' }],
      ['custom_fields', { id: 4, resource: 'contacts', name: 'Free', type: 'select', options: two }],
      ['contacts', { id: 10, first_name: 'A', custom_fields: { 1: 1, 2: [1, 2] } }],
      ['contacts', { id: 11, first_name: 'B', custom_fields: { 1: 1, 2: [1] }, is_deleted: true }],
      ['requests', { ...minimalRequest, id: 10, extra_fields: { 3: 'x' } }],
    ]),
  )

  it.each<[Data, string]>([
    [{ id: 1, type: 'text' }, 'Invalid type: 1 is used by 2 contacts'],
    [{ id: 1, type: 'select_multi' }, 'Invalid type: 1 is used by 2 contacts'],
    [{ id: 1, resource: 'requests' }, 'Invalid resource: 1 is used by 2 contacts'],
    [{ id: 1, options: [two[1]] }, 'Invalid options: 1 is used by 2 contacts'],
    [{ id: 2, options: [two[0]] }, 'Invalid options: 2 is used by 1 contact'],
    [{ id: 3, type: 'number' }, 'Invalid type: 3 is used by 1 request'],
    [{ id: 3, options: two }, 'Invalid options: only when type is select or select_multi'],
    [{ id: 4, options: [two[0], two[0]] }, 'Invalid options: id 1 stands twice'],
    [{ id: 4, options: null }, 'Missing options'],
    [{ id: 4, type: 'text', options: [two[0]] }, 'Invalid options: only when type is select or select_multi'],
    [
      { id: 4, options: [{ id: 2 ** 40 + 1, name: 'X' }] },
      'Invalid options.0.id: must be at most 1099511627776',
    ],
  ])('refuses %j', async (data, message) => {
    const before = await stored('custom_fields', Number(data.id))
    expect(await mistakeOf('custom_fields', data)).toBe(message)
    expect(await stored('custom_fields', Number(data.id))).toEqual(before)
  })

  it('may get a name and options, rename them, and lose unused ones', async () => {
    const options = [
      { id: 1, name: 'Uno' },
      { id: 3, name: 'Three' },
    ]
    expect(
      await mistakes(
        'custom_fields',
        { id: 1, name: 'Renamed', options },
        { id: 4, options: [two[1]] },
        { id: 4, type: 'text', resource: 'requests' },
      ),
    ).toEqual([undefined, undefined, undefined])
    expect(await stored('custom_fields', 1)).toMatchObject({
      name: 'Renamed',
      options: JSON.stringify(options),
    })
    expect(await stored('custom_fields', 4)).toMatchObject({
      type: 'text',
      resource: 'requests',
      options: null,
    })
  })
})

describe('a subtype', () => {
  it('keeps its subcategory while listings or requests are of it', async () => {
    await importRecords([
      ['request_statuses', { id: 1, name: 'Open' }],
      ['listings', { ...minimalListing, id: 10, subcategory: 'apartment', subtype: 1 }],
      ['listings', { ...minimalListing, id: 11, subcategory: 'apartment', subtype: 1 }],
      ['requests', { ...minimalRequest, id: 10, subtypes: [1, 2] }],
    ])
    expect(
      await mistakes(
        'listing_subtypes',
        { id: 1, subcategory: 'loft' },
        { id: 2, subcategory: 'loft' },
        { id: 3, subcategory: 'loft' },
        { id: 1, translations: [] },
      ),
    ).toEqual([
      'Invalid subcategory: 1 is used by 2 listings and 1 request',
      'Invalid subcategory: 2 is used by 1 request',
      undefined,
      undefined,
    ])
    expect(await stored('listing_subtypes', 1)).toMatchObject({
      subcategory: 'apartment',
      translations: '[]',
    })
    expect(await stored('listing_subtypes', 3)).toMatchObject({ subcategory: 'loft' })
  })
})

describe('a place', () => {
  it('cannot be moved while it contains places or records', async () => {
    const off = { external: true, area_level1: 2 }
    const deal = { store_id: 1, created_by: 1, currency: 'EUR', listing: off }
    await importRecords([
      ['request_statuses', { id: 1, name: 'Open' }],
      [
        'contract_statuses',
        { id: 1, name: 'S', is_completed: false, is_cancelled: false, bg_color: '#fff', text_color: '#fff' },
      ],
      [
        'listings',
        { ...minimalListing, id: 10, location: { area_level1: 1, area_level2: 11, area_level3: 111 } },
      ],
      ['external_listings', { id: 10, created_by: 1, store_id: 1, location: { area_level3: 112 } }],
      ['requests', { ...minimalRequest, id: 10, locations: [12] }],
      ['offers', { ...deal, id: 10, status: 'draft', is_active: true, current_listing_price: 1 }],
      ['contracts', { ...deal, id: 10, offer_id: 10, status_id: 1 }],
    ])
    expect(
      await mistakes(
        'locations',
        { id: 11, level: 1, parent_id: null },
        { id: 11, parent_id: 2 },
        { id: 111, parent_id: 12 },
        { id: 112, parent_id: 12 },
        { id: 12, parent_id: 2 },
        { id: 2, level: 2, parent_id: 1 },
        { id: 21, parent_id: 1 },
        { id: 11, name_en: 'New name' },
      ),
    ).toEqual([
      'Invalid level: 11 is used by 2 locations and 1 listing',
      'Invalid parent_id: 11 is used by 2 locations and 1 listing',
      'Invalid parent_id: 111 is used by 1 listing',
      'Invalid parent_id: 112 is used by 1 external listing',
      'Invalid parent_id: 12 is used by 1 request',
      'Invalid level: 2 is used by 1 location and 1 offer and 1 contract',
      undefined,
      undefined,
    ])
    expect(await stored('locations', 21)).toMatchObject({ parent_id: 1 })
  })

  it.each<[string, Data[], (string | undefined)[]]>([
    [
      'all of them',
      [
        { id: 111, parent_id: 12 },
        { id: 112, parent_id: 12 },
        { id: 11, level: 1, parent_id: null },
      ],
      [undefined, undefined, undefined],
    ],
    [
      'one of them',
      [
        { id: 111, parent_id: 12 },
        { id: 112, name_en: 'Same place' },
        { id: 11, level: 1, parent_id: null },
      ],
      [undefined, undefined, 'Invalid level: 11 is used by 1 location'],
    ],
  ])('sees what lines above take out of it: %s', async (_, lines, messages) => {
    expect(await mistakes('locations', ...lines)).toEqual(messages)
    const level = messages.at(-1) || messages[0] ? 2 : 1
    expect(await stored('locations', 11)).toMatchObject({ level })
  })
})
