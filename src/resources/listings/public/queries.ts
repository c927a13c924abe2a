/** Reads what visitors may see of listings. Of `listings` itself, only the exact address is read, to compare it. */
import { and, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { AREAS } from '../../../db/areas.ts'
import { batch, type Database, runStatement } from '../../../db/client.ts'
import { isOneOf, valuesOf } from '../../../db/conditions.ts'
import type { Page } from '../../../db/page.ts'
import { jsonOf } from '../../../db/relations.ts'
import {
  type RowOf,
  type SelectedFields,
  type Statement,
  select,
  sqlStatement,
} from '../../../db/statements.ts'
import { public_listings } from '../../../db/tables/public-listings.ts'
import type { RecordVersion } from '../../../http/context.ts'
import { inOrder } from '../list.ts'
import { type Area, areaObject } from '../queries.ts'
import { findPage, type Search } from '../search/search.ts'
import type { DocumentSource, PublicListingRow } from './row.ts'
import type { publicListingFilters } from './schema.ts'

const PUBLIC_FIELDS = {
  id: public_listings.id,
  date_updated: public_listings.date_updated,
  shown: public_listings.shown,
  photo_sizes: public_listings.photo_sizes,
  exact_address: sql<string | null>`hidden.address_el`,
  hides_number: sql<number>`hidden.id is not null`,
}

const PUBLIC_TABLES = sql`${public_listings} left join listings hidden
  on hidden.id = public_listings.id and hidden.display_address = 'fake'`

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
    return withOwnAreas(await runStatement(this.#db, selectWithAreas(where)))
  }

  /**
   * The listing `id` with what a document of schema.org says beside it; null if it does not exist for the key.
   * @param version reads the version of the listing, which visitors must not learn
   */
  async readForDocument(id: number, version: Statement<RecordVersion> | null = null) {
    const where = and(sql`${public_listings.id} = ${id}`, this.#isVisible())
    const { rows, languages, pages, versions } = await batch(this.#db, {
      versions: version,
      rows: selectWithAreas(where),
      languages: sqlStatement<DocumentSource['languages'][number]>(
        sql`select id, code from languages order by id`,
      ),
      pages: sqlStatement<NonNullable<DocumentSource['page']>>(sql`select page_url, languages from feeds
        where format = 'sitemap' and page_url is not null order by id limit 1`),
    })
    const row = withOwnAreas(rows)
    return row ? { row, languages, page: pages[0] ?? null, version: versions?.[0] ?? null } : null
  }

  /** The listings of a page and how many match in all, mostly in one round trip. */
  async findPage(filters: PublicFilters): Promise<Page<PublicListingRow>> {
    const { ids, total, results, places } = await findPage(this.#db, this.search, filters, (chosen) => ({
      // The choice may be older than the rows.
      rows: selectPublic(
        sql`where ${and(sql`${public_listings.id} in (${valuesOf(chosen)})`, this.#isVisible())}`,
      ),
    }))
    return { rows: withAreas(inOrder(ids, results.rows), places), total }
  }

  get search(): Search {
    return { view: 'shown', stores: this.#stores, mayLag: true }
  }

  #isVisible(): SQL | undefined {
    return this.#stores === null ? undefined : isOneOf(public_listings.store_id, this.#stores)
  }
}

type BareRow = Omit<PublicListingRow, 'areaOf'>

/**
 * The statement that reads rows, but for their places.
 * @param rest the SQL after the tables
 * @param more what else it selects, from what `before` and `rest` name
 */
export function selectPublic<More extends SelectedFields = Record<never, never>>(
  rest: SQL,
  more?: More,
  before?: SQL,
): Statement<BareRow & RowOf<More>> {
  return select({ ...PUBLIC_FIELDS, ...more }, sql`from ${PUBLIC_TABLES} ${rest}`, before) as Statement<
    BareRow & RowOf<More>
  >
}

/** Rows with their places. */
export function withAreas<Row extends BareRow>(
  rows: readonly Row[],
  places: { get: (id: number) => Area | null | undefined },
): (Row & PublicListingRow)[] {
  const areaOf = (id: number | undefined) => (id === undefined ? null : (places.get(id) ?? null))
  return rows.map((row) => ({ ...row, areaOf }))
}

const AREA_IDS = AREAS.map((level) => `shown ->> '$.${level}'`).join(', ')

/** The statement that reads a listing with its places. */
function selectWithAreas(where: SQL | undefined): Statement<BareRow & { areas: Area[] }> {
  const areas = jsonOf<Area[]>(
    `select json_group_array(json(place)) from (select ${areaObject} as place from locations where id in (${AREA_IDS}))`,
  )
  return selectPublic(sql`where ${where}`, { areas })
}

function withOwnAreas([row]: (BareRow & { areas: Area[] })[]): PublicListingRow | null {
  if (!row) return null
  const [whole] = withAreas([row], new Map(row.areas.map((area) => [area.id, area])))
  return whole ?? null
}
