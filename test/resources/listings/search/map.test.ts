/** `/api/listings/map`: the cells, and what they show. */
import { beforeAll, describe, expect, it } from 'vitest'
import { importRecords, query, websiteKey } from '../../../support/api.ts'
import { seedAgency } from '../../../support/factories/agency.ts'
import { listingLine } from '../../../support/factories/listing.ts'

const PATH = '/api/listings/map'

interface Cell {
  latitude: number
  longitude: number
  count: number
  id: number | null
}

/** An active listing with a point. */
const line = (id: number, [latitude, longitude]: readonly [number, number], values: object = {}) =>
  listingLine(id, { ...values, location: { display_address: 'real', latitude, longitude } })

/** Points of a grid around Larissa: each in a cell of its own at zoom 20. */
const SCATTERED = Array.from(
  { length: 600 },
  (_, index) => [39 + Math.floor(index / 30) * 0.013, 22 + (index % 30) * 0.017] as const,
)

let visitor = ''

beforeAll(async () => {
  await seedAgency()
  visitor = await websiteKey()
  await importRecords([
    line(1, [37.97, 23.7]),
    line(2, [38.2, 23.7]),
    ...SCATTERED.map((point, index) => line(1000 + index, point, { category: 'commercial' })),
  ])
})

const HOMES = { category: 'residential' }

async function map(filters: object, key: string | undefined = visitor) {
  const { status, body } = await query(PATH, filters, key ? { key } : {})
  expect(status).toBe(200)
  return body
}

describe('the grid of a map', () => {
  const SHOPS = { category: 'commercial' }

  /** Numbers of the cells in which the scattered points are, by the formula of Web Mercator. */
  const cellsAt = (zoom: number) => {
    const tiles = 2 ** zoom
    const at = SCATTERED.map(([latitude, longitude]) => {
      const sine = Math.sin((latitude * Math.PI) / 180)
      const row = 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)
      return `${Math.floor(((longitude + 180) / 360) * tiles)} ${Math.floor(row * tiles)}`
    })
    return new Set(at).size
  }

  it('is coarser where there would be more than 500 cells', async () => {
    expect(cellsAt(22)).toBe(600)
    const coarser = Array.from({ length: 22 }, (_, index) => cellsAt(22 - index)).find(
      (cells) => cells <= 500,
    )
    for (const key of [visitor, undefined]) {
      const { total_results, data } = await map({ ...SHOPS, zoom: 20 }, key)
      expect(total_results).toBe(600)
      expect(data).toHaveLength(coarser ?? 0)
      expect(data.reduce((sum: number, cell: Cell) => sum + cell.count, 0)).toBe(600)
      expect(data.every((cell: Cell) => (cell.count === 1) === (cell.id !== null))).toBe(true)
    }
  })

  it('is that of zoom 12 by default', async () => {
    const filters = { ...HOMES, facets: 'rooms' }
    const [standard, twelve, eleven] = await Promise.all(
      [{}, { zoom: 12 }, { zoom: 0 }].map((zoom) => map({ ...filters, ...zoom })),
    )
    expect(standard).toEqual(twelve)
    expect(await map({ ...filters, zoom: null })).toEqual(twelve)
    expect(standard).not.toEqual(eleven)
  })
})
