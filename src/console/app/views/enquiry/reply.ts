/** The answer to an enquiry, begun in the language of its sender. */
import type { ConsoleState } from '../../state.ts'
import { formatDate } from '../../state.ts'
import { TEXTS } from '../../texts.ts'
import { type Enquiry, fullName, type Listing, type Lookups, titleOf } from './data.ts'

/** Mail programs take no longer addresses. */
const MAX_TITLE = 200

const WORDS = {
  en: {
    subject: 'Your enquiry',
    greeting: 'Dear',
    anybody: 'Sir or Madam',
    listing: 'thank you for your interest in',
    other: 'thank you for your enquiry.',
    dates: 'You have proposed:',
    regards: 'Kind regards',
  },
  el: {
    subject: 'Το μήνυμά σας',
    greeting: 'Αγαπητέ/ή',
    anybody: 'κύριε ή κυρία',
    listing: 'σας ευχαριστούμε για το ενδιαφέρον σας για το ακίνητο',
    other: 'σας ευχαριστούμε για το μήνυμά σας.',
    dates: 'Προτείνατε:',
    regards: 'Με εκτίμηση',
  },
}

/** The `mailto:` address of an answer; null if there is no e-mail address. */
export function replyAddress(
  enquiry: Enquiry,
  listing: Listing | undefined,
  lookups: Lookups,
  state: ConsoleState,
): string | null {
  if (!enquiry.email) return null
  const code = lookups.languages.find(({ id }) => id === enquiry.language_id)?.code
  // Whoever writes in another language is answered in English.
  const language = code === undefined ? state.language : code === 'el' ? 'el' : 'en'
  const words = WORDS[language]
  const title = listing && titleOf(listing, lookups, language)?.slice(0, MAX_TITLE)
  const name = listing && [title, listing.code && `(${listing.code})`].filter(Boolean).join(' ')
  const agent = lookups.users.find(({ id }) => id === enquiry.users[0])?.name
  const theirs = { ...state, language, texts: TEXTS[language] }
  const dates = enquiry.dates.map((date) => `- ${formatDate(date, theirs, 'full')}`)
  const lines = [
    `${words.greeting} ${fullName(enquiry) || words.anybody},`,
    '',
    name ? `${words.listing} ${name}.` : words.other,
    ...(dates.length > 0 ? ['', words.dates, ...dates] : []),
    '',
    '',
    '',
    `${words.regards},`,
    ...(agent ? [agent] : []),
  ]
  const subject = [words.subject, listing?.code, `[${enquiry.reference}]`].filter(Boolean).join(' ')
  const to = encodeURIComponent(enquiry.email).replaceAll('%40', '@')
  return `mailto:${to}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(lines.join('\r\n'))}`
}
