/**
 * What becomes of a line of an import, by what is known of the persons that it concerns: a table of cases, of which the first
 * that fits decides. A line is refused; or what it holds of a person is cleared (`blank`), or replaced by what is stored
 * (`drop`); or it is taken as it is.
 */

/** What is known of a line. */
export interface Facts {
  /** Whether it is the line of a contact, or of a record that may link to some. */
  of: 'contact' | 'record'
  /** Whether it says that its record is erased, which is not marked so; of a contact, in any case. */
  erases: boolean
  /** Its record: not there, not erased, or erased itself or on the list of an erasure. */
  record: 'new' | 'living' | 'erased'
  isHeld: boolean
  /** The erased contacts that it names: none, only such as an import has added as erased, or others. */
  names: 'none' | 'imported' | 'erased'
  /** Whether its stored record would link to an erased contact for the first time. */
  linksAnew: boolean
}

type Case = { name: string; if: Partial<Facts> } & (
  | { verdict: 'refuse'; because: 'erased' | 'linked' | 'held' }
  | { verdict: 'blank' | 'drop' | 'take' }
)

const refuse = (because: 'erased' | 'linked' | 'held', name: string, facts: Partial<Facts>): Case => {
  return { name, if: facts, verdict: 'refuse', because }
}

const UNCONCERNED: Case = { name: 'no erased person is concerned', if: {}, verdict: 'take' }

export const CASES: readonly Case[] = [
  refuse('erased', 'an erased contact is sent as living', { of: 'contact', erases: false, record: 'erased' }),
  refuse('linked', 'a stored record is linked to an erased contact', { linksAnew: true }),
  refuse('held', 'somebody on hold is sent as erased', { erases: true, isHeld: true }),
  { name: 'a record is sent as erased', if: { erases: true }, verdict: 'blank' },
  { name: 'a record was erased', if: { record: 'erased' }, verdict: 'drop' },
  { name: 'a record names an erased contact', if: { names: 'erased' }, verdict: 'drop' },
  {
    name: 'a stored record names one imported so',
    if: { names: 'imported', record: 'living' },
    verdict: 'drop',
  },
  // It has what was written since the erasure.
  { name: 'a new record names one imported so', if: { names: 'imported' }, verdict: 'take' },
  UNCONCERNED,
]

/** The verdict on a line: the first case that fits. */
export function verdictOn(facts: Facts): Case {
  const known = new Map<string, unknown>(Object.entries(facts))
  const fits = (one: Case) => Object.entries(one.if).every(([fact, value]) => known.get(fact) === value)
  return CASES.find(fits) ?? UNCONCERNED
}
