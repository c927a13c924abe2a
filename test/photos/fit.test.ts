import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createFitter } from '../../src/photos/codec/fitter.ts'
import { collect } from '../../src/photos/codec/rows.ts'
import { fitInside } from '../../src/photos/fit.ts'

const side = fc.integer({ min: 1, max: 65_535 })
const size = fc.record({ width: side, height: side })

describe('fitInside', () => {
  it.each([
    [4000, 3000, 1920, 1920, 1440],
    [3000, 4000, 1920, 1440, 1920],
    [1920, 1080, 1920, 1920, 1080],
    [100, 50, 1920, 100, 50],
    [5000, 3, 1000, 1000, 1],
    [1000, 333, 100, 100, 33],
  ])('%i × %i inside %i', (width, height, bound, fittedWidth, fittedHeight) => {
    const fitted = fitInside({ width, height }, { width: bound, height: bound })
    expect(fitted).toEqual({ width: fittedWidth, height: fittedHeight })
  })

  it('stays inside the bounds, grows nothing, keeps the shape', () => {
    fc.assert(
      fc.property(size, size, (picture, bounds) => {
        const { width, height } = fitInside(picture, bounds)
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
    expect(fitInside({ width: 2048, height: 9000 }, bounds)).toEqual({ width: 1024, height: 4500 })
  })
})

describe('createFitter', () => {
  function shrink(samples: readonly number[][], to: { width: number; height: number }): number[] {
    const from = { width: (samples[0]?.length ?? 0) / 3, height: samples.length }
    const out = collect(to, 3)
    const fitter = createFitter(from, to, 3, out)
    for (const row of samples) fitter.push(Uint8Array.from(row))
    return [...out.samples]
  }

  const sides = fc.integer({ min: 1, max: 40 })
  const sizes = fc.tuple(sides, sides, sides, sides).map(([a, b, c, d]) => ({
    from: { width: Math.max(a, b), height: Math.max(c, d) },
    to: { width: Math.min(a, b), height: Math.min(c, d) },
  }))

  it('keeps one colour as it is, whatever the sizes', () => {
    fc.assert(
      fc.property(sizes, fc.nat(255), ({ from, to }, value) => {
        const rows = Array.from({ length: from.height }, () => new Array<number>(from.width * 3).fill(value))
        expect(shrink(rows, to)).toEqual(new Array(to.width * to.height * 3).fill(value))
      }),
    )
  })

  it('treats left and right, top and bottom alike', () => {
    fc.assert(
      fc.property(sizes, fc.nat(1000), ({ from, to }, seed) => {
        const grey = (x: number, y: number) => (seed + x * 71 + y * y * 13) % 256
        const draw = (flip: boolean) =>
          Array.from({ length: from.height }, (_, y) =>
            Array.from({ length: from.width }, (_, x) => {
              const value = flip ? grey(from.width - 1 - x, from.height - 1 - y) : grey(x, y)
              return [value, value, value]
            }).flat(),
          )
        const [straight, flipped] = [shrink(draw(false), to), shrink(draw(true), to).reverse()]
        for (const [i, value] of straight.entries())
          expect(Math.abs(value - (flipped[i] ?? -9))).toBeLessThanOrEqual(1)
      }),
    )
  })

  it('halves a checkerboard to grey', () => {
    const rows = Array.from({ length: 64 }, (_, y) =>
      Array.from({ length: 64 }, (_, x) => new Array<number>(3).fill((x + y) % 2 === 0 ? 0 : 255)).flat(),
    )
    const inner = shrink(rows, { width: 16, height: 16 }).slice(16 * 3 * 4, 16 * 3 * 4 + 9)
    for (const value of inner) expect(Math.abs(value - 127.5)).toBeLessThan(3)
  })
})
