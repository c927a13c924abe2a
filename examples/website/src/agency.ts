/** The agency: what to change first. Phones, e-mails and addresses of its offices come from Estia. */
import type { Language } from './texts.ts'

type Words = Record<Language, string>

/** What an office says of itself beside what Estia knows. */
export interface OfficeWords {
  /** When it is open, a line each. */
  hours: Words[]
  people: { name: Words; role: Words }[]
}

export const AGENCY = {
  name: 'Estia',
  /** The language of visitors whose browser asks for none that the website has. */
  defaultLanguage: 'el' satisfies Language as Language,
  /** Where the agency is: times of viewings are meant there. */
  timeZone: 'Europe/Athens',
  /** Where the map begins when it has no points to show. */
  center: { latitude: 37.98, longitude: 23.73 },
} as const

const WEEKDAYS = { el: 'Δευτέρα έως Παρασκευή, 9:00–18:00', en: 'Monday to Friday, 9:00–18:00' }
const SATURDAY = { el: 'Σάββατο, 10:00–14:00', en: 'Saturday, 10:00–14:00' }
const MANAGER = { el: 'Υπεύθυνη γραφείου', en: 'Office manager' }
const AGENT = { el: 'Σύμβουλος ακινήτων', en: 'Estate agent' }

/** By the id of the store in Estia. An office without an entry shows what Estia knows of it. */
export const OFFICES: Record<number, OfficeWords> = {
  1: {
    hours: [WEEKDAYS, SATURDAY],
    people: [
      { name: { el: 'Μαρία Αλεξίου', en: 'Maria Alexiou' }, role: MANAGER },
      { name: { el: 'Γιώργος Δημητρίου', en: 'Giorgos Dimitriou' }, role: AGENT },
      { name: { el: 'Ελένη Κωστοπούλου', en: 'Eleni Kostopoulou' }, role: AGENT },
      { name: { el: 'Νίκος Σταυρίδης', en: 'Nikos Stavridis' }, role: AGENT },
    ],
  },
  2: {
    hours: [WEEKDAYS, SATURDAY],
    people: [
      { name: { el: 'Κατερίνα Λαμπράκη', en: 'Katerina Lampraki' }, role: MANAGER },
      { name: { el: 'Ανδρέας Φωτίου', en: 'Andreas Fotiou' }, role: AGENT },
    ],
  },
  3: {
    hours: [WEEKDAYS],
    people: [
      { name: { el: 'Σοφία Μαυρίδη', en: 'Sofia Mavridi' }, role: MANAGER },
      { name: { el: 'Πέτρος Ζαχαρίου', en: 'Petros Zachariou' }, role: AGENT },
    ],
  },
}
