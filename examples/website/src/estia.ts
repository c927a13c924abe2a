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
import { Names } from './names.ts'
import { estiaUrl, type Settings } from './settings.ts'
import type { Language } from './texts.ts'

export type Listing = RecordOf<'/api/listings', visitorPaths>
export type ListingPage = BodyOf<'get', '/api/listings', visitorPaths>
export type Store = RecordOf<'/api/stores', visitorPaths>
export type Facets = BodyOf<'get', '/api/listings/facets', visitorPaths>['data']
export type MapCells = BodyOf<'get', '/api/listings/map', visitorPaths>['data']
/** The filters of the list, with its order and page. */
export type Filters = NonNullable<visitorPaths['/api/listings']['get']['parameters']['query']>

/** How long a page waits for a reply. */
const PATIENCE_MS = 8_000
/** How long answers are kept: as long as Estia itself keeps them. */
const KEPT_SECONDS = 30
/** What a card shows of a listing. */
const CARD_FIELDS = [
  ...['id', 'code', 'category', 'subcategory', 'availability', 'shortterm_unit', 'price', 'size'],
  ...['land_size', 'rooms', 'bathrooms', 'floor', 'has_hidden_price', 'location', 'photos'],
  ...['panorama_photos', 'translations'],
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

/** The answer at `url`: one that is kept, so that equal pages cost one call, or what `call` gets. Only success is kept. */
async function kept(env: Settings, url: string, call: () => Promise<Response>): Promise<Response> {
  // Each deployment has a publishable key of its own. The secret one, whose answers these are, is no name for a cache.
  const cache = await caches.open(env.PUBLISHABLE_KEY)
  const known = await cache.match(url)
  if (known) return known
  const answer = await call()
  if (answer.status === 200) {
    const copy = new Response(answer.clone().body, answer)
    copy.headers.set('Cache-Control', `max-age=${KEPT_SECONDS}`)
    // A page does not need it to be kept.
    await cache.put(url, copy).catch((error: unknown) => console.error(error))
  }
  return answer
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

  /** What Estia calls its values, features and languages. */
  async names(language: Language): Promise<Names> {
    const [enumerations, features, languages] = await Promise.all([
      orThrow(this.client.get('/api/enumerations')),
      orThrow(this.client.get('/api/listings/features')),
      orThrow(this.client.get('/api/languages')),
    ])
    return new Names(language, enumerations.data, features.data, languages.data)
  }

  /** The name of a place; undefined if there is none with this id. */
  async place(id: number, language: Language): Promise<string | undefined> {
    const { data } = await orThrow(this.client.get('/api/locations'))
    return data.find((place) => place.id === id)?.[`name_${language}`]
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
