import { getTableConfig, sqliteTable } from 'drizzle-orm/sqlite-core'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { blankRecord, columns, inputs, outputs, pick, present, toRow } from '../../src/fields/derive.ts'
import {
  amount,
  choice,
  count,
  dateTime,
  decimal,
  entries,
  flag,
  key,
  reference,
  text,
} from '../../src/fields/kinds.ts'

const doc = 'A field'

const boxes = sqliteTable('boxes', columns({ id: key({ doc }) }))

const item = {
  id: key({ doc }),
  label: text({ doc, person: false, required: true, max: 10 }),
  size: choice(['small', 'large'], { doc }),
  box_id: reference({ doc, to: 'boxes' }),
  date_created: dateTime({ doc, assigned: true }),
  share: count({ doc, none: 0, max: 100 }),
  note: text({ doc, person: false, none: '' }),
  remark: text({ doc, person: false, writeOnly: true }),
  is_open: flag({ doc }),
  is_sold: flag({ doc, required: true }),
  price: amount({ doc, storedAs: 'price_cents' }),
  weight: decimal({ doc }),
  parts: entries(
    {
      name: text({ doc, person: false, required: true }),
      colour: text({ doc, person: false }),
      note: text({ doc, person: false, none: '' }),
    },
    { doc, entry: { name: 'Part', doc }, max: 2, bytes: 1000 },
  ),
}

const body = z.object(inputs(item))
const least = { id: 1, label: 'A', is_sold: false }

/** The row of a body that has no more than it must. */
const leastRow = {
  ...least,
  size: null,
  box_id: null,
  share: 0,
  note: '',
  remark: null,
  is_open: false,
  price_cents: null,
  weight: null,
  parts: [],
}

describe('a field', () => {
  it('a field left out, null or empty becomes "none"', () => {
    const cleared = { note: null, remark: '', is_open: null, share: null, price: null, parts: null }
    for (const sent of [least, { ...least, ...cleared }]) {
      expect(toRow(item, body.parse(sent))).toEqual(leastRow)
    }
    expect(blankRecord(item)).toMatchObject({ share: 0, note: '', remark: null, is_open: false, parts: [] })
  })

  it.each([
    { label: undefined },
    { label: null },
    { label: '' },
    { label: 'eleven long' },
    { is_sold: null },
    { share: 101 },
    { size: 'medium' },
    { price: 1.005 },
    { parts: [{}] },
    { parts: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] },
  ])('refuses %j', (sent) => {
    expect(body.safeParse({ ...least, ...sent }).success).toBe(false)
  })

  it('is stored in the column that it names, and shown as its kind says', () => {
    const sent = { ...least, price: 12.5, weight: '3', parts: [{ name: 'lid' }] }
    const row = { ...toRow(item, body.parse(sent)), date_created: '2026-01-01 00:00:00' }
    expect(row).toMatchObject({ price_cents: 1250, weight: '3.00' })
    expect(row.parts).toEqual([{ name: 'lid', colour: null, note: '' }])
    const shown = present(item, row)
    expect(shown).toMatchObject({ ...least, price: '12.50', weight: '3.00', remark: null })
    expect(z.strictObject(outputs(item)).parse(shown)).toEqual(shown)
    expect(present(item, row, false)).not.toHaveProperty('remark')
    expect(pick(item, { price: 5, note: undefined })).toEqual({ price_cents: 5 })
  })

  it('has a column that takes null only where the field does', () => {
    const { columns: made, foreignKeys } = getTableConfig(sqliteTable('items', columns(item, { boxes })))
    const facts = Object.fromEntries(made.map((column) => [column.name, [column.notNull, column.default]]))
    expect(facts).toEqual({
      id: [true, undefined],
      label: [true, undefined],
      size: [false, undefined],
      box_id: [false, undefined],
      date_created: [true, undefined],
      share: [true, 0],
      note: [true, ''],
      remark: [false, undefined],
      is_open: [true, false],
      is_sold: [true, undefined],
      price_cents: [false, undefined],
      weight: [false, undefined],
      parts: [true, []],
    })
    expect(foreignKeys.map((foreign) => foreign.reference().foreignTable)).toEqual([boxes])
    const { foreignKeys: none } = getTableConfig(sqliteTable('loose', columns(item, { boxes: null })))
    expect(none).toEqual([])
  })
})
