import { type Random, seeded } from '../fixtures/random.ts'
import { EXPENSE_CATEGORIES, USERS } from './agency.ts'
import { type DemoIncome, euros } from './incomes.ts'
import { DAY, dateOf, dateTimeOf, LATEST, momentBetween, OPENED } from './moments.ts'

export type DemoExpense = ReturnType<typeof demoExpense>

/** Expenses other than commission splits, oldest first; incomes generate the expenses of splits. */
export function demoExpenses(
  incomes: readonly DemoIncome[],
  contacts: readonly number[],
  count = 90,
): DemoExpense[] {
  const random = seeded(10_021)
  const kinds = random.deck(KINDS)
  return Array.from({ length: count }, (_, index) => {
    const span = (LATEST - OPENED) / count
    const spent = momentBetween(random, OPENED + span * index, OPENED + span * (index + 1))
    return demoExpense(random, { id: index + 1, kind: kinds(), spent, incomes, contacts })
  })
}

interface Kind {
  /** Name of an expense category. */
  readonly category: string
  readonly titles: readonly string[]
  /** Euros. */
  readonly amount: readonly [number, number]
}

const KINDS: readonly Kind[] = [
  {
    category: 'Ενοίκιο γραφείου',
    titles: ['Ενοίκιο Κέντρου', 'Ενοίκιο Κηφισιάς', 'Ενοίκιο Γλυφάδας'],
    amount: [780, 1_900],
  },
  { category: 'Διαφήμιση', titles: ['Προβολή αγγελιών', 'Έντυπα', 'Φωτογράφιση'], amount: [60, 900] },
  { category: 'Διαφήμιση', titles: ['Καμπάνια στο διαδίκτυο'], amount: [150, 1_200] },
  { category: 'Λογαριασμοί', titles: ['Ρεύμα', 'Τηλέφωνα και διαδίκτυο', 'Νερό'], amount: [25, 420] },
  { category: 'Μισθοδοσία', titles: ['Μισθοδοσία μήνα'], amount: [1_100, 2_300] },
  {
    category: 'Εξοπλισμός',
    titles: ['Φορητός υπολογιστής', 'Μετρητής λέιζερ', 'Καρέκλες'],
    amount: [90, 1_500],
  },
]

interface Start {
  readonly id: number
  readonly kind: Kind
  readonly spent: number
  readonly incomes: readonly DemoIncome[]
  readonly contacts: readonly number[]
}

function demoExpense(random: Random, { id, kind, spent, incomes, contacts }: Start) {
  const updated = random.chance(0.3) ? momentBetween(random, spent, LATEST) : null
  const payroll = kind.category === 'Μισθοδοσία'
  // Advertising of a property that was sold later.
  const linked = kind.category === 'Διαφήμιση' && incomes.length > 0 && random.chance(0.3)
  return {
    id,
    category_id: EXPENSE_CATEGORIES.find(({ name }) => name === kind.category)?.id,
    partner_id: payroll ? random.pick(USERS).id : null,
    linked_income_id: linked ? random.pick(incomes).id : null,
    linked_income_commission_id: null,
    auto_generated: false,
    amount: euros(random.int(kind.amount[0] * 100, kind.amount[1] * 100)),
    date: dateOf(spent),
    title: random.pick(kind.titles),
    notes: random.chance(0.2) ? 'Πληρώθηκε με τραπεζική κατάθεση.' : null,
    status: spent < LATEST - 45 * DAY ? ('confirmed' as const) : ('pending' as const),
    created_by: random.pick(USERS).id,
    date_created: dateTimeOf(spent),
    date_updated: updated === null ? null : dateTimeOf(updated),
    contacts: payroll ? [] : random.sample(contacts, random.chance(0.3) ? 1 : 0),
  }
}
