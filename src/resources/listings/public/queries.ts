/** Reads what visitors may see of listings. Of `listings` itself, only the exact address is read, to compare it. */
import { and, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { type Database, runStatement } from '../../../db/client.ts'
import { type Conditions, isOneOf, whereClause } from '../../../db/conditions.ts'
import { jsonOf, orderedPage, orderOf, type Page, readPage } from '../../../db/page.ts'
import { type Statement, select } from '../../../db/statements.ts'
import { listings } from '../../../db/tables/listings.ts'
import { public_documents, public_listings } from '../../../db/tables/public-listings.ts'
import { type Area, areaObject } from '../queries.ts'
import { distanceTo, SEARCH_CONDITIONS } from '../search/conditions.ts'
import { hasWords, WORDS_ARE_STORED } from '../text/search.ts'
import type { PublicListingRow } from './row.ts'
import type { publicListingFilters } from './schema.ts'

const areaOf = (level: number) =>
  jsonOf<Area | null>(
    `select ${areaObject} from locations where locations.id = public_listings.area_level${level}`,
  )

const FIELDS = {
  id: public_listings.id,
  date_updated: public_listings.date_updated,
  shown: public_documents.shown,
  area1: areaOf(1),
  area2: areaOf(2),
  area3: areaOf(3),
  exact_address: sql<string | null>`(select address_el from ${listings}
    where ${listings.id} = ${public_listings.id} and display_address = 'fake')`,
  hides_number: sql<number>`(select display_address = 'fake' from ${listings}
    where ${listings.id} = ${public_listings.id})`,
}

/** The filters of a list, without what does not select listings. */
export type PublicFilters = Omit<z.output<typeof publicListingFilters>, 'fields'>

/** Reads listings for the visitors of one key. */
export class PublicListings {
  readonly #db: Database
  /** The stores whose listings exist for the key; null means all. */
  readonly #stores: readonly number[] | null

  constructor(db: Database, stores: readonly number[] | null) {
    this.#db = db
    this.#stores = stores
  }

  /** The listing `id`; null if it does not exist for the key. */
  async read(id: number): Promise<PublicListingRow | null> {
    const where = and(sql`${public_listings.id} = ${id}`, this.#isVisible())
    const [row] = await runStatement(this.#db, selectPublic(sql`where ${where}`))
    return row ?? null
  }

  /** The listings of one page and how many match in all, in one round trip. */
  findPage(filters: PublicFilters): Promise<Page<PublicListingRow>> {
    const where = and(whereClause(CONDITIONS, filters), this.#isVisible())
    const sorts = { ...SORTS, distance: filters.near ? distanceTo(filters.near) : SORTS.id }
    const query = orderedPage(public_listings, where, filters, orderOf(sorts, filters.sort))
    const requirement = filters.text ? WORDS_ARE_STORED : null
    return readPage(this.#db, public_listings, { ...query, requirement }, selectPublic)
  }

  #isVisible(): SQL | undefined {
    return this.#stores === null ? undefined : isOneOf(public_listings.store_id, this.#stores)
  }
}

function selectPublic(rest: SQL): Statement<PublicListingRow> {
  return select(
    FIELDS,
    sql`from ${public_listings} join ${public_documents}
    on ${public_documents.id} = ${public_listings.id} ${rest}`,
  ) as Statement<PublicListingRow>
}

const { id, price, price_per_sqm, size, rooms, date_updated, date_listed } = public_listings

const SORTS = { id, price, price_per_sqm, size, rooms, date_updated, date_listed }

const CONDITIONS = {
  ...SEARCH_CONDITIONS,
  text: hasWords(public_listings),
  category: (values) => isOneOf(public_listings.category, values),
  availability: (values) => isOneOf(public_listings.availability, values),
  subcategory: (values) => isOneOf(public_listings.subcategory, values),
  subtype: (values) => isOneOf(public_listings.subtype, values),
  status: (values) => (values.includes('active') ? undefined : sql`false`),
  search: (search) =>
    sql`(code = ${search} or id = ${/^[1-9]\d{0,14}$/.test(search) ? Number(search) : null})`,
  tags: () => undefined,
  users: () => undefined,
  date_created: () => undefined,
  date_updated: () => undefined,
} satisfies Conditions<PublicFilters>
