/**
 * What becomes of a line of an import, by what is known of the persons that it concerns: a table of cases, of which the first
 * that fits decides. A line is refused; or what it holds of a person is cleared (`blank`), or replaced by what is stored
 * (`drop`); or it is taken as it is.
 */

/** What is known of a line. */
export interface Facts {
  /** Whether it is the line of a contact, or of a record that may link to some. */
  of: 'contact' | 'record'
  /** What it says of itself: that it is erased although its record is not marked so; that it still is; or nothing. */
  says: 'erased' | 'still erased' | 'nothing'
  /** Its record: not there, not erased, on the list of an erasure, or marked as erased itself. */
  record: 'new' | 'living' | 'listed' | 'marked'
  /** Whether its person is on hold. */
  hold: 'none' | 'held'
  /** The erased contacts that it names: none, only such as an import has added as erased, or others. */
  names: 'none' | 'imported' | 'erased'
  /** Whether its stored record links to an erased contact for the first time. */
  link: 'none' | 'first'
}

type Case = {
  name: string
  /** Each of these facts is one of the values. */
  if: { [Fact in keyof Facts]?: readonly Facts[Fact][] }
} & ({ verdict: 'refuse'; because: 'erased' | 'hold' | 'link' } | { verdict: 'blank' | 'drop' | 'take' })

const NONE: Case = { name: 'no erased person is concerned', if: {}, verdict: 'take' }

/** From above to below. */
export const CASES: readonly Case[] = [
  {
    name: 'an erased contact is sent as a living one',
    if: { of: ['contact'], says: ['nothing'], record: ['listed', 'marked'] },
    verdict: 'refuse',
    because: 'erased',
  },
  {
    name: 'a stored record is linked to an erased contact',
    if: { link: ['first'] },
    verdict: 'refuse',
    because: 'link',
  },
  {
    name: 'somebody on hold is sent as erased',
    if: { says: ['erased'], hold: ['held'] },
    verdict: 'refuse',
    because: 'hold',
  },
  { name: 'a record is sent as erased', if: { says: ['erased'] }, verdict: 'blank' },
  { name: 'a record was erased', if: { record: ['listed', 'marked'] }, verdict: 'drop' },
  { name: 'a record names an erased contact', if: { names: ['erased'] }, verdict: 'drop' },
  {
    name: 'a stored record names a contact that was imported as erased',
    if: { names: ['imported'], record: ['living'] },
    verdict: 'drop',
  },
  // It has what was written since the erasure.
  {
    name: 'a new record names a contact that was imported as erased',
    if: { names: ['imported'] },
    verdict: 'take',
  },
  NONE,
]

/** The verdict on a line: the first case that fits. The last one always does. */
export function verdictOn(facts: Facts): Case {
  const found = CASES.find(({ if: wanted }) =>
    Object.entries(wanted).every(([fact, values]) =>
      values.some((value) => value === facts[fact as keyof Facts]),
    ),
  )
  return found ?? NONE
}
