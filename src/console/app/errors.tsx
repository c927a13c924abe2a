/** What went wrong, in the language of the page. */
import { CallError } from './call.ts'
import { useConsole } from './state.ts'
import type { Language } from './texts.ts'
import { fieldName, nameOf, valueName } from './words.ts'

/** Words of the page itself, or an error of the service. */
export type Failure = string | CallError

/** An error of a call. What else is thrown is a fault of the page. */
export function failureOf(error: unknown): CallError {
  if (error instanceof CallError) return error
  throw error
}

/** Says it. */
export function Said({ failure }: { failure: Failure }) {
  return typeof failure === 'string' ? failure : <OfService error={failure} />
}

/** On the Greek page, the English of the service stands below wherever the Greek says less. */
function OfService({ error: { status, message } }: { error: CallError }) {
  const { texts, language } = useConsole()
  if (status === 0) return <>{texts.noAnswer}</>
  if (status === 412) return <>{texts.changedMeanwhile}</>
  const whole = said(message, language)
  if (whole !== null) return <span title={message}>{whole}</span>
  const [field, name] = fieldOf(message, language)
  return (
    <>
      {field ? `${name}: δεν είναι έγκυρο` : (BY_STATUS[status] ?? BY_STATUS[500])}
      <small class="block" lang="en">
        {message}
      </small>
    </>
  )
}

/** What the service has noted of its own work: on the Greek page in Greek, else with the English below. */
export function Noted({ error }: { error: string }) {
  const { texts, language } = useConsole()
  const text = said(error, language)
  if (text !== null) return <span title={error}>{text}</span>
  return (
    <>
      {texts.failed}
      <small class="block" lang="en">
        {error}
      </small>
    </>
  )
}

type Patterns = readonly (readonly [english: RegExp, greek: string])[]

/** Sentences that name no field. */
const SENTENCES: Patterns = [
  [/^On hold: (.*)$/s, 'Σε δέσμευση: $1'],
  [/^Too many references: (\d+)$/, 'Πάρα πολλές εγγραφές αναφέρονται στην επαφή: $1'],
  [/^The contact (\d+) was erased$/, 'Τα στοιχεία της επαφής $1 έχουν διαγραφεί'],
  [/^(?:This API key lacks|Needs) the scope (\S+)$/, 'Χρειάζεται κλειδί με το δικαίωμα $1'],
  [/^Only ADMIN_TOKEN may change (.*)$/, 'Το αλλάζει μόνο το διακριτικό διαχειριστή: $1'],
  [/^A value that must be unique is taken.*/, 'Άλλη εγγραφή έχει ήδη αυτή την τιμή'],
  [/^Invalid JSON$/, 'Η γραμμή δεν είναι JSON'],
  [/^Invalid line: .*/, 'Η γραμμή δεν έχει entity και data'],
  [/ not found$|^Not found$/, 'Δεν βρέθηκε'],
  [
    /^Others keep changing.*|^The record was changed by another.*/,
    'Το αλλάζουν και άλλοι τώρα. Δοκιμάστε ξανά.',
  ],
  [
    /^An id leads to nothing.*/,
    'Ένας αριθμός δεν οδηγεί σε πρόσωπο· ποσά, ημερομηνίες και καταστάσεις είναι τα βιβλία του γραφείου',
  ],
  [/^Concerns somebody who is on hold.*/, 'Αφορά και πρόσωπο σε δέσμευση'],
  [/^Says who changed what.*/, 'Λέει ποιος άλλαξε τι και πότε, χωρίς κείμενα'],
  // What a webhook or its receiver did.
  [/^The address is not allowed$/, 'Η διεύθυνση δεν επιτρέπεται'],
  [/^The secret cannot be read.*/, 'Το μυστικό δεν διαβάζεται πια· αντικαταστήστε το'],
  [/^Redirects are not followed$/, 'Ο παραλήπτης παραπέμπει σε άλλη διεύθυνση'],
  [/^No answer within (\d+) seconds$/, 'Καμία απάντηση σε $1 δευτερόλεπτα'],
  [/^No connection, or it broke off$/, 'Δεν υπήρξε σύνδεση ή διακόπηκε'],
  [/^(?:Answer|The receiver answered) (\d+).*/, 'Ο παραλήπτης απάντησε $1'],
  [/^Not delivered in (\d+) attempts$/, 'Δεν παραδόθηκε σε $1 προσπάθειες'],
  [/^The service is being restored.*/, 'Γίνεται επαναφορά της υπηρεσίας. Δοκιμάστε ξανά αργότερα.'],
]

/** What a field must be. */
const RULES: Patterns = [
  [/^must be at most (\d+) characters$/, 'ως $1 χαρακτήρες'],
  [/^must be at most ([\d.-]+)$/, 'το πολύ $1'],
  [/^must be at least ([\d.-]+)$/, 'τουλάχιστον $1'],
  [/^must have at most (\d+) entries$/, 'ως $1 τιμές'],
  [/^must be an integer$/, 'ακέραιος αριθμός'],
  [/^must be a number$/, 'αριθμός'],
  [/^must be text$/, 'κείμενο'],
  [/^must be true or false$/, 'ναι ή όχι'],
  [/^must be an array$/, 'λίστα'],
  [/^must be an object$/, 'αντικείμενο με πεδία'],
  [/^must not be (?:blank|empty)$/, 'δεν μπορεί να είναι κενό'],
  [/^must be an amount.*/, 'ποσό με το πολύ 2 δεκαδικά'],
  [/^must be a date, YYYY-MM-DD$/, 'ημερομηνία, π.χ. 2026-12-31'],
  [/^must be an e-mail address$/, 'διεύθυνση e-mail'],
  [/^must be a phone number.*/, 'αριθμός τηλεφώνου'],
  [/^must be an http or https (?:URL|address).*/, 'διεύθυνση http ή https'],
  [/^must be http:\/\/host.*/, 'διεύθυνση χωρίς διαδρομή, π.χ. https://www.example.com'],
  [/^\d+ was merged more than (\d+) days ago$/, 'συγχωνεύθηκε πριν από περισσότερες από $1 ημέρες'],
  [/^\d+ has left$/, 'δεν εργάζεται πια εδώ'],
  [/^has characters that were read.*/, 'έχει χαρακτήρες λάθος κωδικοποίησης'],
]

/** Where nothing else is known. */
const BY_STATUS: Readonly<Record<number, string>> = {
  400: 'Δεν έγινε δεκτό.',
  403: 'Αυτό το κλειδί δεν το επιτρέπει.',
  404: 'Δεν βρέθηκε.',
  409: 'Δεν γίνεται τώρα.',
  413: 'Είναι πολύ μεγάλο.',
  429: 'Πάρα πολλές κλήσεις. Δοκιμάστε ξανά σε λίγο.',
  500: 'Η υπηρεσία δεν τα κατάφερε. Δοκιμάστε ξανά σε λίγο.',
}

/** A sentence of the service in the language; null if the language has no words for it. */
export function said(message: string, language: Language): string | null {
  if (language === 'en') return message
  const [kind, name, rest, field] = fieldOf(message, language)
  if (kind === 'Missing' && rest === '') return `${name}: λείπει`
  if (kind === 'Unknown') return `${name}: δεν υπάρχει ${rest}`
  const users = /^\d+ is used by (.*)$/.exec(message)?.[1]
  if (users) return `Χρησιμοποιείται ακόμη: ${users.split(' and ').map(countOf).join(', ')}`
  if (kind !== 'Invalid') return translated(SENTENCES, message)
  const values = /^: must be one of (.*)$/s.exec(rest)?.[1]
  const rule = values
    ? `ένα από: ${values
        .split(', ')
        .map((value) => valueName(null, field, value, 'el'))
        .join(', ')}`
    : translated(RULES, rest.slice(2))
  return rule === null ? null : `${name}: ${rule}`
}

/** `Invalid price: must be …` in its parts: the kind, the field in words, what follows, and the field. */
function fieldOf(
  message: string,
  language: Language,
): [kind: string, name: string, rest: string, field: string] {
  const [, kind = '', field = '', rest = ''] =
    /^(Missing|Unknown|Invalid) ([a-z][\w.]*)((?::| |$).*)$/s.exec(message) ?? []
  return [kind, fieldName(field, language), kind === 'Unknown' ? rest.trim() : rest, field]
}

/** `31 contacts`, or `1 contact`, in Greek. */
function countOf(users: string): string {
  const [count, ...words] = users.split(' ')
  const many = words.join('_').replace(/y$/, 'ie').replace(/s?$/, 's')
  return `${nameOf('resources', many, 'el')} (${count})`
}

function translated(patterns: Patterns, text: string): string | null {
  const known = patterns.find(([english]) => english.test(text))
  return known ? text.replace(known[0], known[1]) : null
}
