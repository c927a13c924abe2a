import { type Random, seeded } from '../fixtures/random.ts'
import { CONTACT_SOURCES, CONTACT_TAGS, CUSTOM_FIELDS, USERS } from './agency.ts'
import { DAY, dateOf, dateTimeOf, LATEST, momentBetween, OPENED } from './moments.ts'
import { NEIGHBOURHOODS } from './places.ts'

export type DemoContact = ReturnType<typeof demoContact>

/** Invented people and companies, oldest first; every thirtieth is deleted. */
export function demoContacts(count = 400): DemoContact[] {
  const random = seeded(1_001)
  return Array.from({ length: count }, (_, index) => demoContact(random, index + 1, count))
}

/** The contacts that still exist: those that a new record may refer to. */
export function livingContactIds(contacts: readonly DemoContact[]): number[] {
  return contacts.filter((contact) => contact.is_deleted !== true).map((contact) => contact.id)
}

function demoContact(random: Random, id: number, count: number) {
  const is_company = random.chance(0.15)
  const is_lead = random.chance(0.4)
  const person = contactOf(random)
  const span = (LATEST - OPENED) / count
  const created = momentBetween(random, OPENED + span * (id - 1), OPENED + span * id)
  const updated = random.chance(0.5) ? momentBetween(random, created, LATEST) : created
  const creator = random.pick(USERS)
  return {
    id,
    first_name: person.first.el,
    last_name: person.last.el,
    source_id: random.pick(CONTACT_SOURCES).id,
    is_lead,
    is_company,
    company_name: is_company ? `${random.pick(COMPANIES)} ${random.pick(['ΑΕ', 'ΕΠΕ', 'ΟΕ', 'ΙΚΕ'])}` : null,
    phones: phones(random, id, is_company),
    emails: emails(random, id, person, is_company),
    notes: random.chance(0.4) ? random.pick(NOTES) : '',
    address: address(random),
    custom_fields: customFields(random, id),
    contact_details: is_company || random.chance(0.1) ? [associate(random, id)] : [],
    tags: random.sample(CONTACT_TAGS, random.int(0, 2)).map((tag) => tag.id),
    date_created: dateTimeOf(created),
    date_updated: dateTimeOf(updated),
    created_by: creator.id,
    users: [creator.id, ...(random.chance(0.2) ? [random.pick(USERS).id] : [])].filter(
      (user, at, all) => all.indexOf(user) === at,
    ),
    date_converted_to_client:
      is_lead || random.chance(0.5) ? null : dateOf(Math.min(created + random.int(1, 120) * DAY, LATEST)),
    ...(id % 30 === 0 ? { is_deleted: true } : {}),
  }
}

interface Name {
  readonly el: string
  readonly en: string
}

const FEMALE: readonly (readonly [Name, Name])[] = names(
  'Άννα Anna Παπαδάκη Papadaki|Βασιλική Vasiliki Ιωάννου Ioannou|' +
    'Δήμητρα Dimitra Νικολάου Nikolaou|Ειρήνη Eirini Γεωργίου Georgiou|' +
    'Ζωή Zoi Καραγιάννη Karagianni|Θεοδώρα Theodora Αντωνίου Antoniou|' +
    'Ιωάννα Ioanna Οικονόμου Oikonomou|Χριστίνα Christina Βλάχου Vlachou|' +
    'Αγγελική Angeliki Σαμαρά Samara|Ευαγγελία Evangelia Ρήγα Riga',
)

const MALE: readonly (readonly [Name, Name])[] = names(
  'Αλέξανδρος Alexandros Παπαδάκης Papadakis|Βασίλης Vasilis Ιωάννου Ioannou|' +
    'Δημήτρης Dimitris Νικολάου Nikolaou|Ευάγγελος Evangelos Γεωργίου Georgiou|' +
    'Θανάσης Thanasis Καραγιάννης Karagiannis|Ιωάννης Ioannis Ψυχάρης Psycharis|' +
    'Κώστας Kostas Οικονόμου Oikonomou|Μιχάλης Michalis Βλάχος Vlachos|' +
    'Παναγιώτης Panagiotis Σαμαράς Samaras|Σπύρος Spyros Ρήγας Rigas|' +
    'Χρήστος Christos Ξένος Xenos',
)

const ABROAD: readonly (readonly [Name, Name])[] = names(
  'Emma Emma Miller Miller|Lukas Lukas Weber Weber|Chloé Chloe Martin Martin|' +
    'Noah Noah Brown Brown|Sofia Sofia Rossi Rossi|Zoë Zoe Janssens Janssens',
)

const COMPANIES = [
  'Αιγαίο Επενδύσεις',
  'Κτίσις',
  'Ήλιος Κατασκευαστική',
  'Πυξίδα',
  'Θεμέλιο Ακίνητα',
  'Ορίζων',
]

const NOTES = [
  'Προτιμά επικοινωνία το απόγευμα.',
  'Ψάχνει για άμεση αγορά, έχει πουλήσει το προηγούμενο ακίνητό του.',
  'Να ενημερωθεί όταν βγει κάτι κοντά στο μετρό.',
  'Έχει δύο ακίνητα προς ενοικίαση.',
  'Prefers e-mail; travels to Athens twice a year.',
]

/** First and last names of one list, mixed freely when drawn. */
function names(list: string): (readonly [Name, Name])[] {
  return list.split('|').map((line) => {
    const [first = '', firstLatin = '', last = '', lastLatin = ''] = line.split(' ')
    return [
      { el: first, en: firstLatin },
      { el: last, en: lastLatin },
    ]
  })
}

/** An invented person; the names also in Latin letters. */
export function contactOf(random: Random): { first: Name; last: Name } {
  const people = random.pick([FEMALE, FEMALE, FEMALE, MALE, MALE, MALE, ABROAD])
  return { first: random.pick(people)[0], last: random.pick(people)[1] }
}

/** Phone numbers that do not exist: the exchange 000 is never assigned. */
function phones(random: Random, id: number, is_company: boolean) {
  const last = String(id).padStart(4, '0').slice(-4)
  const mobile = { type: 'mobile', number: `+30 690 000 ${last}`, notes: '' }
  const fixed = { type: is_company ? 'work' : 'home', number: `+30 210 000 ${last}`, notes: 'μετά τις 17:00' }
  if (is_company) return [fixed, mobile]
  return random.chance(0.35) ? [mobile, fixed] : [mobile]
}

function emails(random: Random, id: number, person: { first: Name; last: Name }, is_company: boolean) {
  if (random.chance(0.15)) return []
  const name = `${person.first.en}.${person.last.en}.${id}`.toLowerCase()
  return [{ type: is_company ? 'work' : 'personal', email_address: `${name}@example.com`, notes: '' }]
}

function address(random: Random) {
  if (random.chance(0.25)) return { area: null, street: null, postal_code: null }
  const home = random.pick(NEIGHBOURHOODS)
  return {
    area: home.place.name_el,
    street: `${random.pick(home.streets)} ${random.int(1, 140)}`,
    postal_code: home.postal_code,
  }
}

function customFields(random: Random, id: number): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const field of CUSTOM_FIELDS) {
    if (field.resource === 'contacts' && random.chance(0.3)) {
      const value = customValue(random, field, id)
      if (value !== undefined) values[field.id] = value
    }
  }
  return values
}

function customValue(random: Random, field: (typeof CUSTOM_FIELDS)[number], id: number): unknown {
  switch (field.type) {
    case 'text':
      return `000${String(id).padStart(6, '0')}`
    case 'date':
      return dateOf(Date.UTC(random.int(1950, 2002), random.int(0, 11), random.int(1, 28)))
    case 'phone':
      return `+30 210 000 ${String(5000 + (id % 5000)).padStart(4, '0')}`
    case 'select':
      return random.pick(field.options).id
    case 'select_multi':
      return random.sample(field.options, random.int(1, 3)).map((option) => option.id)
    case 'checkbox':
      return random.chance(0.5)
    case 'number':
      return random.int(0, 12)
    case 'address':
      return `Τ.Θ. ${1000 + id}, Αθήνα`
    case 'contact_multi':
      // Refers only to contacts imported before this one; the thirtieth is deleted.
      return id > 2 ? [random.int(1, Math.min(id - 1, 29))] : undefined
    default:
      return undefined
  }
}

function associate(random: Random, id: number) {
  const person = contactOf(random)
  return {
    first_name: person.first.el,
    last_name: person.last.el,
    mobile: random.chance(0.7) ? `+30 690 000 ${String(5000 + (id % 5000)).padStart(4, '0')}` : null,
    email: random.chance(0.5) ? `${person.first.en}.${person.last.en}@example.com`.toLowerCase() : null,
    notes: random.pick(['Υπεύθυνος επικοινωνίας', 'Λογιστήριο', 'Συγγενής', 'Δικηγόρος']),
  }
}
