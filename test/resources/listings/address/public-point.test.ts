/** The public point: a function of the place alone, whatever a listing has been through. */
import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { pointOfCell } from '../../../../src/resources/listings/address/public-point.ts'
import { get, importRecords, post, put } from '../../../support/api.ts'
import { seedAgency } from '../../../support/factories/agency.ts'
import { createListing, minimalListing, readListing } from '../../../support/factories/listing.ts'
import { exported, importReply } from '../../../support/transfer.ts'
import { distanceInMetres, type Point, pointFrom } from './distance.ts'

/** Anywhere, most of all at borders of cells, near the poles and at the date line. */
const anywhere = fc
  .record({
    latitude: fc.oneof(
      fc.double({ min: -90, max: 90, noNaN: true }),
      fc.integer({ min: -18_000, max: 18_000 }).map((row) => row / 200),
      fc.constantFrom(90, 89.999999, 89.996, 89.991, 60, 1e-300, 0, -0, -5e-8, -89.9999999, -90),
    ),
    longitude: fc.oneof(
      fc.double({ min: -180, max: 180, noNaN: true }),
      fc.integer({ min: -36_000, max: 36_000 }).map((column) => column / 200),
      fc.constantFrom(180, 179.9999999, 179.99999999, 1e-300, 0, -0, -179.99999999, -180),
    ),
  })
  .map((point): Point => point)

const RUNS = { numRuns: 1000 }
const METRES_OF_DEGREE = 111_195

describe('the point of a cell', () => {
  it('is within 400 m of every point of the cell, and a valid one of seven decimals', () => {
    fc.assert(
      fc.property(anywhere, (exact) => {
        const point = pointOfCell(exact)
        // WGS 84 differs from a sphere by less than a half per cent.
        expect(distanceInMetres(exact, point)).toBeLessThanOrEqual(398)
        for (const [degrees, limit] of [
          [point.latitude, 90],
          [point.longitude, 180],
        ] as const) {
          expect(Math.abs(degrees)).toBeLessThanOrEqual(limit)
          expect(Number(degrees.toFixed(7))).toBe(degrees)
        }
      }),
      RUNS,
    )
  })

  it('is that of the point itself, and of seven decimals however they are computed', () => {
    const decimals = (limit: number) =>
      fc.oneof(
        fc.integer({ min: -limit * 1e7, max: limit * 1e7 }),
        fc.integer({ min: -limit * 200, max: limit * 200 }).map((border) => border * 50_000),
      )
    const noise = fc.double({ min: -4e-8, max: 4e-8, noNaN: true })
    fc.assert(
      fc.property(decimals(90), decimals(180), noise, noise, (north, east, northNoise, eastNoise) => {
        const point = pointOfCell({ latitude: north / 1e7, longitude: east / 1e7 })
        expect(pointOfCell(point)).toEqual(point)
        const computed = { latitude: north / 1e7 + northNoise, longitude: east / 1e7 + eastNoise }
        expect(pointOfCell(computed)).toEqual(point)
      }),
      RUNS,
    )
  })

  it('is that of the whole cell, which is 556 m high, and as wide but for the poles', () => {
    fc.assert(
      fc.property(anywhere, fc.double({ min: -0.99, max: 0.99, noNaN: true }), (exact, share) => {
        const point = pointOfCell(exact)
        const latitude = point.latitude + share * 0.0025
        expect(pointOfCell({ ...point, latitude })).toEqual(point)
        const width =
          278 / (METRES_OF_DEGREE * Math.cos(((Math.abs(point.latitude) - 0.0025) * Math.PI) / 180))
        const isNearPole = Math.abs(point.latitude) > 89.9
        const longitude = point.longitude + share * width * (isNearPole ? 0.9 : 0.999)
        expect(pointOfCell({ ...point, longitude })).toEqual(point)
      }),
      RUNS,
    )
  })

  it.each([
    ['37.9755, 23.7348', '37.9775, 23.7321164'],
    ['37.975, 23.7348', '37.9775, 23.7321164'],
    ['37.9749999, 23.7348', '37.9725, 23.7367865'],
    ['0, 180', '0.0025, -179.9975'],
    ['0, -180', '0.0025, -179.9975'],
    ['90, 0', '89.9975, 30'],
    ['-90, -180', '-89.9975, -150'],
  ])('of %s is %s for good: stored points depend on it', (...points) => {
    const [exact, point] = points.map((text) => text.split(', ').map(Number))
    const [latitude = 0, longitude = 0] = exact ?? []
    expect(Object.values(pointOfCell({ latitude, longitude }))).toEqual(point)
  })
})

describe('the public point of a listing', () => {
  beforeAll(seedAgency)

  const START = { latitude: 37.9761234, longitude: 23.7354321 }
  const CELL = pointOfCell(START)
  /** By import, 250 m and 1,900 m from START. */
  const [NEAR, FAR] = [pointFrom(START, 250, 10), pointFrom(START, 1900, 200)]

  let id = 0

  beforeEach(async () => {
    id = await createListing({ location: { ...START, display_address: 'fake' } })
  })

  async function readFake(): Promise<unknown> {
    const { location } = await readListing(id)
    return { latitude: location.fake_latitude, longitude: location.fake_longitude }
  }

  const fakeOf = ({ latitude, longitude }: Point) => ({ fake_latitude: latitude, fake_longitude: longitude })

  /** Each way to store a location. */
  const WAYS = {
    PUT: async (location: object) => {
      expect((await put(`/api/listings/${id}`, { location })).status).toBe(200)
    },
    import: (location: object) => importRecords([['listings', { id, location }]]),
    'import that replaces': async (location: object) => {
      const line = { ...minimalListing, id, location: { ...START, display_address: 'fake', ...location } }
      expect(await importReply('listings', [line], 'replace')).toMatchObject({ accepted: 1, rejected: 0 })
    },
  }
  const NAMES = Object.keys(WAYS) as (keyof typeof WAYS)[]

  const steps = fc.array(
    fc.record({
      way: fc.constantFrom(...NAMES),
      metres: fc.constantFrom(0, 0, 1, 40, 499, 501, 5000),
      bearing: fc.integer({ min: 0, max: 359 }),
      display_address: fc.constantFrom('real', 'fake', 'none'),
      to: fc.constantFrom(null, null, 'active', 'inactive'),
      isUnknown: fc.nat({ max: 3 }).map((one) => one === 0),
    }),
    { minLength: 1, maxLength: 6 },
  )

  it('is that of its cell, whatever it has been through', { timeout: 120_000 }, () =>
    fc.assert(
      fc.asyncProperty(steps, async (moves) => {
        id = await createListing({ location: { ...START, display_address: 'fake' } })
        let exact: Point = START
        for (const { way, metres, bearing, display_address, to, isUnknown } of moves) {
          if (isUnknown) {
            await WAYS[way]({ latitude: 0, longitude: 0, display_address })
            expect(await readFake()).toEqual({ latitude: null, longitude: null })
          }
          exact = metres === 0 ? exact : pointFrom(exact, metres, bearing)
          await WAYS[way]({ ...exact, display_address })
          if (to) await post(`/api/listings/${id}/status`, { to })
          expect(await readFake()).toEqual(
            display_address === 'real' ? { latitude: null, longitude: null } : pointOfCell(exact),
          )
        }
      }),
      { numRuns: 20, interruptAfterTimeLimit: 40_000 },
    ),
  )

  it.each([NEAR, FAR])('%j is kept from an import, until the exact point moves', async (point) => {
    for (const display_address of ['none', 'fake']) {
      await WAYS.import({ display_address, ...fakeOf(point) })
      for (const name of NAMES) {
        await WAYS[name]({ ...START, display_address, postal_code: `106 7${name.length % 10}` })
        expect(await readFake()).toEqual(point)
      }
    }
    await WAYS.PUT({ latitude: START.latitude + 1e-6 })
    expect(await readFake()).toEqual(CELL)
    await WAYS.PUT(START)
    expect(await readFake()).toEqual(CELL)
  })

  it.each(NAMES)(
    'from an import goes by %s when the exact point moves, or is shown or unknown',
    async (name) => {
      for (const change of [
        pointFrom(START, 20, 0),
        { display_address: 'real' },
        { latitude: 0, longitude: 0 },
      ]) {
        await WAYS.import({ ...START, display_address: 'fake', ...fakeOf(NEAR) })
        await WAYS[name](change)
        await WAYS[name]({ ...START, display_address: 'fake' })
        expect(await readFake()).toEqual(CELL)
      }
    },
  )

  it.each([99, 2001, 5000])('%d m away by import gives way to that of the cell', async (metres) => {
    for (const name of ['import', 'import that replaces'] as const) {
      await WAYS[name](fakeOf(pointFrom(START, metres, 45)))
      expect(await readFake()).toEqual(CELL)
    }
  })

  it('leaves no trace of former places in what is read or exported', async () => {
    await WAYS.PUT(pointFrom(START, 3000, 0))
    await WAYS.PUT({ latitude: null, longitude: null })
    const texts = [
      ...[await get(`/api/listings/${id}`), await get(`/api/listings/${id}?fields=all`)].map(({ body }) =>
        JSON.stringify(body),
      ),
      ...(await exported('listings')).filter((line) => line.includes(`"id":${id},`)),
    ]
    expect(texts).toHaveLength(3)
    for (const text of texts) {
      expect(text).toContain(`"id":${id},`)
      expect(text).not.toMatch(/37\.9|23\.7|38\.0|former|checked/)
    }
  })
})
