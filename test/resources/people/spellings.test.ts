/** Spellings of the same telephone, e-mail and name, and of others, over every call that compares them. */
import { beforeAll, describe, expect, it } from 'vitest'
import { get, importRecords, type Line } from '../../support/api.ts'
import { named } from '../../support/factories/named.ts'
import { foundByQuery } from '../../support/reads.ts'

type Pair = [one: string, other: string]
type Kind = 'phone' | 'email' | 'name'

const SAME: Record<Kind, Pair[]> = {
  phone: [
    ['2101234500', '210 123 4500'],
    ['+30 2101234501', '2101234501'],
    ['(210) 123-45.03', '210/1234503'],
    ['2101234504 εσωτ. 12', '2101234504'],
    ['2101234506, 6971234506', '6971234506'],
    ['2101234507;6971234507', '+30 697 123 4507'],
    ['2101234510-2', '2101234510'],
    ['089 1234511', '+49 89 1234511'],
    ['1234513', '210 1234513'],
    ['+44 (0)20 7946 0014', '020 7946 0014'],
    ['6971234516 (μετά τις 5)', '6971234516'],
    ['2101234519 6971234519', '+306971234519'],
  ],
  email: [
    ['Anna@First.example', 'anna@first.EXAMPLE'],
    ['Anna Riga <anna@second.example>', 'anna@second.example'],
    ['x@fourth.example; anna@fourth.example', 'anna@fourth.example'],
    ['"Riga, Anna" <anna@sixth.example>', 'anna@sixth.example, b@sixth.example'],
  ],
  name: [
    ['Γιώργος Παπαδόπουλος', 'ΠΑΠΑΔΟΠΟΥΛΟΣ ΓΙΩΡΓΟΣ'],
    ['Σταύρος Αυγέρης', 'Stavros Avgeris'],
    ['Ταϋγέτη Χαρά', 'Chara Taygeti'],
    ['Άγγελος Θεοδώρου', 'theodorou angelos'],
    ['Μαρία Παππά-Λάμπρου', 'Λάμπρου Μαρία Παππά'],
    ["Sean O'Brien", 'OBrien Séan'],
    ['Søren Kjær', 'Soren Kjaer'],
    ['Łukasz Nowak', 'lukasz nowak'],
    ['Aννα Ράγκου', 'Anna Ragkou'],
  ],
}

const OTHER: Record<Kind, Pair[]> = {
  phone: [
    ['2101234600', '2101234601'],
    ['123477', '210123477'],
    ['1234604', '1234604 5'],
    ['697123/4606', '6971234607'],
    ['2101234608 ext 1234', '1234'],
    ['0000000', '000 0000'],
  ],
  email: [
    ['anna@seventh.example', 'joanna@seventh.example'],
    ['anna.r@ninth.example', 'annar@ninth.example'],
    ['no address', 'no address'],
  ],
  name: [
    ['Γιώργος', 'Γιώργος'],
    ['Άννα Κώστα', 'Άννα Κώστα Ρήγα'],
    ['Jean Petit', 'Jeanpetit'],
    ['Anna Anna Berg', 'Anna Berg'],
    ['Müller Eva', 'Mueller Eva'],
  ],
}

const KINDS: Kind[] = ['phone', 'email', 'name']
const CASES = KINDS.flatMap((kind) => [
  ...SAME[kind].map((pair) => ({ kind, pair, isSame: true })),
  ...OTHER[kind].map((pair) => ({ kind, pair, isSame: false })),
]).map((one, index) => ({ ...one, ids: [1000 + 2 * index, 1001 + 2 * index] as const }))

const fields = {
  phone: (text: string) => ({ first_name: 'P', phones: [{ number: text }] }),
  email: (text: string) => ({ first_name: 'E', emails: [{ email_address: text }] }),
  name: (text: string) => ({ first_name: text }),
}

beforeAll(async () => {
  await importRecords([
    ...named('users', 'User 1'),
    ...CASES.flatMap(({ kind, pair, ids }) =>
      pair.map((text, side): Line => ['contacts', { id: ids[side], created_by: 1, ...fields[kind](text) }]),
    ),
  ])
})

describe('spellings', () => {
  it.each(CASES.map((one) => [one.kind, ...one.pair, one.isSame, one.ids] as const))(
    '%s: %s and %s are the same: %s',
    async (kind, one, other, isSame, [first, second]) => {
      for (const [text, own, met] of [
        [one, first, second],
        [other, second, first],
      ] as const) {
        const query = `${kind}=${encodeURIComponent(text)}`
        const found = (await get(`/api/contacts/duplicates?${query}`)).body.data
        const ids = found.map(({ contact_id }: { contact_id: number }) => contact_id)
        expect([text, ids.includes(met)]).toEqual([text, isSame])
        for (const { reasons } of found) expect(reasons).toEqual([kind])
        const ofContact = (await get(`/api/contacts/duplicates?contact_id=${own}`)).body.data
        expect(ofContact.map(({ contact_id }: { contact_id: number }) => contact_id)).toEqual(
          isSame ? [met] : [],
        )
        if (isSame)
          expect(await foundByQuery('/api/contacts', `search=${encodeURIComponent(text)}`)).toContain(met)
      }
    },
  )
})
