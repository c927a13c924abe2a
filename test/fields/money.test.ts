import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { amount, cents, formatCents } from '../../src/fields/money.ts'

const message = (value: unknown, schema = cents()) => schema.safeParse(value).error?.issues[0]?.message

describe('an amount', () => {
  it.each<[number | string, number]>([
    ['12.3', 1230],
    ['12.30', 1230],
    ['0.01', 1],
    ['007.10', 710],
    ['-5.05', -505],
    ['9999999999999.99', 999_999_999_999_999],
    [12.3, 1230],
    [-0, 0],
    [-5.05, -505],
    [0.1 + 0.2, 30],
    [3 * 1.1, 330],
    [1.005 * 1000, 100_500],
    [9_999_999_999_999.99, 999_999_999_999_999],
    [123_456_789_012.29, 12_345_678_901_229],
  ])('%j is %j cents', (value, expected) => {
    expect(cents().parse(value)).toBe(expected)
  })

  it.each([
    '12.345',
    '.5',
    '1,5',
    '1e3',
    '+5',
    '5€',
    '٥',
    '0x10',
    '',
    'NaN',
    '1'.repeat(30),
    12.345,
    1e-7,
    1_000_000_000_000 + 0.005,
    9_000_000_000_000 + 0.006,
    1e21,
  ])('%j is none', (value) => {
    expect(message(value)).toBe('must be an amount with at most 2 decimals')
  })

  it.each([null, true, {}, [], Number.NaN, Number.POSITIVE_INFINITY])('%j is not even a number', (value) => {
    expect(message(value)).toBeDefined()
  })

  it('stays where every cent has a number of its own', () => {
    const text = 'must be at most 9999999999999.99'
    for (const value of ['10000000000000.00', '-10000000000000', 1e13, 1e20])
      expect(message(value)).toBe(text)
  })

  it('is not negative where only amounts are taken', () => {
    expect(message('-0.01', amount())).toBe('must be at least 0')
    expect(amount().parse('0.00')).toBe(0)
  })

  it.each([
    [0, '0.00'],
    [1, '0.01'],
    [100, '1.00'],
    [123_456, '1234.56'],
    [-505, '-5.05'],
    [999_999_999_999_999, '9999999999999.99'],
  ])('%i cents are written %s', (value, text) => {
    expect(formatCents(value)).toBe(text)
  })

  it('comes back the same as text and as number', () => {
    const anyCents = fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 })
    fc.assert(
      fc.property(anyCents, (value) => {
        const text = formatCents(value)
        expect(cents().parse(text)).toBe(value)
        expect(cents().parse(Number(text))).toBe(value)
      }),
    )
  })
})
