/**
 * What the mail about an enquiry says. Visitors write most of it, so nothing of theirs but a checked address becomes a
 * header: names and message stand in the subject, which is one short line, and in the text.
 */
import type { MAIL_LANGUAGES } from '../../catalogue/enquiry.ts'
import { ENQUIRY_TYPE } from '../../catalogue/office-enums.ts'
import { cleanLine } from '../../fields/clean.ts'
import { formatInZone } from '../../fields/time-zone.ts'
import { criteriaInWords } from './criteria.ts'
import type { MailedEnquiry } from './mail-marks.ts'

/** Maximum length of a subject, in characters. */
const MAX_SUBJECT = 150
/** Maximum length of what stands before the @ (RFC 5321, 4.5.3.1.1). */
const MAX_LOCAL_PART = 64
/** Browsers accept more: dots at the start, at the end and in a row, and hosts of a network. */
const IS_ROUTABLE = /^[^.@]+(?:\.[^.@]+)*@[^@]+\.[^@]+$/

type Texts = Record<
  | 'title'
  | 'type'
  | 'listing'
  | 'name'
  | 'email'
  | 'phone'
  | 'language'
  | 'amount'
  | 'dates'
  | 'criteria'
  | 'page'
  | 'marketing'
  | 'yes'
  | 'no'
  | 'message'
  | 'answer'
  | 'call',
  string
>

const TEXTS: Record<(typeof MAIL_LANGUAGES)[number], Texts> = {
  el: {
    title: 'Νέα επικοινωνία',
    type: 'Είδος',
    listing: 'Ακίνητο',
    name: 'Όνομα',
    email: 'E-mail',
    phone: 'Τηλέφωνο',
    language: 'Γλώσσα',
    amount: 'Ποσό',
    dates: 'Προτεινόμενες ώρες',
    criteria: 'Ζητείται',
    page: 'Σελίδα',
    marketing: 'Δέχεται ενημερώσεις',
    yes: 'ναι',
    no: 'όχι',
    message: 'Μήνυμα',
    answer: 'Η απάντηση σε αυτό το μήνυμα πηγαίνει στον αποστολέα.',
    call: 'Δεν δόθηκε e-mail: απαντήστε τηλεφωνικά.',
  },
  en: {
    title: 'New enquiry',
    type: 'Type',
    listing: 'Listing',
    name: 'Name',
    email: 'E-mail',
    phone: 'Phone',
    language: 'Language',
    amount: 'Amount',
    dates: 'Times proposed',
    criteria: 'What is sought',
    page: 'Page',
    marketing: 'Agrees to marketing',
    yes: 'yes',
    no: 'no',
    message: 'Message',
    answer: 'Your answer to this mail goes to the sender.',
    call: 'No e-mail address was given: answer by phone.',
  },
}

/** The mail that tells an office of an enquiry. */
export function mailOf(enquiry: MailedEnquiry, addresses: { from: string; to: string }): EmailMessageBuilder {
  const { mail_language: language, time_zone: zone } = enquiry
  const texts = TEXTS[language]
  const [greek, english] = ENQUIRY_TYPE[enquiry.type]
  const type = language === 'el' ? greek : english
  const listing = enquiry.listing_id && (enquiry.listing_code ?? `#${enquiry.listing_id}`)
  const name = [enquiry.first_name, enquiry.last_name].filter(Boolean).join(' ')
  const title = `${texts.title} ${enquiry.reference}`
  const replyTo = replyAddress(enquiry.email, addresses)
  const dates = enquiry.dates.map((date) => `- ${formatInZone(date, zone, language)}`)
  const criteria = criteriaInWords(enquiry.sought, enquiry.sought_names).map(
    (one) => `- ${one[`name_${language}`]}: ${one[`value_${language}`]}`,
  )
  const facts: [name: string, value: string | number | null][] = [
    [texts.type, type],
    [texts.listing, listing],
    [texts.name, name],
    [texts.email, enquiry.email],
    [texts.phone, enquiry.phone],
    [texts.language, enquiry.language],
    [texts.amount, enquiry.amount],
    [texts.page, enquiry.page_url],
    [texts.marketing, enquiry.consents_to_marketing ? texts.yes : texts.no],
  ]
  return {
    ...addresses,
    ...(replyTo === null ? {} : { replyTo }),
    subject: shortLine(`${title}: ${[type, listing, name].filter(Boolean).join(', ')}`),
    text: [
      title,
      '',
      ...facts.flatMap(([label, value]) => (value === null || value === '' ? [] : [`${label}: ${value}`])),
      ...listOf(`${texts.dates} (${zone})`, dates),
      ...listOf(texts.criteria, criteria),
      '',
      `${texts.message}:`,
      '',
      enquiry.message,
      '',
      '--',
      !enquiry.email ? texts.call : replyTo === null ? '' : texts.answer,
    ].join('\n'),
    // Whoever is away sends no automatic answer.
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}

/** The lines of a list with its heading, none if it is empty. */
const listOf = (title: string, lines: string[]) => (lines.length > 0 ? ['', `${title}:`, ...lines] : [])

/** The address for answers: that of the sender, unless it is invalid or one of the agency itself. */
function replyAddress(email: string | null, { from, to }: { from: string; to: string }): string | null {
  if (!email || email.indexOf('@') > MAX_LOCAL_PART || !IS_ROUTABLE.test(email)) return null
  return [from, to].some((own) => own.toLowerCase() === email.toLowerCase()) ? null : email
}

/** A subject. Mail programs would decode what stands between `=?` and `?=`, and show what was cleaned away. */
function shortLine(text: string): string {
  const characters = [...cleanLine(text).replaceAll('=?', '= ?')]
  if (characters.length <= MAX_SUBJECT) return characters.join('')
  return `${characters.slice(0, MAX_SUBJECT - 1).join('')}…`
}
