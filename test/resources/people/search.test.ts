import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { oneLine } from '../../../src/db/fold.ts'
import { contactKeys, soughtBeginnings } from '../../../src/resources/people/keys.ts'
import { countDatabase } from '../../../tools/bench/count-database.ts'
import { call, importRecords } from '../../support/api.ts'
import { execute } from '../../support/database.ts'
import { named } from '../../support/factories/named.ts'
import { foundByQuery } from '../../support/reads.ts'

const CONTACTS = 2000
const [SOUGHT, OTHERS] = [CONTACTS + 1, CONTACTS + 2]

beforeAll(async () => {
  const contact = (id: number, fields: object): [string, Record<string, unknown>] => [
    'contacts',
    { id, created_by: 1, ...fields },
  ]
  await importRecords([
    ...named('users', 'User 1'),
    ...Array.from({ length: CONTACTS }, (_, index) =>
      contact(index + 1, {
        first_name: 'Γιώργος',
        last_name: `Οικονόμου${index}`,
        phones: [{ number: `+30 69${String(10_000_000 + index * 7919)}` }],
        emails: [{ email_address: `c${index}@mail.example` }],
      }),
    ),
    contact(SOUGHT, {
      first_name: 'Γιώργος',
      last_name: 'Ρήγας',
      phones: [{ number: '2310 555444' }],
      emails: [{ email_address: 'Riga@home.example' }],
    }),
  ])
})

it.each<[string, number[]]>([
  ['ρηγας γιωργος', [SOUGHT]],
  ['Giorgos Rig', [SOUGHT]],
  ['ριγα', [SOUGHT]],
  ['riga', [SOUGHT]],
  ['home.example', [SOUGHT]],
  ['RIGA@home', [SOUGHT]],
  ['2310 555', [SOUGHT]],
  ['5444', [SOUGHT]],
  ['+30 2310 555444', [SOUGHT]],
  ['2109999999', []],
  ['+30 2109999999', []],
  ['someone@home.example', []],
  ['Nobody Known', []],
  ['κανεις', []],
])('reads few of many contacts to find %s', async (search, ids) => {
  const counts = { trips: 0, rowsRead: 0, rowsWritten: 0 }
  const reply = await call('GET', `/api/contacts?search=${encodeURIComponent(search)}`, {
    bindings: { DB: countDatabase(env.DB, counts) },
  })
  expect(reply.body.data.map(({ id }: { id: number }) => id)).toEqual(ids)
  expect(counts.trips).toBe(1)
  expect(counts.rowsRead).toBeLessThanOrEqual(100)
})

it('finds a contact that other code has written before its keys are derived', async () => {
  await execute(
    `insert into contacts (id, first_name, last_name, created_by, date_created, date_updated, search)
      values (?, 'Ηλίας', 'Νέος', 1, '2026-01-01 00:00:00', '2026-01-01 00:00:00', 'ηλιασ νεοσ')`,
    OTHERS,
  )
  expect(await foundByQuery('/api/contacts', 'search=ηλίας')).toEqual([OTHERS])
})

it('looks for each word, and each two words of which one is unfinished, by a beginning of the contact', () => {
  const letters = fc.constantFrom(...'αβγδεηικλμνοπρστυφχψςΆΈΉΊϊΐύABCDéñßøł')
  const word = fc.oneof(
    fc.constantFrom(
      'Ευαγγελία',
      'ΠΑΟΥ',
      'Μαΐου',
      'Μπάμπης',
      'Ρήγα-Παπά',
      'O’Brien',
      'Straße',
      'İpek',
      'J.',
      '李',
    ),
    fc.string({ unit: letters, minLength: 1, maxLength: 8 }),
  )
  const texts = { company_name: null, phones: [], emails: [], contact_details: [] }
  fc.assert(
    fc.property(
      fc.uniqueArray(word, { selector: oneLine, minLength: 2, maxLength: 4 }),
      fc.nat(),
      (names, nth) => {
        const [first = '', ...last] = names
        const own: string[] = JSON.parse(
          contactKeys({ ...texts, first_name: first, last_name: last.join(' ') }),
        )['contacts.search']
        const [whole = '', begun = ''] = [names[nth % names.length], names[(nth + 1) % names.length]]
        const unfinished = begun.slice(0, 1 + (nth % begun.length))
        for (const search of [
          whole,
          unfinished,
          names.join(' '),
          `${whole} ${unfinished}`,
          `${unfinished} ${whole}`,
        ]) {
          const { beginnings } = soughtBeginnings(search)
          expect(
            beginnings.length === 0 ||
              beginnings.some((sought) => own.some((text) => text.startsWith(sought))),
            `${search} of ${names.join(' ')}`,
          ).toBe(true)
        }
      },
    ),
  )
})
