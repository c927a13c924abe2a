/** The search of visitors by hand: of its filters, those that the call uses. */
import type { Row } from './records.ts'

const FOUND = `from public_listings indexed by public_listings_by_kind
  where availability = ? and category = ? and price <= ?`
const ORDER = 'order by price desc, id desc'

export async function listForVisitors(db: D1Database, query: URLSearchParams): Promise<Response> {
  const values = [query.get('availability'), query.get('category'), Number(query.get('price[max]'))]
  const [page, size] = [Number(query.get('page')), Number(query.get('per_page'))]
  const [rows, counted] = await db.batch<Row>([
    db
      .prepare(`select id, code, category, availability, price, size, rooms, features from public_listings
        where id in (select id ${FOUND} ${ORDER} limit ? offset ?) ${ORDER}`)
      .bind(...values, size, (page - 1) * size),
    db.prepare(`select count(*) as total ${FOUND}`).bind(...values),
  ])
  const total = Number(counted?.results[0]?.total)
  return Response.json({
    status: 200,
    page,
    total_pages: Math.ceil(total / size),
    results_per_page: size,
    total_results: total,
    data: (rows?.results ?? []).map(({ features, ...row }) => ({
      ...row,
      features: JSON.parse(String(features)),
    })),
  })
}
