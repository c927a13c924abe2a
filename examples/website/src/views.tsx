/** The pages with listings: what each reads from Estia, and what it shows. */
import type { Child } from 'hono/jsx'
import type { EnquiryState } from './components/enquiry-form.tsx'
import type { Page } from './components/layout.tsx'
import { mapData } from './components/map.tsx'
import { photoOf } from './components/photo.tsx'
import { FORM_FACETS } from './components/search-form.tsx'
import type { Estia, Filters, Listing } from './estia.ts'
import { kind, place, price, words } from './format.ts'
import { Home } from './pages/home.tsx'
import { ListingView } from './pages/listing.tsx'
import { Office } from './pages/office.tsx'
import { Results, titleOf } from './pages/search.tsx'
import { filtersOf, PAGE_SIZE, queryOf, type Search, SORTS } from './search.ts'
import { estiaUrl, type Settings } from './settings.ts'
import { type Language, texts } from './texts.ts'

/** How many listings the first page shows, the one above all included. */
const NEWEST = 7
const SIMILAR = 3
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
  const [{ data: listings }, facets, languages] = await Promise.all([
    estia.find({ has_photos: true, sort: '-date_listed', per_page: NEWEST }),
    estia.count({}, ['availability', 'area_level2', 'subcategory']),
    estia.languages(),
  ])
  const t = texts[language]
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
    body: <Home {...{ listings, facets, language, languages }} estia={estiaUrl(env)} />,
  }
}

export async function showSearch(visit: Visit, search: Search): Promise<View> {
  const { env, estia, language, site } = visit
  const filters = filtersOf(search)
  const [result, facets, features, languages, cells] = await Promise.all([
    estia.find({ ...filters, sort: SORTS[search.sort ?? 'newest'], page: search.page, per_page: PAGE_SIZE }),
    estia.count(filters, FORM_FACETS),
    estia.features(language),
    estia.languages(),
    search.view === 'map' ? estia.map({ ...filters, zoom: FIRST_ZOOM }) : null,
  ])
  const map = cells && mapData(env, language, cells, filters)
  const { availability, category, subcategory, area } = search
  const isSimple = queryOf(search) === queryOf({ availability, category, subcategory, area })
  return {
    page: {
      language,
      site,
      path: `/search${queryOf(search)}`,
      title: titleOf(search, facets, language),
      // Other combinations of filters are too many for search engines.
      isHidden: !isSimple,
      hasMap: map !== null,
      current: availability === 'sale' || availability === 'rent' ? availability : 'search',
    },
    body: (
      <Results {...{ search, result, facets, features, map, language, languages }} estia={estiaUrl(env)} />
    ),
  }
}

/** Null if there is no such listing. */
export async function showListing(visit: Visit, id: number, enquiry: EnquiryState): Promise<View | null> {
  const { env, estia, language, site } = visit
  const listing = await estia.read(id)
  if (!listing) return null
  const [similar, stores, features, languages, schema] = await Promise.all([
    findSimilar(estia, listing),
    estia.stores(),
    estia.features(language),
    estia.languages(),
    estia.schema(id, language),
  ])
  const { title, description } = words(listing, language, languages)
  const summary = `${kind(listing, language)}, ${place(listing, language)}. ${price(listing, language)}. ${description}`
  const map = mapOf(visit, listing)
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
      // What was typed is in the page.
      isHidden: enquiry.form !== undefined,
    },
    body: (
      <ListingView
        {...{ listing, similar, features, map, enquiry, language, languages }}
        store={stores.find((store) => store.id === listing.store_id)}
        estia={estiaUrl(env)}
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

/** Listings of the same kind at a similar price: in the same municipality, or anywhere if there are none. */
async function findSimilar(estia: Estia, listing: Listing): Promise<Listing[]> {
  const { category, availability, price: amount, location } = listing
  const filters: Filters = {
    category,
    availability,
    price: amount === null ? undefined : around(amount),
    sort: '-date_listed',
    per_page: SIMILAR + 1,
  }
  const others = async (more: Filters) =>
    (await estia.find({ ...filters, ...more })).data.filter(({ id }) => id !== listing.id).slice(0, SIMILAR)
  const near = location.area_level2 ? await others({ area_level2: location.area_level2.id }) : []
  return near.length > 0 ? near : others({})
}

const around = (amount: number) => ({
  min: Math.floor(amount * (1 - SIMILAR_PRICE)),
  max: Math.ceil(amount * (1 + SIMILAR_PRICE)),
})

/** The map of one listing; null if no point is shown. */
function mapOf({ env, language }: Visit, { id, price: amount, location }: Listing) {
  const { latitude, longitude, precision } = location
  if (latitude === null || longitude === null || precision === 'area') return null
  return mapData(env, language, [{ latitude, longitude, precision, count: 1, id, price: amount }])
}

const imageOf = (listing: Listing | undefined, env: Settings) => {
  const image = listing?.photos[0]?.image
  return image && photoOf(image, estiaUrl(env), 1280)
}
