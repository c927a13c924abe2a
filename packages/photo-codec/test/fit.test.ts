import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fitWithin } from '../src/fit.ts'

const side = fc.integer({ min: 1, max: 65_535 })
const size = fc.record({ width: side, height: side })

describe('fitInside', () => {
  it('stays inside the bounds, grows nothing, keeps the shape', () => {
    fc.assert(
      fc.property(size, size, (picture, bounds) => {
        const { width, height } = fitWithin(picture, bounds)
        expect(Number.isInteger(width) && Number.isInteger(height)).toBe(true)
        expect(width).toBeGreaterThanOrEqual(1)
        expect(height).toBeGreaterThanOrEqual(1)
        expect(width).toBeLessThanOrEqual(Math.min(picture.width, bounds.width))
        expect(height).toBeLessThanOrEqual(Math.min(picture.height, bounds.height))
        const scale = Math.min(1, bounds.width / picture.width, bounds.height / picture.height)
        expect(Math.abs(width - picture.width * scale)).toBeLessThan(1)
        expect(Math.abs(height - picture.height * scale)).toBeLessThan(1)
      }),
    )
  })

  it('leaves a side without bound alone', () => {
    const bounds = { width: 1024, height: Number.POSITIVE_INFINITY }
    expect(fitWithin({ width: 2048, height: 9000 }, bounds)).toEqual({ width: 1024, height: 4500 })
  })
})
