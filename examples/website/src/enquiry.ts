/** Enquiries: reads the form, judges it in the visitor's language, and sends it to Estia. */
import { createVisitorClient, type EstiaError } from 'estia/client'
import { AGENCY } from './agency.ts'
import { send } from './estia.ts'
import { estiaUrl, type Settings } from './settings.ts'
import type { Texts } from './texts.ts'

const TYPES = ['information', 'viewing', 'valuation'] as const

const MAX_LENGTHS = { first_name: 100, last_name: 100, email: 254, phone: 40, message: 5_000 }
export type EnquiryField = keyof typeof MAX_LENGTHS
const FIELDS = Object.keys(MAX_LENGTHS) as EnquiryField[]
type ErrorName = keyof Texts['errors']

/** What was typed. */
export interface EnquiryForm extends Record<EnquiryField, string> {
  type: (typeof TYPES)[number]
  /** Local times that suit the visitor for a viewing. */
  dates: string[]
  consent: boolean
  marketing: boolean
  /** The hidden key of the form that was shown. */
  key: string
  /** A field that people do not see; programs fill it in. */
  website: string
}

export type EnquiryErrors = Partial<Record<EnquiryField | 'dates' | 'consent', ErrorName>>

/** How many times a viewing is proposed for, and how far ahead. */
const MAX_DATES = 10
const MAX_AHEAD_MS = 366 * 24 * 3600 * 1000

/** Reads the form. A text that is too long is kept a little longer than allowed, to be shown again. */
export function readForm(data: FormData): EnquiryForm {
  const text = (name: string, length: number) => {
    const value = data.get(name)
    return typeof value === 'string' ? visible(value).slice(0, length + 1) : ''
  }
  const type = text('type', 20)
  const values = Object.fromEntries(FIELDS.map((name) => [name, text(name, MAX_LENGTHS[name])]))
  return {
    ...(values as Record<EnquiryField, string>),
    type: TYPES.find((known) => known === type) ?? 'information',
    dates: data
      .getAll('dates')
      .flatMap((value) => (typeof value === 'string' && value.trim() ? [value.trim().slice(0, 30)] : []))
      .slice(0, MAX_DATES),
    consent: data.get('consent') === 'yes',
    marketing: data.get('marketing') === 'yes',
    key: text('key', 60),
    website: text('website', 100),
  }
}

/** A text without control characters, which some phones and programs put there. */
const visible = (text: string) =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .trim()

/** What is wrong with a form, by field. */
export function validate(form: EnquiryForm): EnquiryErrors {
  const errors: EnquiryErrors = {}
  if (!form.last_name) errors.last_name = 'required'
  if (!form.message) errors.message = 'required'
  if (!form.email && !form.phone) errors.email = 'contact'
  if (form.email && !isEmail(form.email)) errors.email = 'email'
  // How it may be written, Estia says: extensions and dashes come in many forms.
  if (form.phone && form.phone.replace(/\D/g, '').length < 5) errors.phone = 'phone'
  if (datesOf(form).some((date) => date === null)) errors.dates = 'dates'
  for (const name of FIELDS) if (form[name].length > MAX_LENGTHS[name]) errors[name] = 'long'
  if (!form.consent) errors.consent = 'consent'
  return errors
}

function isEmail(text: string): boolean {
  const [name, host, ...rest] = text.split('@')
  return Boolean(name && host?.includes('.') && !host.endsWith('.') && rest.length === 0 && !/\s/.test(text))
}

/** The times of a viewing in UTC; null for one that is none, or not within a year. */
const datesOf = ({ type, dates }: EnquiryForm) => (type === 'viewing' ? dates.map(toUtc) : [])

/** A time of the agency's clocks, as Estia writes it. */
function toUtc(local: string): string | null {
  const match = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?$/.exec(local)
  const wall = match ? Date.parse(`${match[1]}T${match[2]}Z`) : Number.NaN
  // Not the 31st of February.
  if (Number.isNaN(wall) || !new Date(wall).toISOString().startsWith(`${match?.[1]}T`)) return null
  // The offset of that moment, which is not known before: around a change of the clocks, the second look corrects the first.
  const time = wall - offsetAt(wall - offsetAt(wall))
  const isSoon = time > Date.now() && time < Date.now() + MAX_AHEAD_MS
  return isSoon ? new Date(time).toISOString().slice(0, 19).replace('T', ' ') : null
}

/** How far the agency's clocks are ahead of UTC, in milliseconds. */
function offsetAt(time: number): number {
  // The Swedish order is that of ISO 8601.
  const clock = new Intl.DateTimeFormat('sv-SE', {
    timeZone: AGENCY.timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  })
  return Date.parse(`${clock.format(time).replace(' ', 'T')}Z`) - time
}

/** Where a form stands. */
interface Context {
  listingId: number | null
  languageId: number | undefined
  pageUrl: string
  /** The IP address of the visitor; empty if it is unknown. */
  visitor: string
}

/** How Estia has answered. */
export type Sent =
  | { reference: string | null }
  | { errors: EnquiryErrors }
  | { failure: 'sendFailed' | 'sendLimit' }

/** Sends an enquiry. The same form sent twice makes one, as both have the same idempotency key. */
export async function sendEnquiry(env: Settings, form: EnquiryForm, context: Context): Promise<Sent> {
  const { type, first_name, last_name, email, phone, message, consent, marketing } = form
  const dates = [...new Set(datesOf(form).filter((date) => date !== null))].toSorted()
  const body = {
    type,
    listing_id: context.listingId ?? undefined,
    first_name: first_name || undefined,
    last_name,
    email: email || undefined,
    phone: phone || undefined,
    message,
    dates: dates.length > 0 ? dates : undefined,
    language_id: context.languageId,
    consent: { privacy: consent, marketing },
    page_url: context.pageUrl,
  }
  const key = await keyOf(form.key, JSON.stringify(body))
  const estia = createVisitorClient({
    baseUrl: estiaUrl(env),
    key: env.SITE_KEY,
    retries: false,
    fetch: (request) => {
      request.headers.set('Idempotency-Key', key)
      return send(env, request, context.visitor)
    },
  })
  try {
    const { data, error } = await estia.post('/api/enquiries', { body })
    if (data) return { reference: readReference(data.reference) }
    const errors = error.status === 400 ? refusedFields(error) : {}
    if (Object.keys(errors).length > 0) return { errors }
    console.error(error)
    return { failure: error.status === 429 ? 'sendLimit' : 'sendFailed' }
  } catch (error) {
    console.error(error)
    return { failure: 'sendFailed' }
  }
}

/** The reference by which the agency finds an enquiry; null for anything else. */
export const readReference = (sent: unknown): string | null =>
  typeof sent === 'string' && /^[A-Za-z0-9-]{1,40}$/.test(sent) ? sent : null

/** The idempotency key of a form with a content. Caches may show two visitors the same form, so both count. */
async function keyOf(key: string, body: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${key}\n${body}`))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The fields that Estia has refused although this website accepts them. */
function refusedFields({ problems }: EstiaError): EnquiryErrors {
  const names = problems.map(({ field }) => field.split(/[.[]/)[0])
  return Object.fromEntries(
    [...FIELDS, 'dates'].filter((name) => names.includes(name)).map((name) => [name, 'refused' as const]),
  )
}
