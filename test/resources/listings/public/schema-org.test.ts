/** A listing as a document of schema.org. */
import { beforeAll, describe, expect, it } from 'vitest'
import { RED } from '../../../../fixtures/pictures.ts'
import { bearer, send } from '../../../http/send.ts'
import { call, type Data, expectError, get, keyWith, post, put, websiteKey } from '../../../support/api.ts'
import { seedAgency } from '../../../support/factories/agency.ts'
import { createActive, createListing } from '../../../support/factories/listing.ts'

const LINKED = 'application/ld+json'

let visitor = ''
let secret = ''

beforeAll(async () => {
  await seedAgency()
  visitor = await websiteKey()
  secret = await keyWith('listings:read')
})

const read = async (id: number, query = '', key = visitor) => {
  const reply = await get(`/api/listings/${id}?format=schema.org${query}`, { key })
  if (reply.status !== 200) throw new Error(JSON.stringify(reply.body))
  return JSON.parse(reply.body) as Data
}

const entityOf = async (id: number, query = '') => (await read(id, query)).mainEntity as Data

const quantity = (value: number, unitCode: string) => ({ '@type': 'QuantitativeValue', value, unitCode })
const property = (name: string, value: number, unitCode: string) => ({
  ...quantity(value, unitCode),
  ...{ '@type': 'PropertyValue', name },
})
/** The width and height of the picture of these tests. */
const SIZE = { width: quantity(4, 'E37'), height: quantity(2, 'E37') }

const PLACE = { area_level1: 1, area_level2: 11, area_level3: 111 }
const POINT = { latitude: 37.9785, longitude: 23.743 }

describe('the document', () => {
  it('is whole for a dwelling, and the same for every key', async () => {
    const id = await createActive({
      title: '<b>Ρετιρέ</b> &lt; 100 τ.μ. </script>',
      description: '<p>Φωτεινό &amp; ήσυχο</p>',
      language_id: 1,
      subcategory: 'apartment',
      price: 200_000,
      size: 85.5,
      rooms: 2,
      bathrooms: 1,
      floor: -0.5,
      year_built: 1980,
      features: ['has_elevator'],
      details: { land_size: 300 },
      location: { ...PLACE, ...POINT, address: 'Ερμού 5', postal_code: '10563', display_address: 'real' },
    })
    await post(`/api/listings/${id}/photos`, { photos: [{ data: RED }, { data: RED }] })
    await put(`/api/listings/${id}/photos/1`, { captions: [{ language_id: 1, caption: '<i>Σαλόνι</i>' }] })
    await put(`/api/listings/${id}/photos/2`, { kind: 'floor_plan' })
    const { photos, date_listed, date_updated, code } = (await get(`/api/listings/${id}`, { key: visitor }))
      .body.data
    const iso = (text: string) => `${text.replace(' ', 'T')}Z`
    const document = await read(id)
    expect(document).toEqual({
      '@context': 'https://schema.org',
      '@type': 'RealEstateListing',
      identifier: code,
      name: 'Ρετιρέ < 100 τ.μ.',
      description: 'Φωτεινό & ήσυχο',
      inLanguage: 'el',
      datePosted: iso(date_listed),
      dateModified: iso(date_updated),
      image: [{ '@type': 'ImageObject', contentUrl: photos[0].image, caption: 'Σαλόνι', ...SIZE }],
      mainEntity: {
        '@type': 'Apartment',
        identifier: code,
        address: {
          '@type': 'PostalAddress',
          addressCountry: 'GR',
          addressRegion: expect.any(String),
          addressLocality: expect.any(String),
          streetAddress: 'Ερμού 5',
          postalCode: '10563',
        },
        containedInPlace: { '@type': 'Place', name: expect.any(String) },
        geo: { '@type': 'GeoCoordinates', ...POINT },
        floorSize: quantity(85.5, 'MTK'),
        numberOfBedrooms: 2,
        numberOfBathroomsTotal: 1,
        floorLevel: '-0.5',
        yearBuilt: 1980,
        accommodationFloorPlan: [
          {
            '@type': 'FloorPlan',
            layoutImage: { '@type': 'ImageObject', contentUrl: photos[1].image, ...SIZE },
          },
        ],
        amenityFeature: [{ '@type': 'LocationFeatureSpecification', name: expect.any(String), value: true }],
        additionalProperty: [property('land size', 300, 'MTK')],
      },
      offers: {
        '@type': 'Offer',
        businessFunction: 'http://purl.org/goodrelations/v1#Sell',
        price: 200_000,
        priceCurrency: 'EUR',
      },
    })
    expect(await read(id, '', secret)).toEqual(document)
    const text = await get(`/api/listings/${id}?format=schema.org`, { key: visitor })
    expect(text.body).toContain(String.raw`\u003c 100`)
    expect(text.body).not.toContain('<')
  })

  it.each<[Data, string]>([
    [{ subcategory: 'apartment' }, 'Apartment'],
    [{ subcategory: 'maisonette' }, 'House'],
    [{ subcategory: 'detached' }, 'SingleFamilyResidence'],
    [{ subcategory: 'villa' }, 'SingleFamilyResidence'],
    [{ subcategory: 'houseboat' }, 'Accommodation'],
    [{}, 'Accommodation'],
    [{ category: 'commercial', subcategory: 'store' }, 'Place'],
    [{ category: 'land', subcategory: 'plot', size: 400 }, 'Place'],
    [{ category: 'other' }, 'Place'],
  ])('%j is about a %s', async (values, type) => {
    const entity = await entityOf(await createActive({ size: 50, ...values }))
    expect(entity['@type']).toBe(type)
    const size = values.size ?? 50
    if (type === 'Place') {
      expect(entity).not.toHaveProperty('floorSize')
      expect(entity.additionalProperty).toEqual([property('size', Number(size), 'MTK')])
    } else expect(entity.floorSize).toEqual(quantity(Number(size), 'MTK'))
  })

  const SALE = { '@type': 'Offer', businessFunction: 'http://purl.org/goodrelations/v1#Sell' }
  const LEASE = { '@type': 'OfferForLease', businessFunction: 'http://purl.org/goodrelations/v1#LeaseOut' }
  const euros = { price: 5, priceCurrency: 'EUR' }
  /** A lease at the price 5, a month, a day or another period. */
  const leased = (availability: string, shortterm_unit?: string, unitCode?: string): [Data, Data] => [
    { availability, price: 5, extra: { shortterm_unit } },
    {
      ...LEASE,
      priceSpecification: {
        '@type': 'UnitPriceSpecification',
        ...euros,
        ...(unitCode ? { unitCode } : {}),
      },
    },
  ]

  it.each<[Data, Data]>([
    ...['sale', 'auction'].map((availability): [Data, Data] => [
      { availability, price: 5 },
      { ...SALE, ...euros },
    ]),
    [{ availability: 'sale', price: 5, extra: { has_hidden_price: true } }, SALE],
    [{ availability: 'sale' }, SALE],
    [{ availability: 'rent' }, LEASE],
    leased('rent', undefined, 'MON'),
    leased('shortterm', 'per_day', 'DAY'),
    leased('shortterm', 'per_week', 'WEE'),
    leased('shortterm', 'per_month', 'MON'),
    leased('shortterm', 'per_year', 'ANN'),
    leased('shortterm', 'per_season'),
    leased('shortterm'),
  ])('%j offers %j', async (values, offer) => {
    expect((await read(await createActive(values))).offers).toEqual(offer)
  })

  const STREET = { address: 'Ερμού 5', postal_code: '10563' }
  const [SHOWN_CODE, SHOWN_STREET] = [
    { postalCode: '10563' },
    { streetAddress: 'Ermou 5', postalCode: '10563' },
  ]
  const EXACT = { '@type': 'GeoCoordinates', ...POINT }
  const [latitude, longitude] = [expect.any(Number), expect.any(Number)]
  const CIRCLE = { '@type': 'GeoCircle', geoMidpoint: { ...EXACT, latitude, longitude }, geoRadius: 500 }

  it.each<[display_address: string, location: Data, address: Data | null, geo?: Data]>([
    ['real', { ...POINT, ...STREET }, SHOWN_STREET, EXACT],
    ['real', STREET, SHOWN_STREET],
    ['real', { postal_code: '10563' }, SHOWN_CODE],
    ['none', { ...POINT, ...STREET }, null],
    ['fake', STREET, null],
    ['fake', { ...POINT, ...STREET }, null, CIRCLE],
  ])('%s, %j shows %j', async (display_address, place, address, geo) => {
    const location = { ...PLACE, ...place, display_address }
    const entity = await entityOf(await createActive({ location }), '&language=en')
    expect(entity.geo).toEqual(geo)
    expect(entity.address).toEqual({
      '@type': 'PostalAddress',
      addressCountry: 'GR',
      addressRegion: expect.any(String),
      addressLocality: expect.any(String),
      ...address,
    })
  })

  it('shows the floor plans of what is no dwelling among its images', async () => {
    const id = await createActive({ category: 'commercial', subcategory: 'store' })
    await post(`/api/listings/${id}/photos`, { photos: [{ data: RED }, { data: RED }] })
    await put(`/api/listings/${id}/photos/2`, { kind: 'floor_plan' })
    expect((await read(id)).image).toHaveLength(2)
  })

  it('is in the language that is asked for, or in the first that has a text', async () => {
    const id = await createActive({ title: 'Flat', language_id: 2, location: PLACE })
    expect(await read(id)).toMatchObject({ name: 'Flat', inLanguage: 'en' })
    const greek = await read(id, '&language=el')
    expect([greek.name, greek.inLanguage]).toEqual([undefined, undefined])
    await put(`/api/listings/${id}`, { title: 'Διαμέρισμα', language_id: 1 })
    expect(await read(id)).toMatchObject({ name: 'Διαμέρισμα', inLanguage: 'el' })
    expect(await read(id, '&language=en')).toMatchObject({ name: 'Flat', inLanguage: 'en' })
    await expectError(
      get(`/api/listings/${id}?format=schema.org&language=xx`, { key: visitor }),
      400,
      'Unknown language xx',
    )
  })

  it('names the page that a sitemap knows', async () => {
    const id = await createActive()
    expect(await read(id)).not.toHaveProperty('url')
    const site = 'https://www.example.com'
    const feed = { name: 'Site', format: 'sitemap', page_url: `${site}/{language}/listings/{id}` }
    const { body } = await call('POST', '/admin/feeds', { body: feed })
    const change = (values: object) => call('PUT', `/admin/feeds/${body.data.id}`, { body: values })
    expect(await read(id, '&language=en')).toMatchObject({ url: `${site}/en/listings/${id}` })
    await change({ languages: ['el'] })
    expect(await read(id, '&language=en')).not.toHaveProperty('url')
    await change({ page_url: `${site}/ακίνητα/{language}/{id}?a=$&` })
    const url = `${site}/%CE%B1%CE%BA%CE%AF%CE%BD%CE%B7%CF%84%CE%B1/el/${id}?a=$&`
    expect(await read(id, '&language=el')).toMatchObject({ url })
    await call('DELETE', `/admin/feeds/${body.data.id}`)
    expect(await read(id, '&language=el')).not.toHaveProperty('url')
  })
})

describe('the choice of the format', () => {
  it.each<[string | undefined, boolean]>([
    [LINKED, true],
    [`${LINKED}, application/json`, true],
    [`application/json;q=0.9, ${LINKED}`, true],
    [`${LINKED};q=0`, false],
    [`${LINKED}, */*;q=0.8`, true],
    [`${LINKED};q=0.8, application/*;q=0.9, application/json;q=0.1`, true],
    ['*/*', false],
    [undefined, false],
  ])('Accept: %s', async (accept, isDocument) => {
    const id = await createActive()
    for (const key of [visitor, secret]) {
      const { status, headers } = await get(`/api/listings/${id}`, {
        key,
        headers: accept === undefined ? {} : { Accept: accept },
      })
      expect(status).toBe(200)
      expect(headers.get('Content-Type')).toBe(isDocument ? LINKED : 'application/json')
      expect(headers.get('Vary')).toMatch(/\bAccept\b/)
    }
  })

  it('is refused if it is unknown, and errors keep their envelope', async () => {
    const id = await createActive()
    const draft = await createListing()
    for (const key of [visitor, secret]) {
      await expectError(
        get(`/api/listings/${id}?format=rdf`, { key }),
        400,
        'Invalid format: must be one of schema.org',
      )
      for (const missing of [99_999, draft]) {
        const reply = get(`/api/listings/${missing}?format=schema.org`, { key })
        await expectError(reply, 404, 'Listing not found')
      }
    }
  })

  it.each([
    ['plain', '', {}],
    ['all fields', '?fields=all', {}],
    ['schema.org', '?format=schema.org', {}],
    ['schema.org by its media type', '', { Accept: LINKED }],
  ])('has a tag that a write accepts until the listing changes: %s', async (_, query, accept) => {
    const id = await createActive()
    const path = `/api/listings/${id}`
    const { headers } = await get(path + query, { key: secret, headers: accept })
    const tag = headers.get('ETag') ?? ''
    const head = await send('HEAD', path + query, { headers: { ...bearer(secret), ...accept } })
    expect(head.headers.get('ETag')).toBe(tag)
    const write = (price: number) => put(path, { price }, { headers: { 'If-Match': `W/${tag}` } })
    expect((await write(11)).status).toBe(200)
    await expectError(write(12), 412, 'The record has changed')
  })
})
