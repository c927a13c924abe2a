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
