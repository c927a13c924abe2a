import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { PART } from '../../../src/admin/transfer/export.ts'
import { expectInvalid, get, importRecords } from '../../support/api.ts'
import { selectAll } from '../../support/database.ts'
import { importDemo } from '../../support/demo.ts'
import { exportInParts, exportText, readPart } from '../../support/transfer.ts'

const { bytes } = PART

beforeAll(() => importDemo({ contacts: 350, listings: 120 }))

afterEach(() => {
  PART.bytes = bytes
})

describe('GET /admin/export?after=', () => {
  it('gives the whole export in parts, each with whole lines', async () => {
    const whole = await exportText()
    for (const [limit, atLeast] of [
      [1, 10],
      [100_000, 5],
      [bytes, 1],
    ] as const) {
      const parts = await exportInParts(undefined, limit)
      expect(parts.join('')).toBe(whole)
      expect(parts.length).toBeGreaterThanOrEqual(atLeast)
      expect(parts.every((part) => part.endsWith('\n'))).toBe(true)
    }
  })

  it('gives a part again, and as it then is', async () => {
    PART.bytes = 1
    let first = await readPart('start')
    for (let cursor = 'start'; !first.text.includes('{"entity":"contacts"'); first = await readPart(cursor))
      cursor = first.next ?? ''
    expect(first.text).not.toContain('Changed between two parts')
    await importRecords([['contacts', { id: 1, notes: 'Changed between two parts' }]])
    const { text } = await readPart(first.next ?? '')
    expect(await readPart(first.next ?? '')).toEqual({ text, next: expect.any(String) })
    expect(text).toMatch(
      /^\{"entity":"contacts","data":\{"id":1,.*Changed between two parts.*"mode":"replace"\}\n/,
    )
  })

  it('is entered in the trail, part by part', async () => {
    const count = async () => (await selectAll("select id from trail where route = '/admin/export'")).length
    const before = await count()
    await exportInParts(undefined, bytes)
    expect(await count()).toBe(before + 1)
  })

  const cursor = (values: unknown) => btoa(JSON.stringify(values)).replaceAll('=', '')
  it.each([
    ['nothing', ''],
    ['another word', 'end'],
    ['no base64', '%25%25'],
    ['no JSON', 'abcd'],
    ['a number', cursor(1)],
    ['an unknown entity', cursor(['stores', 0, 0, 0, {}])],
    ['an unknown entity that changes', cursor(['contacts', 0, 0, 0, { stores: 1 }])],
    ['a negative id', cursor(['contacts', -1, 0, 0, {}])],
    ['a fraction', cursor(['contacts', 0.5, 0, 0, {}])],
    ['more than a number holds', cursor(['contacts', 0, 2 ** 60, 0, {}])],
    ['too little', cursor(['contacts', 0, 0])],
  ])('refuses %s', (_, after) =>
    expectInvalid(
      get(`/admin/export?after=${after}`),
      'Invalid after: must be start, or a cursor of an export',
    ),
  )
})
