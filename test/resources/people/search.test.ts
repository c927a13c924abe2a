import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { oneLine } from '../../../src/db/fold.ts'
import { contactKeys, soughtBeginnings } from '../../../src/resources/people/keys.ts'
import { get, importRecords, type Line, put, remove } from '../../support/api.ts'
import { counted, execute, selectFirst } from '../../support/database.ts'
import { named } from '../../support/factories/named.ts'
import { SMALLEST } from '../../support/factories/samples.ts'
import { foundByQuery, idsOf } from '../../support/reads.ts'
import { createContact } from '../contacts/seed.ts'

const CONTACTS = 2000
const [SOUGHT, OTHERS] = [CONTACTS + 1, CONTACTS + 2]
const LARGEST = CONTACTS + 3

const contact = (id: number, fields: object): Line => ['contacts', { id, created_by: 1, ...fields }]

/** What a call to a list finds, and the rows that it reads in one round trip. */
async function read(path: string, filters: Record<string, string>) {
  const { DB, counts } = counted()
  const { body } = await get(`${path}?${new URLSearchParams(filters)}`, { bindings: { DB } })
  expect(counts.trips).toBe(1)
  return { ids: idsOf(body), rows: counts.rowsRead }
}

/** Contacts, and what each is found by. */
const FOUND: [fields: Record<string, unknown>, searches: string[], not?: string[]][] = [
  [
    {
      first_name: 'Στέργιος',
      last_name: 'Παπαδόπουλος',
      company_name: 'Ήλιος 100% _ΑΕ Zoë',
      phones: [{ number: '+30 (210) 123-4567' }, { number: '00 44 20 7946 0000' }],
      emails: [{ email_address: 'Info@Helios.example' }],
      notes: 'secret notes',
    },
    [
      ...['στεργιος', 'ΣΤΈΡΓΙΟΣ', ' παπαδοπουλος   στεργιος ', 'παπαδοπ', 'στεργ παπαδοπουλος'],
      ...['papadopoulos ster', 'ηλιος 100', '100%', '_αε', 'ZOE', 'info@helios', '2101234567', '4567'],
      ...['20 7946 0', '+30 210', '0030210', '+44 20 7946'],
    ],
    ['παδοπ', 'στεργ παπαδ', 'elios', '100_', 'ηλιος%', '%%', 'secret', 'στεργιοςπαπ', 'x'.repeat(255)],
  ],
  [
    { company_name: 'Ανώνυμη Τεχνική Εταιρεία Κατασκευών και Εμπορίου Δομικών Υλικών Ζέφυρος ΑΕ' },
    [
      'ζεφυρος',
      'zefy',
      'υλικων ζεφ',
      'κατασκευων ζεφυρος',
      'Ανώνυμη Τεχνική Εταιρεία Κατασκευών',
      'αε ανωνυμη',
    ],
  ],
  [{ first_name: 'Α Β Γ Δ Ε Ζ Η Θ Ι Κ Λ Μ Ν Ξ Ο Π Ρ Σ', last_name: 'Εφτά' }, ['εφτα', 'Σ. Εφτά', 'Α Εφτά']],
  [{ first_name: 'Άρης', last_name: 'Ο΄Νιλ' }, ['Ο΄Νιλ', "Ο'Νιλ Άρης", 'Ο`Νιλ', 'Ο´Νιλ Άρης', 'ΟΝΙΛ ΑΡΗΣ']],
  [
    { first_name: 'Θωμάς', last_name: 'Παππά-Λύτρας' },
    ['Λύτρας, Θωμάς', 'Παππά–Λύτρας', 'Παππά‐Λ', 'lytras/pappa', '«Λύτρας» Θ.'],
  ],
  [{ company_name: 'Ζήτα 2000 & Υιοί' }, ['2000 ζητα', 'Zita & Yioi', '"Ζήτα"', '«Ζήτα 2000»', 'υιοι 20']],
  [{ last_name: 'Ω'.repeat(255) }, ['Ω'.repeat(255), 'ω'.repeat(70), 'ωωω']],
  [
    { emails: [{ email_address: 'Akis@Acme-Homes.example' }] },
    ['@acme-homes.example', '@acme', 'acme-h', 'akis@'],
  ],
  [{ emails: [{ email_address: 'www.kati-allo.example' }] }, ['www.kati-allo.example', 'WWW.kati']],
  [{ phones: [{ number: '+30 210 7770000' }] }, ['0000', '70000', '210 777', '+30 210 777']],
  [{ phones: [{ number: '30 2107771234' }] }, ['210777123', '302107771', '71234']],
]

beforeAll(async () => {
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
    ...FOUND.map(([fields], index) => contact(3000 + index, { first_name: 'Οδός', ...fields })),
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
  ['someone5@home.example', []],
  ['c5@', [6]],
  ['Nobody Known', []],
  ['Ρήγας 5', []],
  ['Nobody7', []],
  ['κανεις', []],
  ['Γ. Γ. Ρήγας', [SOUGHT]],
])('reads few of many contacts to find %s', async (search, ids) => {
  for (const sort of ['-id', 'date_created', '-date_updated']) {
    const found = await read('/api/contacts', { search, sort })
    expect(found.ids).toEqual(ids)
    expect(found.rows).toBeLessThanOrEqual(100)
  }
})

const found = async (search: string) =>
  idsOf((await get(`/api/contacts?search=${encodeURIComponent(search)}`)).body)

it.each(
  FOUND.map(([fields, ...searches], index) => [JSON.stringify(fields), 3000 + index, ...searches] as const),
)('finds %s, %i, by %j, not by %j', async (_, id, searches, others = []) => {
  for (const search of searches)
    expect([search, await found(search)]).toEqual([search, expect.arrayContaining([id])])
  for (const search of others) expect([search, await found(search)]).toEqual([search, []])
})

it('takes a search with many numbers and addresses', async () => {
  for (const search of ['2310999999,'.repeat(23), 'a@,'.repeat(85), '1234567 '.repeat(31)])
    expect((await get(`/api/contacts?search=${encodeURIComponent(search)}`)).status).toBe(200)
})

it('finds what a change made, no longer what it was, and no deleted ones', async () => {
  const id = await createContact({ first_name: 'Chloé', last_name: 'Martin' })
  expect(await found('chloe')).toEqual([id])
  await put(`/api/contacts/${id}`, { first_name: 'Zélie' })
  expect([await found('chloe'), await found('zelie martin')]).toEqual([[], [id]])
  await remove(`/api/contacts/${id}`)
  expect(await found('zelie')).toEqual([])
})

it('searches enquiries by the index of another filter', async () => {
  const enquiry = { ...SMALLEST.enquiries, first_name: 'Γιώργος' }
  await importRecords(
    Array.from({ length: 300 }, (_, index) => [
      'enquiries',
      { ...enquiry, id: index + 1, status: index ? 'closed' : 'new' },
    ]),
  )
  const { ids, rows } = await read('/api/enquiries', { search: 'γιωρ', status: 'new' })
  expect(ids).toEqual([1])
  expect(rows).toBeLessThanOrEqual(100)
})

it('stores a bounded number of short beginnings of a contact', async () => {
  const digits = (index: number) => String(10_000_000 + index)
  await importRecords([
    contact(LARGEST, {
      // Each of these characters is a word of six when it is taken apart.
      first_name: '㌖'.repeat(255),
      last_name: `${'Ψ'.repeat(120)} ${'Ξ'.repeat(120)}`,
      company_name: Array.from({ length: 80 }, (_, index) => `Θ${index}`)
        .join(' ')
        .slice(0, 255),
      phones: Array.from({ length: 100 }, (_, index) => ({
        number: `+30 21${digits(index)} +30 69${digits(index)}`,
      })),
      emails: Array.from({ length: 100 }, (_, index) => ({
        email_address: `${'x'.repeat(99)}@${'y'.repeat(99)}${index}.example`,
      })),
    }),
  ])
  expect(
    await selectFirst(
      `select count(*) <= 600 as few, max(length(key)) as longest, sum(octet_length(key)) < 60000 as small
        from person_keys where place = 'contacts.search' and record_id = ?`,
      LARGEST,
    ),
  ).toEqual({ few: 1, longest: 64, small: 1 })
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
