import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { divideToCents } from '../../src/fields/decimal.ts'

describe('dividing to two decimals', () => {
  it.each<[dividend: number, divisor: number, quotient: number | null]>([
    [1005, 1000, 1.01],
    [1, 200, 0.01],
    [1.005, 1, 1.01],
    [8.575, 0.1, 85.75],
    [1e-7, 1e-7, 1],
    [1e-9, 1e3, 0],
    [5e-324, 5e-324, 1],
    [Number.MAX_SAFE_INTEGER, 1, Number.MAX_SAFE_INTEGER],
    [Number.MAX_SAFE_INTEGER, 0.01, 900719925474099100],
    [1, 0, null],
    [0, 0, null],
    [Number.MAX_SAFE_INTEGER, 5e-324, null],
  ])('%d / %d is %d', (dividend, divisor, quotient) => {
    expect(divideToCents(dividend, divisor)).toBe(quotient)
  })

  /** A decimal as its digits and how many of them stand behind the point. */
  const decimal = (max: number) => fc.record({ digits: fc.integer({ min: 0, max }), places: fc.nat(6) })
  const toNumber = ({ digits, places }: { digits: number; places: number }) => Number(`${digits}e-${places}`)

  it('rounds half up exactly', () => {
    // Halves of a cent among them: multiples of 5 over divisors of 1,000 and the like.
    const dividends = fc.oneof(decimal(2 ** 31 - 1), decimal(10_000))
    const divisors = fc.oneof(
      decimal(10_000_000),
      fc.record({ digits: fc.constantFrom(1, 2, 4, 5, 8, 20, 25, 125, 200, 1000), places: fc.nat(3) }),
    )
    fc.assert(
      fc.property(dividends, divisors, (a, b) => {
        fc.pre(b.digits > 0)
        const above = 200n * BigInt(a.digits) * 10n ** BigInt(b.places)
        const below = BigInt(b.digits) * 10n ** BigInt(a.places)
        // The largest number of cents that is at most half a cent above the quotient.
        const cents = (above + below) / (2n * below)
        const text = String(cents).padStart(3, '0')
        expect(divideToCents(toNumber(a), toNumber(b))).toBe(Number(`${text.slice(0, -2)}.${text.slice(-2)}`))
      }),
      { numRuns: 1000 },
    )
  })
})
