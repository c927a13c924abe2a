import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { foldText } from '../../../../src/db/fold.ts'
import { publicAddress, streetOf } from '../../../../src/resources/listings/address/public-address.ts'
import { get, importRecords } from '../../../support/api.ts'
import { seedAgency } from '../../../support/factories/agency.ts'
import { minimalListing } from '../../../support/factories/listing.ts'

/** Addresses and what the public sees of them. */
const ADDRESSES: Record<string, string | null> = {
  Ερμού: 'Ερμού',
  'Ερμού, 105 63 Αθήνα': 'Ερμού',
  'Ερμού 12ος': 'Ερμού',
  'Ερμού Κ12': 'Ερμού',
  'Ερμού No. 12': 'Ερμού',
  'Ερμού, αριθμός: 12': 'Ερμού',
  'Ερμού (γωνία Βουλής 15)': 'Ερμού',
  'Ερμού (πλατεία) 15': 'Ερμού (πλατεία)',
  'Ερμού ½': 'Ερμού',
  'Ερμού 1️⃣5️⃣': 'Ερμού',
  'Ερμού\u200b15': 'Ερμού\u200b',
  'Ερμού 3 & Βουλής 8': 'Ερμού',
  'Σόλωνος & Ασκληπιού': 'Σόλωνος',
  'Σόλωνος/Ασκληπιού': 'Σόλωνος',
  'Σόλωνος και Ασκληπιού': 'Σόλωνος',
  'Σόλωνος, γωνία με Ασκληπιού': 'Σόλωνος',
  'Σόλωνος (γων. Ασκληπιού)': 'Σόλωνος',
  'Σόλωνος 12 γωνία Ασκληπιού 3': 'Σόλωνος',
  'Γωνία Σόλωνος και Ασκληπιού': 'Σόλωνος',
  'Λεωφ. 28ης Οκτωβρίου και Ερμού 5': 'Λεωφ. 28ης Οκτωβρίου',
  'Corner of Solonos and Asklipiou': 'Solonos',
  'Διασταύρωση Σόλωνος και Ασκληπιού': 'Σόλωνος',
  'Β. Όλγας & Α. Παπανδρέου': 'Β. Όλγας',
  'Σόλωνος και': 'Σόλωνος και',
  'Σόλωνος, Ασκληπιού': 'Σόλωνος',
  'Σόλωνος, 28ης Οκτωβρίου': 'Σόλωνος',
  'Σόλωνος με Ασκληπιού': 'Σόλωνος',
  'Σόλωνος - Ασκληπιού': 'Σόλωνος',
  'Σόλωνος; Ασκληπιού': 'Σόλωνος',
  'Κολωνάκι, Σόλωνος 12': 'Κολωνάκι',
  'Παπαναστασίου-Δημητρίου': 'Παπαναστασίου-Δημητρίου',
  '25 Μαρτίου και Ερμού': 'Μαρτίου',
  '15 με 17 Ερμού': 'Ερμού',
  'Λεωφ. Κηφισίας 44-46, Μαρούσι': 'Λεωφ. Κηφισίας',
  "Γεωργίου Α' 15": "Γεωργίου Α'",
  '28ης Οκτωβρίου': '28ης Οκτωβρίου',
  '3Η ΠΑΡΟΔΟΣ 5': 'ΠΑΡΟΔΟΣ',
  'Λεωφ.28ης Οκτωβρίου 5': 'Λεωφ.28ης Οκτωβρίου',
  '28ης, Ερμού 5': 'Ερμού',
  '12 Αποστόλων 7Α-9, 10563 Αθήνα': '12 Αποστόλων',
  '28 Οκτωβρίου': 'Οκτωβρίου',
  '12 Main Street #4': 'Main Street',
  '15 Α Ερμού': 'Ερμού',
  '12 Γ. Παπανδρέου': 'Γ. Παπανδρέου',
  '7-12 Αποστόλων 9': 'Αποστόλων',
  '15 Ερμού 3 όροφος': 'Ερμού',
  '15, κουδούνι Παπαδόπουλος': null,
  '15 έως 17 Ερμού': 'Ερμού',
  '15 Ερμού 3 διαμέρισμα': 'Ερμού',
  '15 Ερμού 45 τμ': 'Ερμού',
  '12 Αποστόλων 7 διαμ. Β': '12 Αποστόλων',
  '2ο επίπεδο, Ερμού 15': null,
  'Ερμού στον αριθμό 15': 'Ερμού στον',
  'Ερμού από 15 έως 17': 'Ερμού από',
  'Ερμού Α-15': 'Ερμού',
  '105 63 Αθήνα, Ερμού 15': 'Αθήνα',
  '15': null,
  '°': null,
  '1\u030128ης Ερμού 5': 'Ερμού',
  '—': null,
}

describe('the public address of a listing', () => {
  const entries = Object.entries(ADDRESSES)

  beforeAll(async () => {
    await seedAgency()
    await importRecords(
      entries.map(([address], index) => [
        'listings',
        { ...minimalListing, id: index + 1, location: { address, display_address: 'fake' } },
      ]),
    )
  })

  it('is the address up to its number', async () => {
    const shown: Record<string, string | null> = {}
    for (let page = 1; page <= Math.ceil(entries.length / 50); page++) {
      const { body } = await get(`/api/listings?page=${page}`)
      for (const { location } of body.data) shown[location.address_el] = location.fake_address_el
    }
    expect(shown).toEqual(ADDRESSES)
  })

  it.each<[stored: string | null, address: string, shown: string | null]>([
    ['Ερμού 12', 'Ερμού 12 10563', 'Ερμού'],
    ['Ερμού 12 10563', 'Ερμού 12 10563', 'Ερμού'],
    ['Ερμού, κουδούνι Παπαδόπουλος', 'Ερμού 15, κουδούνι Παπαδόπουλος', 'Ερμού'],
    ['15', '15', null],
    ['Κέντρο', 'Σόλωνος 5', 'Κέντρο'],
    ['Σόλωνος, Ασκληπιού', 'Σόλωνος, Ασκληπιού', 'Σόλωνος'],
    ['Σόλωνος με Ασκληπιού', 'Σόλωνος 5', 'Σόλωνος'],
    ['Μονοκατοικία με θέα θάλασσα', 'Ερμού 3', 'Μονοκατοικία με θέα θάλασσα'],
    ['Μαρούσι', 'Λεωφ. Κηφισίας 44, Μαρούσι', 'Μαρούσι'],
    [null, 'Σόλωνος 5', null],
  ])('that was imported as %j for %j shows as %j', async (stored, address, shown) => {
    const location = { address, display_address: 'fake', fake_address_el: stored }
    await importRecords([['listings', { ...minimalListing, id: 900, location }]])
    expect((await get('/api/listings/900')).body.data.location.fake_address_el).toBe(shown)
  })
})

const DIGITS = ['0123456789', '０１２３４５６７８９', '٠١٢٣٤٥٦٧٨٩', '०१२३४५६७८९', '𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗']
const inScript = (number: number, script: string) =>
  String(number).replace(/\d/g, (digit) => [...script][Number(digit)] ?? '')

const letters = (alphabet: string) =>
  fc
    .array(fc.constantFrom(...alphabet), { minLength: 2, maxLength: 9 })
    .map(([first = '', ...rest]) => first.toUpperCase() + rest.join('').replace(/σ$/, 'ς'))
/** No word of these letters announces or joins numbers or is an abbreviation, but for those left out. */
const word = fc
  .oneof(letters('αβγδεζηθιλμξπστυφχψωάέήίύώ'), letters('abcdeghijlmpqstuvwxyz'))
  .filter(
    (text) =>
      !/^(διαμ|τηλ|επιπεδα|δωματια|τμ|εωσ|ωσ|apt|bell|level|sqm|suite|tel|till|με|me|with|bis|πλ|λεωφ|pl)$/.test(
        foldText(text),
      ),
  )
const name = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '))
const named = fc.oneof(
  name,
  fc
    .tuple(fc.constantFrom('', 'Λεωφ. ', 'Οδός ', 'Πλ. '), fc.constantFrom('28ης', '3η', '2ας', '12th'), name)
    .map(([street, ordinal, rest]) => `${street}${ordinal} ${rest}`),
)
const number = fc
  .tuple(fc.integer({ min: 1, max: 399 }), fc.constantFrom(...DIGITS))
  .map(([value, script]) => inScript(value, script))
const house = fc
  .tuple(number, fc.constantFrom('', '', 'Α', 'bis', '/Β', '-17', ' & 19', '–21Γ'))
  .map(([value, suffix]) => value + suffix)
const before = fc.constantFrom(
  ' ',
  ' ',
  '',
  ' Νο',
  ' Νο. ',
  ' αρ. ',
  ' #',
  ' (',
  ' [',
  ', ',
  ' -',
  ' – ',
  ' №',
  '  ',
)
const behind = fc.constantFrom(
  '',
  ')',
  '.',
  ' 10563',
  ' 105 63',
  ', 10563 Αθήνα',
  ', Τ.Κ. 105 63',
  ' διαμ. 4',
  ' 2ος όροφος',
  ', κουδούνι Παπαδόπουλος',
  ' (κουδούνι Παπαδόπουλος)',
)
const MANY = { numRuns: 1000 }

describe('the street of a generated address', () => {
  it('ends before a number that follows', () => {
    fc.assert(
      fc.property(named, before, house, behind, (street, gap, own, rest) => {
        expect(streetOf(street + gap + own + rest)).toBe(street)
      }),
      MANY,
    )
  })

  it('begins behind a number that leads', () => {
    fc.assert(
      fc.property(house, fc.constantFrom(' ', ', ', '. ', ') '), named, behind, (own, gap, street, rest) => {
        expect(streetOf(own + gap + street + rest)).toBe(street)
      }),
      MANY,
    )
  })

  it('keeps a number that leads when that of the house follows', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100 }),
        word,
        before,
        house,
        behind,
        (lead, own, gap, of, rest) => {
          // That may as well be a postal code.
          fc.pre(!/^\p{Nd}{3}-17$/u.test(of))
          expect(streetOf(`${lead} ${own}${gap}${of}${rest}`)).toBe(`${lead} ${own}`)
        },
      ),
      MANY,
    )
  })

  it('has no numbers but those of names, whatever the address is', () => {
    const piece = fc.oneof(
      named,
      house,
      before,
      behind,
      fc.string({ unit: 'grapheme', maxLength: 4 }),
      fc.constantFrom('½', '⑫', 'Ⅻ', '\u0301', '\u200b', 'και', 'Νο', '28ης', '28ης ', 'Λ. ', '\ud800'),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const address = pieces.join('')
        const shown = streetOf(address)
        if (shown === null) return
        expect(address).toContain(shown)
        expect(shown).toMatch(/\p{L}/u)
        const ordinals = /(?<![\p{L}\p{N}])\p{Nd}{1,3}(?:η|ο|ης|ας|ος|ου|is|as|os|ou|st|nd|rd|th)(?=\s)/giu
        // The ending of an ordinal may have an accent: `1ής`.
        const unaccented = shown.normalize('NFD').replace(/\p{M}/gu, '')
        const rest = unaccented.replace(ordinals, '').replace(/^\s*\p{Nd}{1,3}\s/u, '')
        expect(rest).not.toMatch(/\p{N}/u)
        // What is shown once is what is shown of it, too.
        if (!/^\s*\p{Nd}+\s/u.test(shown)) expect(publicAddress(shown, address)).toBe(shown)
      }),
      MANY,
    )
  })

  it.each(['1', '1-', '28ης ', 'Λ. 28ης Α ', '(', ')', ' ', '.', 'Α', 'Νο ', 'Τ.Κ.', 'και ', '12 Αβ 7 '])(
    'is found in an address of 100 KB of %j',
    (piece) => {
      for (const start of ['', '15 ', '12 Αποστόλων ', 'Ερμού '])
        streetOf(`${start}${piece.repeat(100_000 / piece.length)}7 αβ 10563`)
    },
  )
})
