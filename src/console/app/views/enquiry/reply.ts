/** The answer to an enquiry, begun in the language of its sender. */
import { inBoth } from '../../../../catalogue/bilingual.ts'
import { type ConsoleState, formatsFor } from '../../state.ts'
import { TEXTS } from '../../texts.ts'
import { type Enquiry, fullName, type Listing, type Lookups, titleOf } from './data.ts'

/** Browsers on Windows open no longer address. A Greek letter takes six characters of it. */
const MAX_LENGTH = 2000

const WORDS = inBoth({
  subject: ['Το μήνυμά σας', 'Your enquiry'],
  greeting: ['Αγαπητέ/ή', 'Dear'],
  anybody: ['κύριε ή κυρία', 'Sir or Madam'],
  listing: ['σας ευχαριστούμε για το ενδιαφέρον σας για το ακίνητο', 'thank you for your interest in'],
  other: ['σας ευχαριστούμε για το μήνυμά σας.', 'thank you for your enquiry.'],
  dates: ['Προτείνατε:', 'You have proposed:'],
  regards: ['Με εκτίμηση', 'Kind regards'],
})

/** The `mailto:` address of an answer; null if there is no e-mail address. */
export function replyAddress(
  enquiry: Enquiry,
  listing: Listing | undefined,
  lookups: Lookups,
  state: ConsoleState,
): string | null {
  const { email, reference } = enquiry
  if (!email) return null
  const code = lookups.languages.find(({ id }) => id === enquiry.language_id)?.code
  // Who writes in another language is answered in English.
  const language = code === undefined ? state.language : code === 'el' ? 'el' : 'en'
  const words = WORDS[language]
  const { formatDate } = formatsFor({ ...state, language, texts: TEXTS[language] })
  const agent = lookups.users.find(({ id }) => id === enquiry.users[0])?.name
  const title = listing && titleOf(listing, lookups, language)
  const dates = enquiry.dates.map((date) => `- ${formatDate(date, 'full')}`)
  const write = (name: string, about: string | null | undefined, proposed: string[]) => {
    const lines = [
      `${words.greeting} ${name || words.anybody},`,
      '',
      about ? `${words.listing} ${about}.` : words.other,
      ...(proposed.length > 0 ? ['', words.dates, ...proposed] : []),
      '',
      '',
      '',
      `${words.regards},`,
      ...(agent ? [agent] : []),
    ]
    const subject = [words.subject, listing?.code, `[${reference}]`].filter(Boolean).join(' ')
    const to = encodeURIComponent(email).replaceAll('%40', '@')
    return `mailto:${to}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(lines.join('\r\n'))}`
  }
  const named = [title, listing?.code && `(${listing.code})`].filter(Boolean).join(' ')
  const attempts = [
    write(fullName(enquiry), named, dates),
    write(fullName(enquiry), listing?.code, dates),
    write(fullName(enquiry), listing?.code, []),
  ]
  return attempts.find(({ length }) => length <= MAX_LENGTH) ?? write('', listing?.code, [])
}
