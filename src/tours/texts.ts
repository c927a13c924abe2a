/** The texts of the public pages, in the agency's two languages. */
import { inBoth, type Language } from '../catalogue/bilingual.ts'

export type { Language }

export const TEXTS = inBoth({
  /** The language's own name. */
  name: ['Ελληνικά', 'English'],
  locale: ['el_GR', 'en_GB'],
  tour: ['Περιήγηση 360°', '360° tour'],
  summary: [
    (pictures: number) =>
      pictures === 1
        ? 'Δείτε το ακίνητο σε μία εικόνα 360°.'
        : `Δείτε το ακίνητο σε ${pictures} εικόνες 360°.`,
    (pictures: number) =>
      pictures === 1
        ? 'See the property in one 360° picture.'
        : `See the property in ${pictures} 360° pictures.`,
  ],
  /** Alternative text of a picture. */
  picture: [
    (number: number, pictures: number) => `Εικόνα ${number} από ${pictures}`,
    (number: number, pictures: number) => `Picture ${number} of ${pictures}`,
  ],
  pictures: ['Εικόνες', 'Pictures'],
  languages: ['Γλώσσα', 'Language'],
  /** Leads to the page that the visitor comes from. */
  back: ['Πίσω', 'Back'],
  controls: ['Χειρισμός', 'Controls'],
  loading: ['Φόρτωση…', 'Loading…'],
  zoomIn: ['Μεγέθυνση', 'Zoom in'],
  zoomOut: ['Σμίκρυνση', 'Zoom out'],
  fullScreen: ['Πλήρης οθόνη', 'Full screen'],
  help: ['Βοήθεια', 'Help'],
  keys: [
    [
      'Κοιτάξτε γύρω: σύρετε την εικόνα ή πατήστε τα βέλη.',
      'Μεγέθυνση: τσιμπήστε, γυρίστε τη ροδέλα ή πατήστε + και −.',
      'Άλλη εικόνα: πατήστε τη μικρογραφία της, τον αριθμό της (1–9), Page Up ή Page Down, Home ή End.',
    ],
    [
      'Look around: drag the picture or press the arrow keys.',
      'Zoom: pinch, turn the wheel, or press + and −.',
      'Another picture: press its thumbnail, its number (1–9), Page Up or Page Down, Home or End.',
    ],
  ],
  fullScreenKey: ['Πλήρης οθόνη: πατήστε F.', 'Full screen: press F.'],
  /** Shown if the wheel cannot zoom, because it scrolls the page around the frame. */
  wheel: ['Μεγέθυνση: Ctrl και ροδέλα', 'To zoom, hold Ctrl and turn the wheel'],
  flat: [
    'Εδώ δεν γίνεται προβολή 360°. Η εικόνα εμφανίζεται επίπεδη.',
    'A 360° view is not possible here, so the picture is shown flat.',
  ],
  failed: ['Η εικόνα δεν φορτώθηκε.', 'The picture could not be loaded.'],
  withoutScript: [
    'Χωρίς JavaScript οι εικόνες εμφανίζονται επίπεδες.',
    'Without JavaScript the pictures are shown flat.',
  ],
  missing: ['Η περιήγηση δεν βρέθηκε', 'Tour not found'],
  missingText: [
    'Ο σύνδεσμος είναι λάθος ή η περιήγηση δεν είναι πια διαθέσιμη. Ρωτήστε το γραφείο που σας τον έστειλε.',
    'The link is wrong, or the tour is no longer available. Ask the office that sent it to you.',
  ],
})

export type Texts = typeof TEXTS.el

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
