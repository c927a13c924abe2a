/**
 * A listing as a document of schema.org, which search engines and other programs read in pages.
 *
 *     const document = toSchemaOrg(listing, { isExactAddress, language, url })
 *
 * Made of what visitors see. Keys without a value are absent. Vocabulary: https://schema.org/version/latest.
 */
import type { z } from 'zod'
import { FEATURE_GROUPS, featureKey } from '../../../catalogue/features.ts'
import type { Subcategory } from '../../../catalogue/property-enums.ts'
import { withoutUndefined } from '../../../fields/values.ts'
import { withoutHtml } from './plain-text.ts'
import type { publicListing } from './present.ts'

export type Listing = z.output<typeof publicListing>
type Json = Record<string, unknown>

interface Language {
  id: number
  code: string
}

/** What the document says beside the listing. */
export interface DocumentOptions {
  /** Whether the shown address is the real one. */
  isExactAddress: boolean
  /** The language of texts and names; null if the agency has none. Names of places are Greek or English. */
  language: Language | null
  /** The page of the listing on the agency's website; null if it is unknown. */
  url: string | null
}

/** Radius of the circle in which the property is, around the public point, in metres. */
const CIRCLE = 500

/** Kinds of property by subcategory. Other dwellings are an `Accommodation`, and everything else is a `Place`. */
const TYPES: Partial<Record<Subcategory, string>> = {
  apartment: 'Apartment',
  loft: 'Apartment',
  maisonette: 'House',
  farmhouse: 'House',
  detached: 'SingleFamilyResidence',
  villa: 'SingleFamilyResidence',
}

/** Codes of UN/CEFACT for the period of a rent. There is none for a season. */
const PERIODS: Partial<Record<NonNullable<Listing['shortterm_unit']>, string>> = {
  per_day: 'DAY',
  per_week: 'WEE',
  per_month: 'MON',
  per_year: 'ANN',
}

const SELL = 'http://purl.org/goodrelations/v1#Sell'
const LEASE_OUT = 'http://purl.org/goodrelations/v1#LeaseOut'

/** The document of a listing. */
export function toSchemaOrg(listing: Listing, options: DocumentOptions): Json {
  const { language, url } = options
  const text = textOf(listing, language)
  return compact({
    '@context': 'https://schema.org',
    '@type': 'RealEstateListing',
    url,
    identifier: listing.code,
    name: plainText(text?.title),
    description: plainText(text?.description),
    inLanguage: text ? language?.code : null,
    datePosted: listing.date_listed && toIso(listing.date_listed),
    dateModified: toIso(listing.date_updated),
    // A place has no property for floor plans.
    image: listing.photos
      .filter(({ kind }) => kind === 'photo' || typeOf(listing) === 'Place')
      .map(imageOf(language)),
    mainEntity: propertyOf(listing, options),
    offers: offerOf(listing),
  })
}

/** What is offered. */
function typeOf({ category, subcategory }: Listing): string {
  if (category !== 'residential') return 'Place'
  return (subcategory && TYPES[subcategory]) ?? 'Accommodation'
}

/** The property. Only dwellings have the fields of `Accommodation`. */
function propertyOf(listing: Listing, { isExactAddress, language }: DocumentOptions): Json {
  const type = typeOf(listing)
  const plans = listing.photos.filter(({ kind }) => kind === 'floor_plan')
  const dwelling = {
    floorSize: squareMetres(listing.size),
    numberOfBedrooms: listing.rooms,
    numberOfBathroomsTotal: listing.bathrooms,
    floorLevel: listing.floor === null ? null : String(listing.floor),
    yearBuilt: listing.year_built,
    accommodationFloorPlan: plans.map((plan) => ({
      '@type': 'FloorPlan',
      layoutImage: imageOf(language)(plan),
    })),
  }
  const sizes = [
    ...(type === 'Place' ? [namedSize('size', listing.size)] : []),
    namedSize('land size', listing.land_size),
  ]
  return compact({
    '@type': type,
    identifier: listing.code,
    address: addressOf(listing, isExactAddress, language?.code),
    containedInPlace: neighbourhoodOf(listing, language?.code),
    geo: geoOf(listing),
    ...(type === 'Place' ? {} : dwelling),
    amenityFeature: FEATURE_GROUPS.flatMap((group) =>
      listing[group].map((key) => ({
        '@type': 'LocationFeatureSpecification',
        name: featureKey(group, key)?.[language?.code === 'el' ? 'name_el' : 'name_en'] ?? key,
        value: true,
      })),
    ),
    additionalProperty: sizes.flatMap((size) => size ?? []),
  })
}

/** Country and areas are always known; street and postal code only if the address is real. */
function addressOf({ location }: Listing, isExact: boolean, language?: string): Json {
  return compact({
    '@type': 'PostalAddress',
    addressCountry: 'GR',
    addressRegion: nameOf(location.area_level1, language),
    addressLocality: nameOf(location.area_level2, language),
    streetAddress: isExact ? (language === 'el' ? location.address : location.address_en) : null,
    postalCode: isExact ? location.postal_code : null,
  })
}

function neighbourhoodOf({ location }: Listing, language?: string): Json | null {
  const name = nameOf(location.area_level3, language)
  return name === null ? null : { '@type': 'Place', name }
}

function nameOf(area: Listing['location']['area_level1'], language?: string): string | null {
  return area && (language === 'el' ? area.name_el : area.name_en)
}

function geoOf({ location }: Listing): Json | null {
  const { precision, latitude, longitude } = location
  if (precision === 'area') return null
  const point = { '@type': 'GeoCoordinates', latitude, longitude }
  return precision === 'exact' ? point : { '@type': 'GeoCircle', geoMidpoint: point, geoRadius: CIRCLE }
}

/** A sale or an auction is an offer to sell, anything else a lease. A hidden price is absent, and so is 0. */
function offerOf({ availability, price, shortterm_unit }: Listing): Json {
  const isLease = availability === 'rent' || availability === 'shortterm'
  const amount = price ? { price, priceCurrency: 'EUR' } : null
  if (!isLease) return { '@type': 'Offer', businessFunction: SELL, ...amount }
  const unitCode = availability === 'rent' ? 'MON' : shortterm_unit && PERIODS[shortterm_unit]
  return compact({
    '@type': 'OfferForLease',
    businessFunction: LEASE_OUT,
    priceSpecification: amount && compact({ '@type': 'UnitPriceSpecification', ...amount, unitCode }),
  })
}

function imageOf(language: DocumentOptions['language']) {
  return ({ image, captions, width, height }: Listing['photos'][number]) =>
    compact({
      '@type': 'ImageObject',
      contentUrl: image,
      caption: plainText(captions.find(({ language_id }) => language_id === language?.id)?.caption),
      width: pixels(width),
      height: pixels(height),
    })
}

function textOf({ translations }: Listing, language: DocumentOptions['language']) {
  return translations.find(({ language_id }) => language_id === language?.id)
}

const plainText = (text: string | null | undefined) => text && withoutHtml(text)

const pixels = (value: number | null) => value && { '@type': 'QuantitativeValue', value, unitCode: 'E37' }

const squareMetres = (value: number | null) =>
  value === null ? null : { '@type': 'QuantitativeValue', value, unitCode: 'MTK' }

const namedSize = (name: string, value: number | null) =>
  value === null ? null : { '@type': 'PropertyValue', name, value, unitCode: 'MTK' }

const toIso = (dateTime: string) => `${dateTime.replace(' ', 'T')}Z`

/** An object without what has no value: null, and empty lists and texts. */
function compact(values: Json): Json {
  return Object.fromEntries(
    Object.entries(withoutUndefined(values)).filter(
      ([, value]) => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  )
}

/** The document as text that may stand in a `script` element. */
export function scriptSafeJson(document: Json): string {
  return JSON.stringify(document).replaceAll('<', String.raw`\u003c`)
}
