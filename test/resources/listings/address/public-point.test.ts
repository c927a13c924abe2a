// @module-tag slow
import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { get, importRecords, put } from '../../../support/api.ts'
import { seedAgency } from '../../../support/factories/agency.ts'
import { createListing, minimalListing, readListing } from '../../../support/factories/listing.ts'
import { exported, importReply } from '../../../support/transfer.ts'
import { distanceInMetres, type Point, pointFrom } from './distance.ts'

beforeAll(seedAgency)

const START = { latitude: 37.9755, longitude: 23.7348 }

let id = 0

beforeEach(async () => {
  id = await createListing({ location: { ...START, display_address: 'fake' } })
})

/** Each way to store another exact point, with `more` of a location. */
const WAYS = {
  PUT: async (point: object, more: object = {}) => {
    const { status } = await put(`/api/listings/${id}`, { location: { ...point, ...more } })
    expect(status).toBe(200)
  },
  import: (point: object, more: object = {}) =>
    importRecords([['listings', { id, location: { ...point, ...more } }]]),
  'import that replaces': async (point: object, more: object = {}) => {
    const location = { ...point, display_address: 'fake', ...more }
    expect(await importReply('listings', [{ ...minimalListing, id, location }], 'replace')).toMatchObject({
      accepted: 1,
      rejected: 0,
    })
  },
}

const NAMES = Object.keys(WAYS) as (keyof typeof WAYS)[]

/** The public point as it is read; valid in any case. */
async function readFake(): Promise<Point> {
  const { location } = await readListing(id)
  const fake = { latitude: location.fake_latitude, longitude: location.fake_longitude }
  expect(Math.abs(fake.latitude)).toBeLessThanOrEqual(90)
  expect(Math.abs(fake.longitude)).toBeLessThanOrEqual(180)
  return fake
}

/** How far north and east `to` is of `from`, in degrees. */
const offset = (from: Point, to: Point) => [to.latitude - from.latitude, to.longitude - from.longitude]

/** Whether two pairs of degrees are the same within 10 cm. */
function expectSame(found: number[], expected: number[]): void {
  for (const [index, value] of found.entries()) expect(value).toBeCloseTo(expected[index] ?? Number.NaN, 6)
}

describe.each(NAMES)('the public point of a listing whose exact point moves by %s', (name) => {
  const move = WAYS[name]

  it.each([
    [0.1, 10],
    [30, 100],
    [250, 190],
    [499, 271],
  ])('follows by the same offset when that is by %d m', async (metres, bearing) => {
    const fake = await readFake()
    const to = pointFrom(START, metres, bearing)
    await move(to)
    expectSame(offset(fake, await readFake()), offset(START, to))
  })

  it.each([501, 600, 10_000, 5_000_000])('is drawn anew when that is by %d m', async (metres) => {
    const fake = await readFake()
    const to = pointFrom(START, metres, 60)
    await move(to)
    const drawn = await readFake()
    expect(distanceInMetres(to, drawn)).toBeGreaterThanOrEqual(150)
    expect(distanceInMetres(to, drawn)).toBeLessThanOrEqual(400)
    const [north = 0, east = 0] = offset(START, fake)
    const kept = { latitude: to.latitude + north, longitude: to.longitude + east }
    expect(distanceInMetres(kept, drawn)).toBeGreaterThan(0.1)
  })

  it('is always in the same place of its listing, whatever small moves add up to', async () => {
    const fake = await readFake()
    let exact: Point = START
    for (let moves = 1; moves <= 12; moves++) {
      exact = pointFrom(exact, 45 * moves - 50, 80 * moves)
      await move(exact)
      expectSame(offset(exact, await readFake()), offset(START, fake))
    }
  })

  it.each([{ latitude: 0, longitude: 0 }, { latitude: null, longitude: null }, { latitude: null }])(
    'goes with %j, and comes back as it was, or by the same offset',
    async (unknown) => {
      const fake = await readFake()
      for (const to of [START, pointFrom(START, 20, 0), pointFrom(START, 480, 99)]) {
        await move({ ...START, ...unknown })
        const { location } = await readListing(id)
        expect([location.fake_latitude, location.fake_longitude]).toEqual([null, null])
        await move(to)
        expectSame(offset(to, await readFake()), offset(START, fake))
      }
      await move({ ...START, ...unknown })
      await move(START)
      expectSame(offset(START, await readFake()), offset(START, fake))
    },
  )

  it('is drawn anew after it was gone, if that is by 1 km', async () => {
    const fake = await readFake()
    await move({ latitude: 0, longitude: 0 })
    const to = pointFrom(START, 1000, 60)
    await move(to)
    const drawn = await readFake()
    expect(distanceInMetres(to, drawn)).toBeLessThanOrEqual(400)
    const [north = 0, east = 0] = offset(START, fake)
    const kept = { latitude: to.latitude + north, longitude: to.longitude + east }
    expect(distanceInMetres(kept, drawn)).toBeGreaterThan(0.1)
  })

  it('comes back by the same offset when the exact point comes back from far away', async () => {
    const places = [START, ...[0, 90, 180].map((bearing) => pointFrom(START, 3000, bearing))]
    const offsets: number[][] = []
    for (const place of places) {
      await move(place)
      offsets.push(offset(place, await readFake()))
    }
    for (const [index, place] of [...places.entries(), ...places.entries()]) {
      await move({ latitude: null, longitude: null })
      await move(place)
      expectSame(offset(place, await readFake()), offsets[index] ?? [])
    }
  })

  it('leaves no trace in what is read or exported', async () => {
    await move(pointFrom(START, 3000, 0))
    await move({ latitude: null, longitude: null })
    const texts = [
      await get(`/api/listings/${id}`),
      await get(`/api/listings/${id}?fields=all`),
      await get('/api/listings?fields=all'),
    ].map(({ body }) => JSON.stringify(body))
    const lines = (await exported('listings')).filter((line) => line.includes(`"id":${id},`))
    expect(lines).toHaveLength(1)
    for (const text of [...texts.slice(0, 2), ...lines]) {
      expect(text).toContain(`"id":${id},`)
      expect(text).not.toMatch(/37\.9|23\.7|38\.0/)
    }
    expect([...texts, ...lines].join()).not.toContain('former')
  })

  it('stays, and its exact point too, when that is only written otherwise', async () => {
    const fake = await readFake()
    await move({ latitude: START.latitude, longitude: START.longitude }, { postal_code: '106 75' })
    expect(await readFake()).toEqual(fake)
  })

  it('is another once the exact point was public, wherever the listing was before', async () => {
    const fake = await readFake()
    await move({ latitude: 0, longitude: 0 })
    await move(START, { display_address: 'real' })
    await move(START, { display_address: 'fake' })
    expect(await readFake()).not.toEqual(fake)
  })

  it('is gone with the real address, and is another when that is hidden again', async () => {
    const fake = await readFake()
    const to = pointFrom(START, 20, 0)
    await move(to, { display_address: 'real' })
    expect((await readListing(id)).location.fake_latitude).toBeNull()
    await move(to, { display_address: 'none' })
    const drawn = await readFake()
    expect(distanceInMetres(to, drawn)).toBeGreaterThanOrEqual(150)
    expect(drawn).not.toEqual(fake)
  })
})

describe('the public point of a listing', () => {
  const FAR = { fake_latitude: 38.01, fake_longitude: 23.7 }

  it('is that of the line, wherever the exact point moves', async () => {
    for (const metres of [10, 300, 900]) {
      for (const name of ['import', 'import that replaces'] as const) {
        await WAYS[name](pointFrom(START, metres, 45), FAR)
        expect(await readFake()).toEqual({ latitude: FAR.fake_latitude, longitude: FAR.fake_longitude })
      }
    }
  })

  it('follows a small move also where it came by import, from farther than any that is drawn', async () => {
    await WAYS.import(START, FAR)
    const to = pointFrom(START, 100, 45)
    await WAYS.PUT(to)
    const fake = await readFake()
    expect(distanceInMetres(to, fake)).toBeCloseTo(
      distanceInMetres(START, { latitude: FAR.fake_latitude, longitude: FAR.fake_longitude }),
      1,
    )
    await WAYS.PUT(pointFrom(to, 600, 45))
    expect(distanceInMetres(pointFrom(to, 600, 45), await readFake())).toBeLessThanOrEqual(400)
  })

  const place = fc.oneof(
    fc.record({
      latitude: fc.double({ min: -90, max: 90, noNaN: true }),
      longitude: fc.double({ min: -180, max: 180, noNaN: true }),
    }),
    fc.constantFrom<Point>(
      { latitude: 90, longitude: 0 },
      { latitude: -90, longitude: 180 },
      { latitude: 89.999, longitude: -77 },
      { latitude: -89.9969, longitude: 10 },
      { latitude: 0, longitude: 180 },
      { latitude: 12, longitude: -180 },
      { latitude: 65.5, longitude: 179.9999 },
      { latitude: 0, longitude: 0.0001 },
    ),
  )
  const moves = fc.array(
    fc.record({
      name: fc.constantFrom(...NAMES),
      metres: fc.double({ min: 0.01, max: 499, noNaN: true }),
      bearing: fc.integer({ min: 0, max: 359 }),
    }),
    { minLength: 1, maxLength: 5 },
  )

  it(
    'is as far away as ever after any small moves anywhere, over poles and the date line',
    {
      timeout: 60_000,
    },
    () =>
      fc.assert(
        fc.asyncProperty(place, moves, async (start, steps) => {
          id = await createListing({ location: { ...start, display_address: 'fake' } })
          const metres = distanceInMetres(start, await readFake())
          let exact = start
          let before = await readFake()
          for (const { name, metres: far, bearing } of steps) {
            exact = pointFrom(exact, far, bearing)
            await WAYS[name](exact)
            const fake = await readFake()
            // Seven decimals are about a centimetre, and moves add up.
            expect(Math.abs(distanceInMetres(exact, fake) - metres)).toBeLessThan(0.1)
            expect(Math.abs(distanceInMetres(before, fake) - far)).toBeLessThan(0.1)
            before = fake
          }
        }),
        { numRuns: 60, interruptAfterTimeLimit: 20_000 },
      ),
  )
})
