/** Reads what visitors may see of listings. Of `listings` itself, only the exact address is read, to compare it. */
import { and, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { batch, type Database, runStatement } from '../../../db/client.ts'
import { isOneOf } from '../../../db/conditions.ts'
import {
  batchRequiring,
  jsonOf,
  orderBy,
  orderOf,
  type Page,
  type PageQuery,
  readPage,
} from '../../../db/page.ts'
import { type Statement, select, sqlStatement } from '../../../db/statements.ts'
import { listings } from '../../../db/tables/listings.ts'
import { public_listings } from '../../../db/tables/public-listings.ts'
import type { RecordVersion } from '../../../http/context.ts'
import { type Area, areaObject } from '../queries.ts'
import { distanceTo, SEARCH_CONDITIONS } from '../search/conditions.ts'
import { type Facets, readFacets } from '../search/facets.ts'
import { readMap } from '../search/map.ts'
import { coveringIndex, type Needs, pageOfRows, type SearchView, searchRows } from '../search/source.ts'
import { hasWords } from '../text/search.ts'
import type { DocumentSource, PublicListingRow } from './row.ts'
import type { publicListingFilters } from './schema.ts'

const areaOf = (level: number) =>
  jsonOf<Area | null>(
    `select ${areaObject} from locations where locations.id = public_listings.area_level${level}`,
  )

/** The fields of a row. */
export const PUBLIC_FIELDS = {
  id: public_listings.id,
  date_updated: public_listings.date_updated,
  shown: public_listings.shown,
  photo_sizes: public_listings.photo_sizes,
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

  /**
   * The listing `id` with what a document of schema.org says beside it; null if it does not exist for the key.
   * @param version reads the version of the listing, which visitors must not learn
   */
  async readForDocument(
    id: number,
    version: Statement<RecordVersion> | null = null,
  ): Promise<DocumentSource | null> {
    const where = and(sql`${public_listings.id} = ${id}`, this.#isVisible())
    const { rows, languages, pages, versions } = await batch(this.#db, {
      versions: version,
      rows: selectPublic(sql`where ${where}`),
      languages: sqlStatement<DocumentSource['languages'][number]>(
        sql`select id, code from languages order by id`,
      ),
      pages: sqlStatement<NonNullable<DocumentSource['page']>>(sql`select page_url, languages from feeds
        where format = 'sitemap' and page_url is not null order by id limit 1`),
    })
    const [row] = rows
    return row ? { row, languages, page: pages[0] ?? null, version: versions?.[0] ?? null } : null
  }

  /** The listings of a page and how many match in all, in one round trip. */
  async findPage(filters: PublicFilters): Promise<Page<PublicListingRow>> {
    const found = searchRows(PUBLIC_VIEW, filters, this.#needs(filters.sort?.replace('-', '')))
    const sorts = { ...SORTS, distance: filters.near ? distanceTo(filters.near) : SORTS.id }
    const query = pageOfRows(public_listings, found, filters, orderOf(sorts, filters.sort))
    if (!query.found) return readPage(this.#db, public_listings, query, selectPublic)
    const { rows } = await batchRequiring(this.#db, query.requirement, { rows: selectFound(query) })
    return { rows: rows.filter(({ id }) => id !== null), total: rows[0]?.total ?? 0 }
  }

  /** How many listings each value has. */
  readFacets(filters: PublicFilters & Parameters<typeof readFacets>[2]): Promise<Facets> {
    return readFacets(this.#db, PUBLIC_VIEW, filters, this.#needs())
  }

  /** Where the listings are. */
  readMap(filters: PublicFilters & { zoom?: number | null | undefined }) {
    return readMap(this.#db, PUBLIC_VIEW, filters, this.#needs())
  }

  /** What every search needs beside its filters, and the column to sort by. */
  #needs(sort?: string): Needs {
    return {
      condition: this.#isVisible(),
      columns: [...(sort ? [sort] : []), ...(this.#stores ? ['store_id'] : [])],
    }
  }

  #isVisible(): SQL | undefined {
    return this.#stores === null ? undefined : isOneOf(public_listings.store_id, this.#stores)
  }
}

function selectPublic(rest: SQL): Statement<PublicListingRow> {
  return select(PUBLIC_FIELDS, sql`from ${public_listings} ${rest}`) as Statement<PublicListingRow>
}

/** The rows of a page that is found once, each with the total. A page without any has one row without an id. */
function selectFound({
  ids,
  total,
  order,
  found,
}: PageQuery): Statement<PublicListingRow & { total: number }> {
  const fields = { ...PUBLIC_FIELDS, total: sql<number>`counted.total` }
  return select(
    fields,
    sql`from (${total}) counted left join ${public_listings} on ${public_listings.id} in (${ids})
    ${orderBy(public_listings.id, order)}`,
    found,
  ) as Statement<PublicListingRow & { total: number }>
}

const { id, price, price_per_sqm, size, rooms, date_updated, date_listed } = public_listings

const SORTS = { id, price, price_per_sqm, size, rooms, date_updated, date_listed }

/** The active listings as visitors see them. */
export const PUBLIC_VIEW: SearchView<PublicFilters> = {
  table: public_listings,
  precision: `(select part.value ->> 'precision' from public_listings, json_each(shown) part
    where public_listings.id = cells.id and part.value ->> 'precision' is not null)`,
  indexes: {
    area: 'public_listings_by_area',
    cell: 'public_listings_by_cell',
    kind: coveringIndex(public_listings, 'public_listings_by_kind'),
  },
  conditions: {
    ...SEARCH_CONDITIONS,
    text: hasWords(public_listings),
    status: (values) => (values.includes('active') ? undefined : sql`false`),
    // Visitors cannot send these.
    tags: () => undefined,
    users: () => undefined,
    date_created: () => undefined,
    date_updated: () => undefined,
  },
}
