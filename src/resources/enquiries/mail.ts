/**
 * The mail that notifies an office of an enquiry. Visitors write most of it, so nothing of theirs but a checked address becomes
 * a header: names and message stand in the subject, which is one short line, and in the text. Imported enquiries are not mailed.
 */
import { sql } from 'drizzle-orm'
import { inBoth } from '../../catalogue/bilingual.ts'
import { ENQUIRY_TYPE } from '../../catalogue/office-enums.ts'
import { newestId } from '../../db/rows.ts'
import { type RowOf, type Statement, select, sqlStatement } from '../../db/statements.ts'
import { languages } from '../../db/tables/agency.ts'
import { enquiries, enquiry_mails } from '../../db/tables/enquiries.ts'
import { listings } from '../../db/tables/listings.ts'
import { enterChangesWhere, jsonNames } from '../../db/trail.ts'
import { formatInZone } from '../../fields/time-zone.ts'
import { formatDateTime } from '../../fields/values.ts'
import { LANGUAGE_AND_ZONE, type MailKind, newMark, setting } from '../mails/marks.ts'
import { factLines, HEADERS, isRoutable, shortLine } from '../mails/text.ts'
import { criteriaInWords, SOUGHT_NAMES } from './criteria.ts'

/** The address that is notified of an enquiry: of the office of its listing, or that of the settings. */
const RECIPIENT = sql`coalesce(
  (select nullif(stores.email, '') from listings join stores on stores.id = listings.store_id
    where listings.id = ${enquiries.listing_id}),
  ${setting('enquiry_email')})`

/** The statement that marks the enquiry that the same batch has added. No row if there is no address to notify. */
export function markNewest(): Statement<{ enquiry_id: number }> {
  return sqlStatement(sql`insert into enquiry_mails (enquiry_id, created, tries, next_try)
    select id, ${newMark()} from enquiries
    where id = ${sql.raw(newestId(enquiries).text)} and ${RECIPIENT} is not null returning enquiry_id`)
}

const FIELDS = {
  id: enquiries.id,
  reference: enquiries.reference,
  type: enquiries.type,
  listing_id: enquiries.listing_id,
  listing_code: listings.code,
  first_name: enquiries.first_name,
  last_name: enquiries.last_name,
  email: enquiries.email,
  phone: enquiries.phone,
  message: enquiries.message,
  language: sql<string | null>`${languages.name}`,
  amount: enquiries.amount,
  dates: enquiries.dates,
  sought: enquiries.sought,
  sought_names: SOUGHT_NAMES,
  page_url: enquiries.page_url,
  consents_to_marketing: enquiries.consents_to_marketing,
  status: enquiries.status,
  notified: enquiries.notified,
  is_erased: enquiries.is_erased,
  recipient: sql<string | null>`${RECIPIENT}`,
  ...LANGUAGE_AND_ZONE,
}

type MailedEnquiry = RowOf<typeof FIELDS>

/** The mails that notify offices of enquiries. */
export const ENQUIRY_MAILS: MailKind<MailedEnquiry> = {
  name: 'enquiry',
  work: 'mailing an enquiry',
  marks: { table: 'enquiry_mails', id: 'enquiry_id' },
  end: 'delete from enquiry_mails',
  select: (id) =>
    select(
      FIELDS,
      sql`from ${enquiry_mails} join ${enquiries} on ${enquiries.id} = ${enquiry_mails.enquiry_id}
      left join ${listings} on ${listings.id} = ${enquiries.listing_id}
      left join ${languages} on ${languages.id} = ${enquiries.language_id}
      where ${enquiry_mails.enquiry_id} = ${id}`,
    ),
  // Not spam, nor of a sender who was erased.
  make: (enquiry, from) => {
    const { recipient: to, status, notified, is_erased } = enquiry
    return to && status !== 'spam' && notified === null && !is_erased ? mailOf(enquiry, { from, to }) : null
  },
  // The enquiry gets a new version, as it shows the date, but stays as new as it was.
  noteSent: ({ id }, moment) => ({
    entry: enterChangesWhere(enquiries, sql`${enquiries.id} = ${id} and notified is null`, {
      others: jsonNames('notified'),
    }),
    notified:
      sqlStatement(sql`update enquiries set notified = ${formatDateTime(moment)}, version = version + 1
      where id = ${id} and notified is null`),
    mark: sqlStatement(sql`delete from enquiry_mails where enquiry_id = ${id}`),
  }),
}

const TEXTS = inBoth({
  title: ['Νέα επικοινωνία', 'New enquiry'],
  type: ['Είδος', 'Type'],
  listing: ['Ακίνητο', 'Listing'],
  name: ['Όνομα', 'Name'],
  email: ['E-mail', 'E-mail'],
  phone: ['Τηλέφωνο', 'Phone'],
  language: ['Γλώσσα', 'Language'],
  amount: ['Ποσό', 'Amount'],
  dates: ['Προτεινόμενες ώρες', 'Times proposed'],
  criteria: ['Ζητείται', 'What is sought'],
  page: ['Σελίδα', 'Page'],
  marketing: ['Δέχεται ενημερώσεις', 'Agrees to marketing'],
  yes: ['ναι', 'yes'],
  no: ['όχι', 'no'],
  message: ['Μήνυμα', 'Message'],
  answer: [
    'Η απάντηση σε αυτό το μήνυμα πηγαίνει στον αποστολέα.',
    'Your answer to this mail goes to the sender.',
  ],
  call: ['Δεν δόθηκε e-mail: απαντήστε τηλεφωνικά.', 'No e-mail address was given: answer by phone.'],
})

function mailOf(enquiry: MailedEnquiry, addresses: { from: string; to: string }): EmailMessageBuilder {
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
  const facts = [
    [texts.type, type],
    [texts.listing, listing],
    [texts.name, name],
    [texts.email, enquiry.email],
    [texts.phone, enquiry.phone],
    [texts.language, enquiry.language],
    [texts.amount, enquiry.amount],
    [texts.page, enquiry.page_url],
    [texts.marketing, enquiry.consents_to_marketing ? texts.yes : texts.no],
  ] as const
  return {
    ...addresses,
    ...(replyTo === null ? {} : { replyTo }),
    subject: shortLine(`${title}: ${[type, listing, name].filter(Boolean).join(', ')}`),
    text: [
      title,
      '',
      ...factLines(facts),
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
    headers: HEADERS,
  }
}

/** The lines of a list with its heading, none if it is empty. */
const listOf = (title: string, lines: string[]) => (lines.length > 0 ? ['', `${title}:`, ...lines] : [])

/** The address for answers: that of the sender, unless it is invalid or one of the agency itself. */
function replyAddress(email: string | null, { from, to }: { from: string; to: string }): string | null {
  if (!email || !isRoutable(email)) return null
  return [from, to].some((own) => own.toLowerCase() === email.toLowerCase()) ? null : email
}
