/** The table of Kyero's elements, line by line, and what has no place in it. */
import { describe, expect, it } from 'vitest'
import { ALL_SUBCATEGORIES, belongsTo, CATEGORIES } from '../../src/catalogue/property-enums.ts'
import { type REASONS, whyLeftOut } from '../../src/feeds/kyero/left-out.ts'
import { type KyeroSettings, PROPERTY, propertyXml } from '../../src/feeds/kyero/property.ts'
import { kyeroType } from '../../src/feeds/kyero/types.ts'
import type { FeedListing } from '../../src/feeds/listing.ts'

const place = (id: number, name_en: string) => ({
  ...{ id, name_el: 'Ελλάδα', name_en, full_name_el: 'Ελλάδα', full_name_en: name_en },
})

const location = {
  area_level1: place(1, 'Attica'),
  area_level2: place(11, 'Kifisia'),
  area_level3: null,
  address: null,
  address_en: null,
  postal_code: null,
  latitude: null,
  longitude: null,
  precision: 'area',
}

/** A listing that has no more than it must. */
const bare = {
  id: 7,
  code: 'RES-00007',
  category: 'residential',
  availability: 'sale',
  subcategory: 'apartment',
  price: 250_000,
  has_hidden_price: false,
  shortterm_unit: null,
  size: null,
  land_size: null,
  rooms: null,
  bathrooms: null,
  year_built: null,
  property_condition: null,
  energy_class: null,
  date_updated: '2026-02-03 04:05:06',
  video_url: null,
  virtual_tour_url: null,
  panorama_tour_url: null,
  location,
  features: [],
  positioning: [],
  view: [],
  flooring: [],
  photos: [],
  translations: [],
} as unknown as FeedListing

const settings: KyeroSettings = {
  languages: [
    { id: 1, code: 'el' },
    { id: 2, code: 'en' },
    { id: 3, code: 'de' },
  ],
  pageUrl: null,
  year: 2026,
}

type Values = Partial<Record<keyof FeedListing, unknown>>

const listingWith = (values: Values) =>
  ({ ...bare, ...values, location: { ...location, ...(values.location as object) } }) as FeedListing

/** What an element contains; null if the property has none. */
function written(element: string, values: Values, more: Partial<KyeroSettings> = {}): string | null {
  const xml = propertyXml(listingWith(values), { ...settings, ...more }).replaceAll('\n', '')
  return new RegExp(`<${element}>(.*)</${element}>`).exec(xml)?.[1] ?? null
}

const text = (language_id: number, title: string | null, description: string | null) => ({
  translations: [{ language_id, title, description }],
})
const photos = (count: number) => ({
  photos: Array.from({ length: count }, (_, index) => ({
    image: `https://p.example/${index}.jpg`,
    kind: 'photo',
  })),
})
const image = (id: number, url: string, tags = '') => `<image id="${id}"><url>${url}</url>${tags}</image>`
const point = (latitude: number, longitude: number) => ({ location: { latitude, longitude } })
const pageUrl = 'https://a.example/{language}/l/{id}'
const long = (length: number) => `https://v.example/${'x'.repeat(length - 18)}`

type Case = [values: Values, content: string | null, settings?: Partial<KyeroSettings>]

/** Cases of each line of the table: what its element contains; null if the property has none. */
const LINES: Record<string, Case[]> = {
  id: [[{ id: 2 ** 40 }, '1099511627776']],
  date: [[{}, '2026-02-03 04:05:06']],
  ref: [
    [{}, 'RES-00007'],
    [{ code: null }, '7'],
    [{ code: '😀'.repeat(256) }, '😀'.repeat(255)],
  ],
  price: [[{ price: 99_999_999 }, '99999999']],
  currency: [[{}, 'EUR']],
  price_freq: [
    [{}, 'sale'],
    [{ availability: 'rent' }, 'month'],
    [{ availability: 'shortterm', shortterm_unit: 'per_month' }, 'month'],
  ],
  new_build: [
    [{}, '0'],
    [{ year_built: 2024 }, '0'],
    [{ year_built: 2025 }, '1'],
    [{ year_built: 2026 }, '1'],
    [{ year_built: 1960, property_condition: 'under_construction' }, '1'],
    [{ property_condition: 'new' }, '0'],
  ],
  type: [
    [{}, 'Apartment'],
    [{ category: 'land', subcategory: null }, 'Land'],
  ],
  town: [[{}, 'Kifisia']],
  province: [[{}, 'Attica']],
  country: [[{}, 'Greece']],
  location: [
    [{}, null],
    [point(38.0741234567, -24.5), '<latitude>38.074123457</latitude><longitude>-24.5</longitude>'],
    [point(40, 0.0000001), '<latitude>40</latitude><longitude>0.0000001</longitude>'],
    [
      point(-89.123456789123, -179.123456789123),
      '<latitude>-89.123456789</latitude><longitude>-179.123456789</longitude>',
    ],
  ],
  location_detail: [
    [{}, null],
    [{ location: { area_level3: place(111, 'Nea') } }, 'Nea'],
    [{ location: { area_level3: place(111, 'ά'.repeat(60)) } }, `${'ά'.repeat(50)}`],
  ],
  beds: [
    [{}, '0'],
    [{ rooms: 3 }, '3'],
  ],
  baths: [
    [{}, '0'],
    [{ bathrooms: 2 }, '2'],
  ],
  pool: [
    [{ features: ['elevator'] }, '0'],
    [{ features: ['private_pool'] }, '1'],
    [{ features: ['elevator', 'shared_pool'] }, '1'],
  ],
  surface_area: [
    [{}, '<built>0</built><plot>0</plot>'],
    [{ size: 84.5, land_size: 999.49 }, '<built>85</built><plot>999</plot>'],
  ],
  energy_rating: [
    ...Object.entries({
      ...{ app: 'A', ap: 'A', a: 'A', bp: 'B', b: 'B', c: 'C', d: 'D', e: 'E', f: 'F', g: 'G' },
      pending: 'X',
    }).map(
      ([energy_class, letter]): Case => [
        { energy_class },
        `<consumption>${letter}</consumption><emissions>X</emissions>`,
      ],
    ),
    [{}, '<consumption>X</consumption><emissions>X</emissions>'],
  ],
  url: [
    [{}, null],
    [{}, '<en>https://a.example/en/l/7</en><de>https://a.example/de/l/7</de>', { pageUrl }],
    [{}, null, { pageUrl, languages: [{ id: 1, code: 'el' }] }],
    [
      {},
      '<en>https://a.example/en-GB/l/7</en>',
      {
        pageUrl,
        languages: [
          { id: 2, code: 'en-GB' },
          { id: 3, code: 'en' },
        ],
      },
    ],
    [
      {},
      '<en>https://a.example/l?a=1&amp;id=7</en>',
      { pageUrl: 'https://a.example/l?a=1&id={id}', languages: [{ id: 2, code: 'en' }] },
    ],
  ],
  video_url: [
    [{}, null],
    [{ video_url: 'https://v.example/?a&b' }, 'https://v.example/?a&amp;b'],
    [{ video_url: long(255) }, `${long(255)}`],
    [{ video_url: long(256) }, null],
    [{ video_url: 'On request' }, null],
  ],
  virtual_tour_url: [
    [{}, null],
    [{ virtual_tour_url: 'https://t.example/1' }, 'https://t.example/1'],
    [
      { virtual_tour_url: 'https://t.example/1', panorama_tour_url: 'https://e.example/tours/2' },
      'https://e.example/tours/2',
    ],
  ],
  desc: [
    [text(2, 'Flat', 'Sunny.'), '<en>Flat&#13;&#13;Sunny.</en>'],
    [text(2, 'Flat', null), '<en>Flat</en>'],
    [text(3, null, 'a\r\nb\rc'), '<de>a&#13;b&#13;c</de>'],
    [
      text(2, 'A &amp; B', '<p>One<br/>two &lt; 3 &euro;</p><script>alert(1)</script><ul><li>x</li></ul>'),
      '<en>A &amp; B&#13;&#13;One&#13;two &lt; 3 €&#13;x</en>',
    ],
    [text(2, 'a\u0000\u0007\u009Fb\uD800c\t\uFFFEd', null), '<en>abc d</en>'],
    [text(2, ']]>', 'a <!-- b'), '<en>]]&gt;&#13;&#13;a &lt;!-- b</en>'],
    // There is no Greek, so that it is made.
    [text(1, 'Διαμέρισμα', null), '<en>Apartment, Kifisia, Attica</en>'],
    [
      { size: 84.5, rooms: 1, location: { area_level3: place(111, 'Nea') } },
      '<en>Apartment, 85 m², 1 bedroom, Nea, Kifisia, Attica</en>',
    ],
    [text(2, '<p></p>', '&nbsp;'), '<en>Apartment, Kifisia, Attica</en>'],
    [text(3, 'Wohnung', null), '<en>Apartment, Kifisia, Attica</en>', { languages: [] }],
  ],
  features: [
    [{}, null],
    [
      { features: ['ev_charger'], positioning: ['corner'], view: ['sea_view'], flooring: ['tile'] },
      '<feature>Electric vehicle charger</feature><feature>Corner</feature>' +
        '<feature>Sea view</feature><feature>Tile</feature>',
    ],
    [{ features: ['x'.repeat(36)] }, `<feature>${'x'.repeat(35)}</feature>`],
  ],
  images: [
    [{}, null],
    [
      { photos: [...photos(1).photos, { image: 'https://p.example/plan.jpg?a&b', kind: 'floor_plan' }] },
      `${image(1, 'https://p.example/0.jpg')}${image(
        2,
        'https://p.example/plan.jpg?a&amp;b',
        '<tags><tag>floorplan</tag></tags>',
      )}`,
    ],
    [
      photos(51),
      `${photos(50)
        .photos.map(({ image: url }, index) => image(index + 1, url))
        .join('')}`,
    ],
  ],
}

describe('a property', () => {
  it('has a case for each line of the table', () => {
    expect(Object.keys(LINES)).toEqual(Object.keys(PROPERTY))
  })

  it.each(
    Object.entries(LINES).flatMap(([element, cases]) =>
      cases.map(([values, content, more], index) => [element, index + 1, values, content, more] as const),
    ),
  )('has %s, case %i', (element, _, values, content, more) => {
    expect(written(element, values, more)).toBe(content)
  })
})

describe('the type of a property', () => {
  const TYPES: Record<string, string[]> = {
    Apartment: ['apartment', 'loft'],
    'Town house': ['maisonette'],
    Villa: ['detached', 'villa'],
    'Country house': ['farmhouse'],
    Land: ['plot', 'parcel', 'island'],
    Garage: ['parking'],
    'Commercial property': [
      ...['residential_building', 'apartment_complex', 'office', 'store', 'warehouse', 'hotel'],
      ...['commercial_building', 'hall', 'industrial_space', 'craft_space', 'other_commercial'],
    ],
  }

  it.each(ALL_SUBCATEGORIES)('of %s is that of the table', (subcategory) => {
    const category = CATEGORIES.find((one) => belongsTo(subcategory, one)) ?? 'other'
    const [type = null] = Object.entries(TYPES).find(([, names]) => names.includes(subcategory)) ?? []
    expect(kyeroType({ category, subcategory })).toBe(type)
  })
})

describe('a listing is left out', () => {
  it.each<[Values, keyof typeof REASONS | null]>([
    [{}, null],
    [{ price: null }, 'no_price'],
    [{ price: 0 }, 'no_price'],
    [{ price: null, has_hidden_price: true }, 'hidden_price'],
    [{ price: 99_999_999 }, null],
    [{ price: 100_000_000 }, 'price_digits'],
    [{ availability: 'rent' }, null],
    [{ availability: 'auction' }, 'auction'],
    [{ availability: 'shortterm', shortterm_unit: 'per_month' }, null],
    ...[null, 'per_day', 'per_week', 'per_season', 'per_year'].map(
      (shortterm_unit): [Values, 'shortterm'] => [{ availability: 'shortterm', shortterm_unit }, 'shortterm'],
    ),
    [{ location: { area_level2: null } }, 'no_area'],
    [{ location: { area_level1: null } }, 'no_area'],
    [{ subcategory: 'houseboat' }, 'no_type'],
    // The first reason counts.
    [{ price: null, availability: 'auction', subcategory: null }, 'no_price'],
  ])('if %o: %s', (values, reason) => {
    expect(whyLeftOut(listingWith(values))).toBe(reason)
  })
})
