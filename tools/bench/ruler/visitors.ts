/** The search of visitors by hand: of its filters, those that the call uses. */
import type { Row } from './records.ts'

const FOUND = `from listings join public_listings visible using (id)
  where listings.status = 'active' and availability = ? and category = ? and visible.price <= ?`
const ORDER = 'order by visible.price desc, listings.id desc'

export async function listForVisitors(db: D1Database, query: URLSearchParams): Promise<Response> {
  const values = [query.get('availability'), query.get('category'), Number(query.get('price[max]'))]
  const [page, size] = [Number(query.get('page')), Number(query.get('per_page'))]
  const [rows, counted] = await db.batch<Row>([
    db
      .prepare(`select listings.id, code, category, availability, visible.price, size, rooms, features
        ${FOUND} ${ORDER} limit ? offset ?`)
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
