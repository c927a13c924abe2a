import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import * as values from '../../src/fields/values.ts'

const accepts = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success

describe('a date', () => {
  it.each(['2026-01-31', '2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31'])('takes %s', (value) => {
    expect(accepts(values.date(), value)).toBe(true)
    expect(values.date().parse(value)).toBe(value)
  })

  it.each([
    '2026-02-29',
    '2026-04-31',
    '2026-00-10',
    '2026-01-32',
    '26-01-01',
    '-2026-01-01',
    '2026-01-01 ',
    '2026-01-01 00:00:00',
    '٢٠٢٦-٠١-٠١',
    '',
    20260101,
    null,
    {},
  ])('refuses %j', (value) => {
    expect(accepts(values.date(), value)).toBe(false)
  })
})

describe('a date-time', () => {
  it.each(['2026-01-31 18:30:00', '2024-02-29 00:00:00', '2026-12-31 23:59:59'])('takes %s', (value) => {
    expect(values.dateTime().parse(value)).toBe(value)
  })

  it.each([
    '2026-01-01 24:00:00',
    '2026-01-01 23:59:60',
    '2026-01-01',
    '2026-01-01T10:00:00',
    '2026-01-01 10:00:00Z',
    '2026-01-01 10:00:00\n',
    '🏠🏠🏠🏠🏠 10:00:00',
    '',
    0,
    null,
  ])('refuses %j', (value) => {
    expect(accepts(values.dateTime(), value)).toBe(false)
  })

  it('is what formatDateTime writes, for any moment of four-digit years', () => {
    const moments = fc.date({
      min: new Date('0001-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59Z'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(moments, (moment) => {
        const text = values.formatDateTime(moment)
        expect(values.isDateTime(text)).toBe(true)
        expect(new Date(`${text.replace(' ', 'T')}Z`).getTime()).toBe(
          Math.floor(moment.getTime() / 1000) * 1000,
        )
      }),
    )
  })
})

describe('an id', () => {
  it.each([1, 1.0, 42, values.MAX_ID])('takes %s', (value) => {
    expect(values.id().parse(value)).toBe(value)
  })

  it.each([
    0,
    -1,
    1.5,
    values.MAX_ID + 1,
    1e300,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '1',
    true,
    null,
    [1],
    {},
  ])('refuses %j', (value) => {
    expect(accepts(values.id(), value)).toBe(false)
  })

  it('keeps the order of a list and drops duplicates', () => {
    expect(values.ids().parse([3, 1, 3, 2, 1])).toEqual([3, 1, 2])
    expect(values.ids().parse([])).toEqual([])
    expect(accepts(values.ids(), [1, null])).toBe(false)
    expect(accepts(values.ids(), 1)).toBe(false)
  })
})

describe('numbers', () => {
  it.each([
    [values.count(), [0, 5, 1.0], [-1, 0.5, '5', null, Number.NaN]],
    [values.int(), [-5, 0, 5], [0.5, '5', null]],
    [values.measure(), [0, 0.5, 1e6], [-0.1, '5', Number.NaN, Number.POSITIVE_INFINITY, null]],
  ])('are strict', (schema, good, bad) => {
    for (const value of good) expect(accepts(schema, value), String(value)).toBe(true)
    for (const value of bad) expect(accepts(schema, value), String(value)).toBe(false)
  })
})

describe('text', () => {
  it('is stored as sent', () => {
    for (const value of ['Καλημέρα', '🏠', 'שלום', ' spaces ', 'a\nb\tc', "'; drop table", '<b>']) {
      expect(values.text().parse(value)).toBe(value)
    }
  })

  it('is bounded', () => {
    expect(accepts(values.text(), 'α'.repeat(255))).toBe(true)
    expect(accepts(values.text(), 'α'.repeat(256))).toBe(false)
    expect(accepts(values.text(values.LONG_TEXT), 'α'.repeat(65_535))).toBe(true)
    expect(accepts(values.text(values.LONG_TEXT), 'α'.repeat(65_536))).toBe(false)
  })

  it('counts characters, not UTF-16 units', () => {
    expect(accepts(values.text(), '🏠'.repeat(255))).toBe(true)
    expect(accepts(values.text(), '🏠'.repeat(256))).toBe(false)
  })

  it('refuses NUL and broken Unicode', () => {
    expect(accepts(values.text(), 'a\0b')).toBe(false)
    expect(accepts(values.text(), '\ud800')).toBe(false)
    expect(accepts(values.text(), 'a\udc00b')).toBe(false)
  })

  it('optional: empty means none', () => {
    expect(values.optionalText().parse('')).toBeNull()
    expect(values.optionalText().parse(' ')).toBe(' ')
  })
})
