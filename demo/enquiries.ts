import { type Random, seeded } from '../fixtures/random.ts'
import { DEMO_LANGUAGES, USERS } from './agency.ts'
import { DAY, dateTimeOf, LATEST, momentBetween } from './moments.ts'

/** An enquiry of each kind and status, oldest first, about the active listings among `listings`. */
export function demoEnquiries(listings: readonly { id: number; status: string }[], count = 24) {
  const random = seeded(9_009)
  const active = listings.filter(({ status }) => status === 'active')
  if (active.length === 0) return []
  return Array.from({ length: count }, (_, index) => {
    const sent = momentBetween(
      random,
      LATEST - (count - index) * 3 * DAY,
      LATEST - (count - index - 1) * 3 * DAY,
    )
    return demoEnquiry(random, { id: index + 1, sent, listing_id: random.pick(active).id })
  })
}

function demoEnquiry(
  random: Random,
  { id, sent, listing_id }: { id: number; sent: number; listing_id: number },
) {
  const { type, message, language } = MESSAGES[(id - 1) % MESSAGES.length] ?? MESSAGES[0]
  const status = id % 12 === 0 ? 'spam' : id % 5 === 0 ? 'closed' : id % 3 === 0 ? 'open' : 'new'
  const [first_name, last_name, name] = random.pick(SENDERS)
  const date = dateTimeOf(sent)
  return {
    id,
    type,
    listing_id: type === 'search' || type === 'valuation' ? null : listing_id,
    first_name,
    last_name,
    email: `${name}@example.com`,
    phone: random.chance(0.5) ? `+30 690 000 ${8000 + id}` : null,
    message,
    language_id: DEMO_LANGUAGES.find(({ code }) => code === language)?.id ?? null,
    amount: type === 'offer' ? random.int(14, 60) * 5000 : null,
    ...(type === 'viewing' ? { dates: [dateTimeOf(sent + 2 * DAY), dateTimeOf(sent + 3 * DAY)] } : {}),
    search:
      type === 'search'
        ? {
            availability: 'sale',
            category: 'residential',
            locations: [101],
            price_max: 320_000,
            rooms_min: 2,
            extra_fields: { features: ['has_elevator'] },
          }
        : null,
    consent: { privacy: true, marketing: random.chance(0.3) },
    page_url: type === 'search' ? null : `https://www.example.com/${language}/listings/${listing_id}`,
    status,
    notes: status === 'open' ? 'Called; calls back on Monday.' : null,
    users: status === 'new' ? [] : [random.pick(USERS).id],
    date_created: date,
    date_updated: date,
    status_date: date,
  }
}

const MESSAGES = [
  { type: 'information', language: 'el', message: 'Είναι ακόμη διαθέσιμο; Ποια είναι τα κοινόχρηστα;' },
  { type: 'viewing', language: 'en', message: 'We are in Athens next week and would like to see it.' },
  { type: 'offer', language: 'el', message: 'Θα θέλαμε να κάνουμε προσφορά, με δάνειο προεγκεκριμένο.' },
  {
    type: 'search',
    language: 'en',
    message: 'We are looking for a quiet flat with an elevator, for the two of us.',
  },
  {
    type: 'valuation',
    language: 'el',
    message: 'Σκέφτομαι να πουλήσω το διαμέρισμά μου. Τι αξίζει περίπου;',
  },
] as const

const SENDERS = [
  ['Ελένη', 'Σταθοπούλου', 'eleni.stathopoulou'],
  ['Νίκος', 'Βλάχος', 'nikos.vlachos'],
  ['Emma', 'Larsen', 'emma.larsen'],
  ['Thomas', 'Keller', 'thomas.keller'],
  ['Σοφία', 'Μακρή', 'sofia.makri'],
] as const
