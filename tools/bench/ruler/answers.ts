/** The answers that the calls share. */

export const PAGE_SIZE = 50

/** One record; 404 where there is none. */
export function record(data: unknown): Response {
  if (data === null) return failed(404, 'Not found')
  return Response.json({ status: 200, data })
}

/** A page of records. */
export function list(page: number, total: number, data: unknown[]): Response {
  return Response.json({
    status: 200,
    page,
    total_pages: Math.ceil(total / PAGE_SIZE),
    results_per_page: PAGE_SIZE,
    total_results: total,
    data,
  })
}

export function failed(status: number, message: string): Response {
  return Response.json({ status, message }, { status })
}

/** The page that `query` asks for, from 1. */
export function pageOf(query: URLSearchParams): number {
  const page = Number(query.get('page') ?? 1)
  return Number.isInteger(page) && page > 0 ? page : 1
}
