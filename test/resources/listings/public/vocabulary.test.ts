/** The documents of listings keep the rules of schema.org. */
import { expect, it } from 'vitest'
import { get, importRecords, websiteKey } from '../../../support/api.ts'
import { demoLines } from '../../../support/demo.ts'

type Json = Record<string, unknown>

/**
 * The types used, with their ancestors, and the types that each property belongs to and takes, as of release 29 of
 * https://schema.org. A test of the whole vocabulary would be no stricter about these.
 */
const ANCESTORS: Record<string, string> = {
  RealEstateListing: 'WebPage',
  WebPage: 'CreativeWork',
  CreativeWork: 'Thing',
  Apartment: 'Accommodation',
  House: 'Accommodation',
  SingleFamilyResidence: 'House',
  Accommodation: 'Place',
  Place: 'Thing',
  Offer: 'Intangible',
  OfferForLease: 'Offer',
  Intangible: 'Thing',
  UnitPriceSpecification: 'PriceSpecification',
  PriceSpecification: 'StructuredValue',
  StructuredValue: 'Intangible',
  QuantitativeValue: 'StructuredValue',
  PropertyValue: 'StructuredValue',
  LocationFeatureSpecification: 'PropertyValue',
  PostalAddress: 'ContactPoint',
  ContactPoint: 'StructuredValue',
  GeoCoordinates: 'StructuredValue',
  GeoShape: 'StructuredValue',
  GeoCircle: 'GeoShape',
  ImageObject: 'MediaObject',
  MediaObject: 'CreativeWork',
  FloorPlan: 'Intangible',
}

/** A property: the types that have it, and the ranges of its values. */
const PROPERTIES: Record<string, [domains: string[], ranges: string[]]> = {
  name: [['Thing'], ['Text']],
  description: [['Thing'], ['Text']],
  url: [['Thing'], ['URL']],
  identifier: [['Thing'], ['Text', 'URL', 'PropertyValue']],
  image: [['Thing'], ['ImageObject', 'URL']],
  inLanguage: [['CreativeWork'], ['Text']],
  dateModified: [['CreativeWork'], ['DateTime']],
  datePosted: [['RealEstateListing'], ['DateTime']],
  mainEntity: [['CreativeWork'], ['Thing']],
  offers: [['CreativeWork'], ['Offer']],
  contentUrl: [['MediaObject'], ['URL']],
  caption: [['ImageObject'], ['Text', 'MediaObject']],
  width: [['MediaObject'], ['QuantitativeValue']],
  height: [['MediaObject'], ['QuantitativeValue']],
  address: [['Place'], ['PostalAddress', 'Text']],
  containedInPlace: [['Place'], ['Place']],
  geo: [['Place'], ['GeoCoordinates', 'GeoShape']],
  amenityFeature: [['Place'], ['LocationFeatureSpecification']],
  additionalProperty: [['Place'], ['PropertyValue']],
  floorSize: [['Accommodation', 'FloorPlan'], ['QuantitativeValue']],
  numberOfBedrooms: [
    ['Accommodation', 'FloorPlan'],
    ['Number', 'QuantitativeValue'],
  ],
  numberOfBathroomsTotal: [['Accommodation', 'FloorPlan'], ['Number']],
  floorLevel: [['Accommodation'], ['Text']],
  yearBuilt: [['Accommodation'], ['Number']],
  accommodationFloorPlan: [['Accommodation'], ['FloorPlan']],
  layoutImage: [['FloorPlan'], ['ImageObject', 'URL']],
  businessFunction: [['Offer'], ['URL']],
  price: [
    ['Offer', 'PriceSpecification'],
    ['Number', 'Text'],
  ],
  priceCurrency: [['Offer', 'PriceSpecification'], ['Text']],
  priceSpecification: [['Offer'], ['PriceSpecification']],
  unitCode: [
    ['QuantitativeValue', 'PropertyValue', 'UnitPriceSpecification'],
    ['Text', 'URL'],
  ],
  value: [
    ['QuantitativeValue', 'PropertyValue'],
    ['Number', 'Boolean', 'Text'],
  ],
  addressCountry: [['PostalAddress'], ['Text']],
  addressRegion: [['PostalAddress'], ['Text']],
  addressLocality: [['PostalAddress'], ['Text']],
  streetAddress: [['PostalAddress'], ['Text']],
  postalCode: [['PostalAddress'], ['Text']],
  latitude: [
    ['GeoCoordinates', 'Place'],
    ['Number', 'Text'],
  ],
  longitude: [
    ['GeoCoordinates', 'Place'],
    ['Number', 'Text'],
  ],
  geoMidpoint: [['GeoCircle'], ['GeoCoordinates']],
  geoRadius: [['GeoCircle'], ['Number', 'Text']],
}

function lineOf(type: string): string[] {
  const parent = ANCESTORS[type]
  return [type, ...(parent ? lineOf(parent) : [])]
}

/** What is wrong with a node of a document. */
function problemsOf(node: Json, at: string): string[] {
  const type = String(node['@type'])
  if (!(type in ANCESTORS)) return [`${at}: there is no ${type}`]
  return Object.entries(node).flatMap(([name, value]) => {
    if (name.startsWith('@')) return []
    const [domains, ranges] = PROPERTIES[name] ?? [[], []]
    const path = `${at}.${name}`
    return [
      ...(domains.some((domain) => lineOf(type).includes(domain)) ? [] : [`${path}: not of ${type}`]),
      ...[value].flat().flatMap((one) => valueProblems(one, ranges, path)),
    ]
  })
}

function valueProblems(value: unknown, ranges: string[], at: string): string[] {
  if (typeof value === 'object' && value !== null) {
    const node = value as Json
    const fits = ranges.some((range) => lineOf(String(node['@type'])).includes(range))
    return [...(fits ? [] : [`${at}: ${node['@type']} does not fit`]), ...problemsOf(node, at)]
  }
  const kinds: Record<string, (text: unknown) => boolean> = {
    Text: (text) => typeof text === 'string' && text.trim() !== '',
    URL: (text) => typeof text === 'string' && URL.canParse(text),
    DateTime: (text) => typeof text === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text),
    Number: (number) => typeof number === 'number' && Number.isFinite(number),
    Boolean: (flag) => typeof flag === 'boolean',
  }
  return ranges.some((range) => kinds[range]?.(value)) ? [] : [`${at}: ${JSON.stringify(value)} does not fit`]
}

it('keeps the rules of the vocabulary for every listing of an agency', { timeout: 120_000 }, async () => {
  const key = await websiteKey()
  const lines = [...demoLines({ contacts: 60, listings: 120 })].map(({ entity, data }): [string, Json] => [
    entity,
    data as Json,
  ])
  const described = lines.map(([entity, data]): [string, Json] =>
    entity === 'listings'
      ? [
          entity,
          {
            ...data,
            photos: [
              {
                original_image: 'photos/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.jpg',
                captions: [{ language_id: 1, caption: 'Α' }],
              },
              { original_image: 'photos/bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.jpg', kind: 'floor_plan' },
            ],
          },
        ]
      : [entity, data],
  )
  for (let at = 0; at < described.length; at += 500) await importRecords(described.slice(at, at + 500))
  const { data } = (await get('/api/listings?per_page=100', { key })).body
  expect(data.length).toBeGreaterThan(30)
  const types = new Set<unknown>()
  for (const { id } of data) {
    for (const language of ['el', 'en']) {
      const path = `/api/listings/${id}?format=schema.org&language=${language}`
      const document = JSON.parse((await get(path, { key })).body)
      expect(problemsOf(document, '')).toEqual([])
      types.add(document.mainEntity['@type'])
    }
  }
  expect([...types].toSorted()).toEqual([
    'Accommodation',
    'Apartment',
    'House',
    'Place',
    'SingleFamilyResidence',
  ])
  expect(problemsOf({ '@type': 'Place', floorSize: 5 }, '')).toEqual([
    '.floorSize: not of Place',
    '.floorSize: 5 does not fit',
  ])
})
