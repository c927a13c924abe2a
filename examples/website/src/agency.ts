/** The agency: what to change first. Phones, e-mails and addresses of its offices come from Estia. */
import type { Language } from './texts.ts'

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

/** Hours and people, a line each, by the id of the store. An office without an entry shows what Estia knows of it. */
export const OFFICES: Record<number, Record<'hours' | 'people', Record<Language, string>[]>> = {
  1: {
    hours: [WEEKDAYS, SATURDAY],
    people: [
      { el: 'Μαρία Αλεξίου, υπεύθυνη', en: 'Maria Alexiou, manager' },
      { el: 'Γιώργος Δημητρίου, σύμβουλος', en: 'Giorgos Dimitriou, agent' },
    ],
  },
  2: { hours: [WEEKDAYS], people: [{ el: 'Κατερίνα Λαμπράκη, υπεύθυνη', en: 'Katerina Lampraki, manager' }] },
  3: { hours: [WEEKDAYS], people: [{ el: 'Σοφία Μαυρίδη, υπεύθυνη', en: 'Sofia Mavridi, manager' }] },
}
