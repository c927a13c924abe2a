/** Reads from Estia, with the secret key of the website. */
import {
  type BodyOf,
  createVisitorClient,
  EstiaError,
  orThrow,
  type RecordOf,
  type VisitorClient,
  type visitorPaths,
} from 'estia/client'
import { kept } from './cache.ts'
import { Labels } from './labels.ts'
import { estiaUrl, type Settings } from './settings.ts'
import type { Language } from './texts.ts'

export type Listing = RecordOf<'/api/listings', visitorPaths>
export type ListingPage = BodyOf<'get', '/api/listings', visitorPaths>
export type Store = RecordOf<'/api/stores', visitorPaths>
export type Facets = BodyOf<'get', '/api/listings/facets', visitorPaths>['data']
export type MapCells = BodyOf<'get', '/api/listings/map', visitorPaths>['data']
/** A name on the map. */
export interface Municipality {
  name: string
  latitude: number
  longitude: number
}
/** The filters of the list, with its order and page. */
export type Filters = NonNullable<visitorPaths['/api/listings']['get']['parameters']['query']>

/** How long a page waits for a reply. */
const PATIENCE_MS = 8_000
/** What a card shows of a listing. */
const CARD_FIELDS = [
  'id',
  'code',
  'category',
  'subcategory',
  'availability',
  'shortterm_unit',
  'price',
  'size',
  'land_size',
  'rooms',
  'bathrooms',
  'floor',
  'has_hidden_price',
  'location',
  'photos',
  'panorama_photos',
  'translations',
]

/**
 * Sends a request to the service: within the account if there is a binding, otherwise over the Internet.
 * @param visitor the IP address of the visitor, whom Estia then limits by that; empty if it is unknown
 */
export function send(env: Settings, request: Request, visitor: string): Promise<Response> {
  const patient = new Request(request, { signal: AbortSignal.timeout(PATIENCE_MS) })
  if (visitor) patient.headers.set('X-Visitor-Address', visitor)
  return env.ESTIA ? env.ESTIA.fetch(patient) : fetch(patient)
}

/** What the pages read. */
export class Estia {
  private readonly env: Settings
  private readonly visitor: string
  private readonly client: VisitorClient

  /** @param visitor the IP address of the visitor; empty if it is unknown */
  constructor(env: Settings, visitor: string) {
    this.env = env
    this.visitor = visitor
    this.client = createVisitorClient({
      baseUrl: estiaUrl(env),
      key: env.SITE_KEY,
      // A visitor does not wait for long.
      retries: { tries: 2, seconds: 3 },
      fetch: (request) => kept(env, request.url, () => send(env, request, visitor)),
    })
  }

  /** A page of the list, with what cards show. */
  find(filters: Filters): Promise<ListingPage> {
    return orThrow(this.client.get('/api/listings', { query: { fields: CARD_FIELDS, ...filters } }))
  }

  /** A listing; null if visitors may not see it. */
  async read(id: number): Promise<Listing | null> {
    const { data, error } = await this.client.get('/api/listings/{id}', { path: { id } })
    if (data) return data.data
    if (error.status === 404) return null
    throw error
  }

  /** How many listings each value of the search form would find. */
  async count(filters: Filters, facets: string[]): Promise<Facets> {
    return (await orThrow(this.client.get('/api/listings/facets', { query: { ...filters, facets } }))).data
  }

  /** Where the listings are. */
  async map(filters: Filters & { zoom: number }): Promise<MapCells> {
    return (await orThrow(this.client.get('/api/listings/map', { query: filters }))).data
  }

  async stores(): Promise<Store[]> {
    return (await orThrow(this.client.get('/api/stores'))).data
  }

  /** What Estia calls its values. */
  async labels(language: Language): Promise<Labels> {
    return new Labels((await orThrow(this.client.get('/api/enumerations'))).data, language)
  }

  /** The labels of the features, by key. */
  async features(language: Language): Promise<Map<string, string>> {
    const { data } = await orThrow(this.client.get('/api/listings/features'))
    return new Map(data.map((feature) => [feature.key, feature[`name_${language}`]]))
  }

  /** The keys of the features that listings are searched by. */
  async searchedFeatures(): Promise<Set<string>> {
    const { data } = await orThrow(this.client.get('/api/listings/features'))
    return new Set(data.filter(({ group }) => group === 'features').map(({ key }) => key))
  }

  /** The name of a place; null if there is none with this id. */
  async place(id: number, language: Language): Promise<string | null> {
    const { data } = await orThrow(this.client.get('/api/locations'))
    return data.find((place) => place.id === id)?.[`name_${language}`] ?? null
  }

  /** Names of municipalities, each in the middle of its newest listings, for a map without tiles. */
  async municipalities(language: Language): Promise<Municipality[]> {
    const { data } = await this.find({ sort: '-date_listed', per_page: 100, fields: ['location'] })
    const byId = Map.groupBy(data, ({ location }) => location.area_level2?.id)
    return [...byId.values()]
      .toSorted((one, other) => other.length - one.length)
      .flatMap((listings) => {
        const points = listings.flatMap(({ location: { latitude, longitude } }) =>
          latitude === null || longitude === null ? [] : [{ latitude, longitude }],
        )
        const name = listings[0]?.location.area_level2?.[`name_${language}`]
        const mean = (key: keyof (typeof points)[number]) =>
          points.reduce((sum, point) => sum + point[key], 0) / points.length
        return name && points.length > 0
          ? [{ name, latitude: mean('latitude'), longitude: mean('longitude') }]
          : []
      })
  }

  /** The id of each language, by its code. */
  async languages(): Promise<Map<string, number>> {
    const { data } = await orThrow(this.client.get('/api/languages'))
    return new Map(data.map(({ code, id }) => [code, id]))
  }

  /** The listing as schema.org describes it, for search engines; null if the service does not offer that. */
  async schema(id: number, language: Language): Promise<string | null> {
    const address = `${estiaUrl(this.env)}/api/listings/${id}?format=schema.org&language=${language}`
    const headers = { Accept: 'application/ld+json', Authorization: `Bearer ${this.env.SITE_KEY}` }
    const call = () => send(this.env, new Request(address, { headers }), this.visitor)
    const answer = await kept(this.env, address, call).catch(() => null)
    const text = await answer?.text()
    const isSchema = answer?.ok && answer.headers.get('Content-Type')?.includes('application/ld+json')
    // No `<` can end the script element that it stands in.
    return isSchema && text ? text.replaceAll('<', '\\u003c') : null
  }
}

/** Whether Estia has refused a call because of what the visitor asked for. */
export const isRefusal = (error: unknown): boolean => error instanceof EstiaError && error.status === 400
/** Whether the visitor has asked for more than one visitor may. */
export const isTooMany = (error: unknown): boolean => error instanceof EstiaError && error.status === 429
