/** Enquiries: reads the form, judges it in the visitor's language, and sends it to Estia. */
import { send } from './estia.ts'
import { estiaUrl, type Settings } from './settings.ts'
import type { Texts } from './texts.ts'

export const ENQUIRY_TYPES = ['information', 'viewing', 'valuation'] as const
export type EnquiryType = (typeof ENQUIRY_TYPES)[number]

const FIELDS = ['first_name', 'last_name', 'email', 'phone', 'message'] as const
export type EnquiryField = (typeof FIELDS)[number]
type ErrorName = keyof Texts['errors']

/** What was typed. */
export interface EnquiryForm extends Record<EnquiryField, string> {
  type: EnquiryType
  consent: boolean
  marketing: boolean
  /** The hidden key of the form that was shown. */
  key: string
  /** A field that people do not see; programs fill it in. */
  website: string
}

export type EnquiryErrors = Partial<Record<EnquiryField | 'consent', ErrorName>>

const MAX_LENGTHS: Record<EnquiryField, number> = {
  first_name: 100,
  last_name: 100,
  email: 200,
  phone: 40,
  message: 5_000,
}

/** Reads the form. A text that is too long is kept a little longer than allowed, to be shown again. */
export function readForm(data: FormData): EnquiryForm {
  const text = (name: string, length: number) => {
    const value = data.get(name)
    return typeof value === 'string' ? value.trim().slice(0, length + 1) : ''
  }
  const type = text('type', 20)
  const values = Object.fromEntries(FIELDS.map((name) => [name, text(name, MAX_LENGTHS[name])]))
  return {
    ...(values as Record<EnquiryField, string>),
    type: ENQUIRY_TYPES.find((known) => known === type) ?? 'information',
    consent: data.get('consent') === 'yes',
    marketing: data.get('marketing') === 'yes',
    key: text('key', 60),
    website: text('website', 100),
  }
}

/** What is wrong with a form, by field. */
export function judge(form: EnquiryForm): EnquiryErrors {
  const errors: EnquiryErrors = {}
  if (!form.last_name) errors.last_name = 'required'
  if (!form.message) errors.message = 'required'
  if (!form.email && !form.phone) errors.email = 'contact'
  if (form.email && !isEmail(form.email)) errors.email = 'email'
  if (form.phone && form.phone.replace(/\D/g, '').length < 5) errors.phone = 'phone'
  for (const name of FIELDS) if (form[name].length > MAX_LENGTHS[name]) errors[name] = 'long'
  if (!form.consent) errors.consent = 'consent'
  return errors
}

function isEmail(text: string): boolean {
  const [name, host, ...rest] = text.split('@')
  return Boolean(name && host?.includes('.') && !host.endsWith('.') && rest.length === 0 && !/\s/.test(text))
}

/** Where a form stands. */
interface Context {
  listingId: number | null
  languageId: number | undefined
  pageUrl: string
}

/** How Estia has answered. */
export type Sent = { outcome: 'sent' } | { outcome: 'refused'; errors: EnquiryErrors } | { outcome: 'failed' }

/** Sends an enquiry. The same form sent twice makes one, as both have the same idempotency key. */
export async function sendEnquiry(env: Settings, form: EnquiryForm, context: Context): Promise<Sent> {
  const { type, first_name, last_name, email, phone, message, consent, marketing } = form
  const body = JSON.stringify({
    type,
    ...(context.listingId === null ? {} : { listing_id: context.listingId }),
    ...(first_name ? { first_name } : {}),
    last_name,
    ...(email ? { email } : {}),
    ...(phone ? { phone } : {}),
    message,
    ...(context.languageId === undefined ? {} : { language_id: context.languageId }),
    consent: { privacy: consent, marketing },
    page_url: context.pageUrl,
  })
  const request = new Request(`${estiaUrl(env)}/api/enquiries`, {
    method: 'POST',
    headers: {
      Accept: 'application/problem+json',
      Authorization: `Bearer ${env.SITE_KEY}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': await keyOf(form.key, body),
    },
    body,
  })
  const answer = await send(env, request).catch(() => null)
  if (answer?.ok) return { outcome: 'sent' }
  const errors = answer?.status === 400 ? refusedFields(await answer.json().catch(() => null)) : {}
  if (Object.keys(errors).length > 0) return { outcome: 'refused', errors }
  console.error(`The enquiry was not stored: ${answer?.status ?? 'no answer'}`)
  return { outcome: 'failed' }
}

/** The idempotency key of a form with a content. Caches may show two visitors the same form, so both count. */
async function keyOf(key: string, body: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${key}\n${body}`))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The fields that Estia has refused although this website accepts them. */
function refusedFields(problem: unknown): EnquiryErrors {
  const { errors = [] } = (problem ?? {}) as { errors?: { field?: string }[] }
  const names = errors.map(({ field }) => FIELDS.find((name) => name === field))
  return Object.fromEntries(
    names.filter((name) => name !== undefined).map((name) => [name, 'refused' as const]),
  )
}
