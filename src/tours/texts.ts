/** The texts of the public pages, in the agency's two languages. */

export type Language = 'el' | 'en'

/** All texts of a tour in one language. */
export interface Texts {
  /** The language's own name. */
  name: string
  locale: string
  tour: string
  summary: (pictures: number) => string
  /** Alternative text of a picture. */
  picture: (number: number, pictures: number) => string
  pictures: string
  languages: string
  /** Leads to the page that the visitor comes from. */
  back: string
  controls: string
  loading: string
  zoomIn: string
  zoomOut: string
  fullScreen: string
  help: string
  keys: string[]
  fullScreenKey: string
  /** Shown if the wheel cannot zoom, because it scrolls the page around the frame. */
  wheel: string
  flat: string
  failed: string
  withoutScript: string
  missing: string
  missingText: string
}

export const TEXTS: Record<Language, Texts> = {
  el: {
    name: 'Ελληνικά',
    locale: 'el_GR',
    tour: 'Περιήγηση 360°',
    summary: (pictures) =>
      pictures === 1
        ? 'Δείτε το ακίνητο σε μία εικόνα 360°.'
        : `Δείτε το ακίνητο σε ${pictures} εικόνες 360°.`,
    picture: (number, pictures) => `Εικόνα ${number} από ${pictures}`,
    pictures: 'Εικόνες',
    languages: 'Γλώσσα',
    back: 'Πίσω',
    controls: 'Χειρισμός',
    loading: 'Φόρτωση…',
    zoomIn: 'Μεγέθυνση',
    zoomOut: 'Σμίκρυνση',
    fullScreen: 'Πλήρης οθόνη',
    help: 'Βοήθεια',
    keys: [
      'Κοιτάξτε γύρω: σύρετε την εικόνα ή πατήστε τα βέλη.',
      'Μεγέθυνση: τσιμπήστε, γυρίστε τη ροδέλα ή πατήστε + και −.',
      'Άλλη εικόνα: πατήστε τη μικρογραφία της, τον αριθμό της (1–9), Page Up ή Page Down, Home ή End.',
    ],
    fullScreenKey: 'Πλήρης οθόνη: πατήστε F.',
    wheel: 'Μεγέθυνση: Ctrl και ροδέλα',
    flat: 'Εδώ δεν γίνεται προβολή 360°. Η εικόνα εμφανίζεται επίπεδη.',
    failed: 'Η εικόνα δεν φορτώθηκε.',
    withoutScript: 'Χωρίς JavaScript οι εικόνες εμφανίζονται επίπεδες.',
    missing: 'Η περιήγηση δεν βρέθηκε',
    missingText:
      'Ο σύνδεσμος είναι λάθος ή η περιήγηση δεν είναι πια διαθέσιμη. Ρωτήστε το γραφείο που σας τον έστειλε.',
  },
  en: {
    name: 'English',
    locale: 'en_GB',
    tour: '360° tour',
    summary: (pictures) =>
      pictures === 1
        ? 'See the property in one 360° picture.'
        : `See the property in ${pictures} 360° pictures.`,
    picture: (number, pictures) => `Picture ${number} of ${pictures}`,
    pictures: 'Pictures',
    languages: 'Language',
    back: 'Back',
    controls: 'Controls',
    loading: 'Loading…',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    fullScreen: 'Full screen',
    help: 'Help',
    keys: [
      'Look around: drag the picture or press the arrow keys.',
      'Zoom: pinch, turn the wheel, or press + and −.',
      'Another picture: press its thumbnail, its number (1–9), Page Up or Page Down, Home or End.',
    ],
    fullScreenKey: 'Full screen: press F.',
    wheel: 'To zoom, hold Ctrl and turn the wheel',
    flat: 'A 360° view is not possible here, so the picture is shown flat.',
    failed: 'The picture could not be loaded.',
    withoutScript: 'Without JavaScript the pictures are shown flat.',
    missing: 'Tour not found',
    missingText: 'The link is wrong, or the tour is no longer available. Ask the office that sent it to you.',
  },
}

export const LANGUAGES: readonly Language[] = ['el', 'en']

/**
 * The language of a page: `preferred` if it is supported, otherwise the best one in Accept-Language. Visitors who
 * accept neither get English; those without a preference get Greek.
 */
export function chooseLanguage(preferred: string | undefined, accepted: string | undefined): Language {
  const requested = LANGUAGES.find((language) => language === preferred?.toLowerCase())
  if (requested) return requested
  const ranges = (accepted ?? '').split(',').map(readRange)
  const likes = ranges.filter(({ tag, weight }) => tag !== '' && weight > 0)
  const best = likes
    .toSorted((a, b) => b.weight - a.weight)
    .flatMap(({ tag }) => LANGUAGES.filter((language) => language === tag))[0]
  if (best) return best
  return likes.some(({ tag }) => tag !== '*') ? 'en' : 'el'
}

/** A language range without its region: `el` for `el-GR;q=0.8`. */
function readRange(range: string): { tag: string; weight: number } {
  const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
  const quality = parameters.find((parameter) => parameter.startsWith('q='))
  return { tag: tag.split('-')[0] ?? '', weight: quality ? Number(quality.slice(2)) || 0 : 1 }
}
