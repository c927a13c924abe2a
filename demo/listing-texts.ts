import type { Random } from '../fixtures/random.ts'
import { type Feature, featureKey } from '../src/catalogue/features.ts'
import { DEMO_LANGUAGES } from './agency.ts'
import type { ListingPlan } from './listing-plan.ts'
import type { Neighbourhood } from './places.ts'
import { AVAILABILITY_NAMES, type PropertyKind } from './property-kinds.ts'

/** Titles and descriptions in Greek and, mostly, in English. */
export function translations(
  random: Random,
  plan: ListingPlan,
  facts: { rooms: number | null; features: readonly string[]; view: readonly string[] },
) {
  const named = [
    ...facts.features.map((key) => featureKey('features', key)),
    ...facts.view.map((key) => featureKey('view', key)),
  ].filter((feature) => feature !== undefined)
  const greek = {
    language_id: DEMO_LANGUAGES[0].id,
    title: titleEl(plan),
    description: random.chance(0.95) ? descriptionEl(random, plan, facts.rooms, named) : null,
  }
  const english = {
    language_id: DEMO_LANGUAGES[1].id,
    title: titleEn(plan),
    description: random.chance(0.85) ? descriptionEn(random, plan, facts.rooms, named) : null,
  }
  return random.chance(0.9) ? [greek, english] : [greek]
}

function titleEl({ kind, size, home, availability }: ListingPlan): string {
  const offered = AVAILABILITY_NAMES[availability].el
  return `${kind.name_el} ${greekNumber(size)} τ.μ. ${offered}, ${home.place.name_el}`
}

function titleEn({ kind, size, home, availability }: ListingPlan): string {
  const offered = AVAILABILITY_NAMES[availability].en
  return `${kind.name_en}, ${englishNumber(size)} m², ${offered} in ${home.place.name_en}`
}

function descriptionEl(random: Random, plan: ListingPlan, rooms: number | null, features: Feature[]): string {
  const { kind, size, home, availability } = plan
  const listed = features.slice(0, 5).map((feature) => lowerFirst(feature.name_el))
  return [
    `${capitalise(AVAILABILITY_NAMES[availability].el)} ${lowerFirst(kind.name_el)} ${greekNumber(size)} τ.μ. ` +
      `στην περιοχή ${home.place.name_el} (${home.municipality.name_el}).`,
    roomsEl(kind, rooms),
    listed.length === 0 ? '' : `Χαρακτηριστικά: ${listed.join(', ')}.`,
    random.pick(SURROUNDINGS[home.character]).el,
    random.pick(CLOSINGS).el,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ')
}

function descriptionEn(random: Random, plan: ListingPlan, rooms: number | null, features: Feature[]): string {
  const { kind, size, home, availability } = plan
  const listed = features.slice(0, 5).map((feature) => lowerFirst(feature.name_en))
  return [
    `${kind.name_en} of ${englishNumber(size)} m² ${AVAILABILITY_NAMES[availability].en} ` +
      `in ${home.place.name_en}, ${home.municipality.name_en}.`,
    roomsEn(kind, rooms),
    listed.length === 0 ? '' : `Features: ${listed.join(', ')}.`,
    random.pick(SURROUNDINGS[home.character]).en,
    random.pick(CLOSINGS).en,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ')
}

/** A home's rooms are bedrooms, an office's are not. */
function roomsEl({ category }: PropertyKind, rooms: number | null): string {
  if (rooms === null) return ''
  if (category === 'residential') return rooms === 1 ? 'Έχει 1 υπνοδωμάτιο.' : `Έχει ${rooms} υπνοδωμάτια.`
  return rooms === 1 ? 'Διαθέτει ενιαίο χώρο.' : `Διαθέτει ${rooms} δωμάτια.`
}

function roomsEn({ category }: PropertyKind, rooms: number | null): string {
  if (rooms === null) return ''
  if (category === 'residential') return rooms === 1 ? 'It has one bedroom.' : `It has ${rooms} bedrooms.`
  return rooms === 1 ? 'It is open-plan.' : `It has ${rooms} rooms.`
}

const SURROUNDINGS: Readonly<Record<Neighbourhood['character'], readonly { el: string; en: string }[]>> = {
  urban: [
    { el: 'Κοντά σε μέσα μεταφοράς, αγορά και σχολεία.', en: 'Close to transport, shops and schools.' },
    { el: 'Σε ζωντανή γειτονιά της πόλης.', en: 'In a lively part of the city.' },
    {
      el: 'Σε ήσυχο δρόμο, με τα πάντα σε απόσταση περιπάτου.',
      en: 'On a quiet street, all within walking distance.',
    },
  ],
  suburb: [
    { el: 'Σε ήσυχη περιοχή με πολύ πράσινο.', en: 'In a quiet area with plenty of green.' },
    { el: 'Κοντά σε σχολεία και πάρκα.', en: 'Close to schools and parks.' },
  ],
  coast: [
    { el: 'Λίγα λεπτά με τα πόδια από τη θάλασσα.', en: 'A few minutes on foot from the sea.' },
    { el: 'Κοντά στην παραλιακή λεωφόρο.', en: 'Close to the coastal avenue.' },
  ],
  resort: [
    { el: 'Κοντά σε οργανωμένες παραλίες και ταβέρνες.', en: 'Close to beaches and tavernas.' },
    { el: 'Σε περιοχή με μεγάλη τουριστική κίνηση.', en: 'In an area popular with visitors.' },
  ],
  rural: [
    { el: 'Σε φυσικό περιβάλλον, με εύκολη πρόσβαση.', en: 'In natural surroundings, easy to reach.' },
    { el: 'Μακριά από τον θόρυβο της πόλης.', en: 'Far from the noise of the city.' },
  ],
  industrial: [
    { el: 'Με άμεση πρόσβαση στον αυτοκινητόδρομο.', en: 'With direct access to the motorway.' },
    { el: 'Σε περιοχή με βιοτεχνικές και βιομηχανικές χρήσεις.', en: 'In a zone of crafts and industry.' },
  ],
}

const CLOSINGS = [
  { el: 'Υποδείξεις κατόπιν ραντεβού.', en: 'Viewings by appointment.' },
  { el: 'Επικοινωνήστε μαζί μας για περισσότερες πληροφορίες.', en: 'Contact us for more information.' },
  { el: 'Άμεσα διαθέσιμο.', en: 'Available immediately.' },
]

/** Greek writes 1.250 where English writes 1,250; node's own formatting depends on how it was built. */
function greekNumber(value: number): string {
  return grouped(value, '.')
}

function englishNumber(value: number): string {
  return grouped(value, ',')
}

function grouped(value: number, separator: string): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, separator)
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
