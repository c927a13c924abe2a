/** The pages with listings: what each reads from Estia, and what it shows. */
import type { Child } from 'hono/jsx'
import type { EnquiryState } from './components/enquiry-form.tsx'
import type { Page } from './components/layout.tsx'
import { mapData } from './components/map.tsx'
import { photoOf } from './components/photo.tsx'
import { FORM_FACETS } from './components/search-form.tsx'
import type { Estia, Filters, Listing, Municipality } from './estia.ts'
import { joined, kind, place, price, words } from './format.ts'
import { Home } from './pages/home.tsx'
import { ListingView } from './pages/listing.tsx'
import { Office } from './pages/office.tsx'
import { Results, titleOf } from './pages/search.tsx'
import { filtersOf, PAGE_SIZE, queryOf, type Search, SORTS } from './search.ts'
import { photoBases, type Settings } from './settings.ts'
import { type Language, texts } from './texts.ts'

/** How many listings the first page shows, the one above all included. */
const NEWEST = 7
const SIMILAR = 4
/** How much cheaper or dearer similar listings are. */
const SIMILAR_PRICE = 0.35
/** How much detail the map of a whole search has at first. */
const FIRST_ZOOM = 9
const DESCRIPTION_LENGTH = 160

/** Who asks for a page, and where it is. */
export interface Visit {
  env: Settings
  estia: Estia
  language: Language
  site: string
}

/** A page with its content. */
export interface View {
  page: Page
  body: Child
}

export async function showHome({ env, estia, language, site }: Visit): Promise<View> {
  const newest = { has_photos: true, sort: '-date_listed', per_page: NEWEST } as const
  const [{ data: homes }, { data: all }, facets, languages, labels] = await Promise.all([
    // The newest home stands above all, rather than a plot or a parking space.
    estia.find({ ...newest, category: 'residential', per_page: 1 }),
    estia.find(newest),
    estia.count({}, ['availability', 'area_level2', 'subcategory']),
    estia.languages(),
    estia.labels(language),
  ])
  const t = texts[language]
  const ids = new Set(homes.map(({ id }) => id))
  const listings = [...homes, ...all.filter(({ id }) => !ids.has(id))].slice(0, NEWEST)
  const image = imageOf(listings[0], env)
  return {
    page: {
      language,
      site,
      path: '/',
      title: t.tagline,
      description: `${t.intro} ${t.siteDescription}`,
      image,
    },
    body: <Home {...{ listings, facets, language, languages, labels }} estia={photoBases(env)} />,
  }
}

/** The results of a search. */
export async function showSearch(visit: Visit, search: Search): Promise<View> {
  const { env, estia, language, site } = visit
  const filters = filtersOf(search)
  const isMap = search.view === 'map'
  const [result, facets, features, languages, labels, cells, places] = await Promise.all([
    estia.find({ ...filters, sort: SORTS[search.sort ?? 'newest'], page: search.page, per_page: PAGE_SIZE }),
    estia.count(filters, FORM_FACETS),
    estia.features(language),
    estia.languages(),
    estia.labels(language),
    isMap ? estia.map({ ...filters, zoom: FIRST_ZOOM }) : null,
    isMap ? placesOf(visit) : [],
  ])
  const { availability, category, subcategory, area, store } = search
  const names = {
    area:
      area === undefined
        ? undefined
        : (facets.area_level2?.find(({ value }) => value === area)?.[`name_${language}`] ??
          (await estia.place(area, language)) ??
          undefined),
    store: store === undefined ? undefined : (await estia.stores()).find(({ id }) => id === store)?.name,
  }
  const map = cells && mapData(env, language, { cells, places, query: filters })
  const isSimple = queryOf(search) === queryOf({ availability, category, subcategory, area })
  return {
    page: {
      language,
      site,
      path: `/search${queryOf(search)}`,
      title: titleOf(search, names, labels, language),
      // Other combinations of filters are too many for search engines.
      isHidden: !isSimple,
      hasMap: map !== null,
      current: availability === 'sale' || availability === 'rent' ? availability : 'search',
    },
    body: (
      <Results
        {...{ search, result, facets, features, names, map, language, languages, labels }}
        estia={photoBases(env)}
      />
    ),
  }
}

/** Null if there is no such listing. */
export async function showListing(visit: Visit, id: number, enquiry: EnquiryState): Promise<View | null> {
  const { env, estia, language, site } = visit
  const listing = await estia.read(id)
  if (!listing) return null
  const [similar, stores, features, languages, labels, schema, places] = await Promise.all([
    findSimilar(estia, listing),
    estia.stores(),
    estia.features(language),
    estia.languages(),
    estia.labels(language),
    estia.schema(id, language),
    placesOf(visit),
  ])
  const { title, description } = words(listing, language, languages, labels)
  const about = joined([kind(listing, language, labels), place(listing, language)], ', ')
  const summary = joined([about, price(listing, language), description], '. ')
  const map = mapOf(visit, listing, places)
  return {
    page: {
      language,
      site,
      path: `/listings/${id}`,
      title,
      description: summary.replace(/\s+/g, ' ').slice(0, DESCRIPTION_LENGTH),
      image: imageOf(listing, env),
      schema,
      hasMap: map !== null,
      hasGallery: listing.photos.length > 0,
      // What was typed is in the page.
      isHidden: enquiry.form !== undefined,
    },
    body: (
      <ListingView
        {...{ listing, similar, features, map, enquiry, language, languages, labels }}
        store={stores.find((store) => store.id === listing.store_id)}
        estia={photoBases(env)}
      />
    ),
  }
}

export async function showOffice({ estia, language, site }: Visit, enquiry: EnquiryState): Promise<View> {
  const stores = await estia.stores()
  const { officeTitle: title, officeText: description } = texts[language]
  return {
    page: {
      language,
      site,
      path: '/office',
      title,
      description,
      current: 'office',
      isHidden: enquiry.form !== undefined,
    },
    body: <Office {...{ stores, enquiry, language }} />,
  }
}

/** Others of the same kind: at a similar price in the municipality, then at such a price anywhere, then at any price. */
async function findSimilar(estia: Estia, listing: Listing): Promise<Listing[]> {
  const { category, availability, price: amount, location } = listing
  const find = async (more: Filters) =>
    (await estia.find({ category, availability, sort: '-date_listed', per_page: SIMILAR + 1, ...more })).data
  const price = amount === null ? undefined : around(amount)
  const [near, alike] = await Promise.all([
    location.area_level2 ? find({ price, area_level2: location.area_level2.id }) : [],
    find({ price }),
  ])
  const others = [...near, ...alike]
  // The listing itself is among them.
  if (new Set(others.map(({ id }) => id)).size <= SIMILAR && price) others.push(...(await find({})))
  const byId = new Map(others.map((other) => [other.id, other]))
  byId.delete(listing.id)
  return [...byId.values()].slice(0, SIMILAR)
}

const around = (amount: number) => ({
  min: Math.floor(amount * (1 - SIMILAR_PRICE)),
  max: Math.ceil(amount * (1 + SIMILAR_PRICE)),
})

/** The map of one listing; null if no point is shown. */
function mapOf({ env, language }: Visit, { id, price: amount, location }: Listing, places: Municipality[]) {
  const { latitude, longitude, precision } = location
  if (latitude === null || longitude === null || precision === 'area') return null
  const cells = [{ latitude, longitude, precision, count: 1, id, price: amount }]
  return mapData(env, language, { cells, places })
}

/** The names on a map, which tiles would have. */
const placesOf = async ({ env, estia, language }: Visit) =>
  env.MAP_TILES ? [] : estia.municipalities(language)

const imageOf = (listing: Listing | undefined, env: Settings) => {
  const image = listing?.photos[0]?.image
  return image && photoOf(image, photoBases(env), 1280)
}
