/** Import and export of contacts that were merged into others. */
import { beforeEach, describe, expect, it } from 'vitest'
import { call, type Data, importRecords, keyWith } from '../../support/api.ts'
import { selectAll, selectFirst } from '../../support/database.ts'
import { named } from '../../support/factories/named.ts'
import { emptyAndSeed, emptyService } from '../../support/storage.ts'
import { clean, exported, importLine, importReply, importText } from '../../support/transfer.ts'

const dates = { date_created: '2020-01-01 10:00:00', date_updated: '2020-02-01 10:00:00' }
const contact = (id: number, more: Data = {}): Data => ({
  ...{ id, first_name: 'Zoi', last_name: `Of ${id}`, created_by: 1, ...dates, ...more },
})

const seed = async () => {
  await importRecords([...named('users', 'Agent'), ...named('contact_tags', 'A', 'B')])
}
beforeEach(() => emptyAndSeed(seed))

const rows = () =>
  selectAll<{ id: number }>('select id, last_name, is_deleted, merged_into from contacts order by id')
const row = (id: number, merged_into: number | null) => ({
  ...{ id, last_name: `Of ${id}`, is_deleted: Number(merged_into !== null), merged_into },
})
const importAll = (lines: Data[], mode?: string) => importReply('contacts', lines, mode)
const TARGET = contact(12)
const MERGED = contact(88, { merged_into: 12 })

describe('a line with merged_into', () => {
  it.each([
    ['below its target', [TARGET, MERGED]],
    ['above its target', [MERGED, TARGET]],
  ])('is stored %s', async (_, lines) => {
    expect(await importAll(lines)).toEqual(clean(2))
    expect(await rows()).toEqual([row(12, null), row(88, 12)])
  })

  it.each(['merge', 'replace'])('marks a stored contact as merged, in mode %s', async (mode) => {
    await importAll([TARGET, contact(88)])
    expect(await importAll([MERGED], mode)).toEqual(clean(1))
    expect(await rows()).toEqual([row(12, null), row(88, 12)])
    expect(await selectFirst('select version from contacts where id = 88')).toEqual({ version: 2 })
    expect(await importAll([MERGED], mode)).toEqual(clean(1))
    expect(await selectFirst('select version from contacts where id = 88')).toEqual({ version: 2 })
  })

  it('counts as deleted, whatever it says of that', async () => {
    expect(await importAll([TARGET, { ...MERGED, is_deleted: false }])).toEqual(clean(2))
    expect(await rows()).toEqual([row(12, null), row(88, 12)])
    expect(await importLine('contacts', { id: 88, merged_into: 12, is_deleted: false })).toBeNull()
    expect(await rows()).toEqual([row(12, null), row(88, 12)])
  })

  it('is refused without its target, and stored once that is there', async () => {
    expect(await importLine('contacts', MERGED)).toBe('Unknown merged_into 12')
    expect(await rows()).toEqual([])
    await importAll([TARGET])
    expect(await importLine('contacts', MERGED)).toBeNull()
  })

  it('waits for a target that another line of the request waits for', async () => {
    const tagged = contact(12, { tags: [3] })
    const lines = [...named('contact_tags', 'A', 'B', 'C'), ['contacts', tagged], ['contacts', MERGED]]
    const text = lines.map(([entity, data]) => JSON.stringify({ entity, data })).join('\n')
    expect(await importText(text)).toEqual(clean(5))
    expect(await rows()).toEqual([row(12, null), row(88, 12)])
  })

  it.each([
    ['a deleted target', [contact(12, { is_deleted: true }), MERGED]],
    ['a merged target', [contact(5), contact(12, { merged_into: 5 }), MERGED]],
    ['a target that is merged below', [MERGED, contact(12, { merged_into: 5 }), contact(5)]],
  ])('is stored with %s', async (_, lines) => {
    expect(await importAll(lines)).toEqual(clean(lines.length))
    expect((await rows()).at(-1)).toEqual(row(88, 12))
  })

  it.each([
    ['itself', [], [contact(88, { merged_into: 88 })], 88],
    ['each other in one file', [], [contact(12, { merged_into: 88 }), MERGED], 12],
    ['what is stored', [TARGET, MERGED], [contact(12, { merged_into: 88 })], 88],
    ['a chain', [contact(5), contact(12, { merged_into: 5 }), MERGED], [contact(5, { merged_into: 88 })], 88],
    [
      'a chain in one file',
      [contact(5), TARGET],
      [MERGED, contact(5, { merged_into: 88 }), contact(12, { merged_into: 5 })],
      5,
    ],
  ])('is refused if it makes a loop: %s', async (_, stored, lines, into) => {
    await importAll(stored)
    const before = await rows()
    const last = lines.at(-1)
    const { accepted, errors } = await importAll(lines)
    const message = `Invalid merged_into: ${into} is merged into ${last?.id}`
    expect(errors.at(-1)).toMatchObject({ id: last?.id, message, problems: [{ field: 'merged_into' }] })
    // What waits for the refused line is refused, too.
    expect(accepted).toBe(before.length > 0 ? lines.length - 1 : 0)
    const merges = new Map(
      (await selectAll<{ id: number; merged_into: number }>('select * from contacts')).map((one) => [
        one.id,
        one.merged_into,
      ]),
    )
    for (const id of merges.keys()) {
      let at: number | null | undefined = id
      for (let steps = 0; at != null; at = merges.get(at)) expect(steps++).toBeLessThan(5)
    }
  })
})

describe('any other line of a merged contact', () => {
  beforeEach(async () => {
    await importAll([TARGET, contact(5), MERGED])
  })

  const rejected = (message: string) => ({
    accepted: 0,
    rejected: 1,
    errors: [{ line: 1, entity: 'contacts', id: 88, message, problems: [{ field: null, message }] }],
  })

  it.each([
    ['from before the merge', contact(88)],
    ['with a change', { id: 88, last_name: 'New' }],
    ['with nothing', { id: 88 }],
    ['with merged_into null', { ...MERGED, merged_into: null }],
    ['with another target', { ...MERGED, merged_into: 5 }],
    ['as living', { ...contact(88), is_deleted: false }],
    ['with what is invalid, too', { id: 88, last_name: 7, created_by: 'x' }],
  ])('is rejected %s, in both modes', async (_, line) => {
    for (const mode of ['merge', 'replace'])
      expect(await importAll([line], mode)).toMatchObject(rejected('merged into 12'))
    expect(await rows()).toEqual([row(5, null), row(12, null), row(88, 12)])
    expect(await selectFirst('select version from contacts where id = 88')).toEqual({ version: 1 })
  })

  it('is taken from an export during which the merge was undone', async () => {
    const newer = { date_updated: '2020-02-01 10:00:01' }
    expect(await importAll([contact(88, newer)], 'replace')).toEqual(clean(1))
    expect(await rows()).toEqual([row(5, null), row(12, null), row(88, null)])
    await importAll([MERGED])
    expect(await importAll([{ ...MERGED, ...newer, merged_into: 5 }], 'replace')).toEqual(clean(1))
    expect(await rows()).toEqual([row(5, null), row(12, null), row(88, 5)])
  })
})

describe('a key that only imports', () => {
  const importBy = async (lines: Data[]) => {
    const body = lines.map((data) => JSON.stringify({ entity: 'contacts', data })).join('\n')
    const key = await keyWith('admin:import', '*:write')
    return (await call('POST', '/admin/import?mode=replace', { body, key })).body.data
  }

  it('merges no stored contact, and gives none back', async () => {
    await importAll([TARGET, contact(5)])
    const refused = 'Only ADMIN_TOKEN may import a stored contact as merged: merge it'
    expect((await importBy([contact(5, { merged_into: 12 })])).errors).toMatchObject([
      { id: 5, message: refused },
    ])
    // New ones, and what is stored already, are taken.
    expect(await importBy([MERGED])).toEqual(clean(1))
    expect(await importBy([{ ...MERGED, notes: 'x' }])).toEqual(clean(1))
    const newer = contact(88, { date_updated: '2030-01-01 00:00:00' })
    expect((await importBy([newer])).errors).toMatchObject([{ id: 88, message: 'merged into 12' }])
    expect(await rows()).toEqual([row(5, null), row(12, null), row(88, 12)])
  })
})

describe('export of merged contacts', () => {
  const LINES = [TARGET, contact(20, { merged_into: 88 }), MERGED, contact(90, { merged_into: 20 })]

  it('writes what each was merged into, and restores an empty service', async () => {
    await importAll(LINES)
    const before = await exported()
    const merges = before
      .map((line) => JSON.parse(line).data)
      .filter((data) => 'merged_into' in data)
      .map(({ id, last_name, merged_into, is_deleted }) => [id, last_name, merged_into, is_deleted])
    expect(merges).toEqual([
      [20, 'Of 20', 88, true],
      [88, 'Of 88', 12, true],
      [90, 'Of 90', 20, true],
    ])
    for (const mode of ['merge', 'replace']) {
      await emptyService()
      expect(await importText(before.join('\n'), { mode })).toEqual(clean(before.length))
      expect(await exported()).toEqual(before)
      expect(await importText(before.join('\n'), { mode })).toEqual(clean(before.length))
      expect(await exported()).toEqual(before)
    }
  })
})
