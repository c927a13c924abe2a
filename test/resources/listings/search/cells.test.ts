/** The strips of a box hold each cell within it once, and its points are in them. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cellOf, stripsOf } from '../../../../src/resources/listings/search/cells.ts'
import { rowsOf } from '../steps.ts'

const longitude = fc.oneof(
  fc.double({ min: -180, max: 180, noNaN: true }),
  fc.constantFrom(-180, -179.999, 0, 179.999, 180),
)

const box = fc
  .record({
    south: fc.double({ min: -90, max: 89.5, noNaN: true }),
    height: fc.double({ min: 0, max: 0.4, noNaN: true }),
    west: longitude,
    east: longitude,
  })
  .map(({ south, height, west, east }) => ({ south, west, north: south + height, east }))

it('has no cell in two strips', () => {
  fc.assert(
    fc.property(box, (bounds) => {
      const strips = stripsOf(bounds).toSorted(([a], [b]) => a - b)
      for (const [index, [first, last]] of strips.entries()) {
        expect(first).toBeLessThanOrEqual(last)
        expect(first).toBeGreaterThan(strips[index - 1]?.[1] ?? -1)
      }
    }),
    { numRuns: 2000 },
  )
})

it('has the cell of each point within the box, as SQLite numbers it', async () => {
  const part = fc.double({ min: 0, max: 1, noNaN: true })
  await fc.assert(
    fc.asyncProperty(box, part, part, async ({ south, west, north, east }, up, across) => {
      const latitude = south + (north - south) * up
      const width = west <= east ? east - west : east - west + 360
      const beyond = west + width * across
      const at = beyond > 180 ? beyond - 360 : beyond
      const [row] = await rowsOf(`select ${cellOf(String(latitude), String(at))} as cell`)
      const strips = stripsOf({ south, west, north, east })
      expect(strips.some(([first, last]) => first <= Number(row?.cell) && Number(row?.cell) <= last)).toBe(
        true,
      )
    }),
    { numRuns: 200 },
  )
})
