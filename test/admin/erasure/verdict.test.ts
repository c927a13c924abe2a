/** What becomes of lines that concern erased persons: a line for each case of the table. */
import { beforeAll, expect, it } from 'vitest'
import { CASES } from '../../../src/admin/erasure/verdict.ts'
import { importRecords, post } from '../../support/api.ts'
import { selectAll } from '../../support/database.ts'
import { seedLines } from '../../support/factories/lines.ts'
import { SMALLEST } from '../../support/factories/samples.ts'
import { emptyService } from '../../support/storage.ts'
import { importReply } from '../../support/transfer.ts'

const [ERASED, IMPORTED, LIVING, HELD] = [5, 6, 7, 8]

const contact = (id: number, rest: object = {}) => ({ ...SMALLEST.contacts, id, ...rest })
const request = (id: number, of: number, rest: object = {}) => ({
  ...SMALLEST.requests,
  ...{ id, contacts: [of], notes: `Notes ${id}`, ...rest },
})

beforeAll(async () => {
  await emptyService()
  await seedLines()
  await importRecords([
    ...[ERASED, LIVING, HELD].map((id): Line => ['contacts', contact(id)]),
    ['contacts', { id: IMPORTED, is_erased: true }],
    ['requests', request(20, ERASED)],
    ['requests', request(21, LIVING)],
    ['listings', { ...SMALLEST.listings, id: 30, contacts: [LIVING] }],
  ])
  await post(`/admin/contacts/${HELD}/hold`, { reason: 'a lawsuit' })
  await post(`/admin/contacts/${ERASED}/erase`, { reason: 'Asked' })
})

type Line = Parameters<typeof importRecords>[0][number]

/** A line of each case; why it is refused, or the keys that are dropped of it; and what is stored then. */
const LINES: Record<string, { line: Line; message?: string; ignored?: string[]; stored: object }> = {
  'an erased contact is sent as living': {
    line: ['contacts', contact(ERASED)],
    message: 'erased',
    stored: { first_name: '' },
  },
  'a stored record is linked to an erased contact': {
    line: ['requests', { id: 21, contacts: [LIVING, ERASED] }],
    message: `The contact ${ERASED} was erased`,
    stored: { notes: 'Notes 21' },
  },
  'somebody on hold is sent as erased': {
    line: ['contacts', contact(HELD, { is_erased: true })],
    message: 'On hold: a lawsuit',
    stored: { first_name: 'A', is_erased: 0 },
  },
  'a record is sent as erased': {
    line: ['contacts', contact(9, { is_erased: true })],
    ignored: ['first_name'],
    stored: { first_name: '', is_erased: 1, is_deleted: 1 },
  },
  'a record was erased': {
    line: ['requests', request(20, ERASED)],
    ignored: ['notes'],
    stored: { notes: null },
  },
  'a record names an erased contact': {
    line: ['requests', request(40, ERASED)],
    ignored: ['notes'],
    stored: { notes: null },
  },
  'a stored record names one imported so': {
    line: ['listings', { id: 30, contacts: [LIVING, IMPORTED], notes: 'Old' }],
    ignored: ['notes', 'contacts'],
    stored: { notes: null },
  },
  'a new record names one imported so': {
    line: ['requests', request(41, IMPORTED)],
    stored: { notes: 'Notes 41' },
  },
  'no erased person is concerned': {
    line: ['requests', { id: 21, notes: 'New' }],
    stored: { notes: 'New' },
  },
}

it.each(CASES)('$verdict: $name', async ({ name, verdict }) => {
  const { line, message, ignored = [], stored } = LINES[name] ?? {}
  const [entity, data] = line ?? ['', {}]
  const reply = await importReply(entity, [data])
  expect(verdict === 'refuse').toBe(message !== undefined)
  expect(reply.errors.map((error) => error.message)).toEqual(message ? [message] : [])
  expect(reply.ignored.flatMap(({ fields }) => fields)).toEqual(ignored)
  expect(await selectAll(`select * from ${entity} where id = ${data.id}`)).toMatchObject([stored])
})
