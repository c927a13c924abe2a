/** The enquiry form: plain HTML that posts to this website. What was typed is kept when something is wrong. */
import type { EnquiryErrors, EnquiryField, EnquiryType, EnquiryForm as Form } from '../enquiry.ts'
import { type Language, texts } from '../texts.ts'

/** Times that a visitor may propose for a viewing. */
const OFFERED_DATES = 3

/** What a form shows: empty at first, or what was typed with what is wrong. */
export interface EnquiryState {
  form?: Form
  errors?: EnquiryErrors
  /** Why it was not sent although nothing is wrong with it. */
  failure?: 'sendFailed' | 'sendLimit'
  /** Makes one enquiry of a form that is sent twice. */
  key: string
}

interface EnquiryFormProps {
  action: string
  types: EnquiryType[]
  enquiry: EnquiryState
  language: Language
}

const TYPE_TEXTS: Record<Language, Record<EnquiryType, string>> = {
  el: { information: 'Πληροφορίες', viewing: 'Επίσκεψη', valuation: 'Εκτίμηση' },
  en: { information: 'Information', viewing: 'Viewing', valuation: 'Valuation' },
}

export function EnquiryForm({ action, types, enquiry, language }: EnquiryFormProps) {
  const t = texts[language]
  const { form, errors = {}, failure, key } = enquiry
  const hasErrors = Object.keys(errors).length > 0
  return (
    <form class="enquiry" method="post" action={action} novalidate>
      {(hasErrors || failure) && (
        <p class="alert" role="alert">
          {failure ? t[failure] : t.formProblems}
        </p>
      )}
      <fieldset class="types">
        <legend>{t.askAbout}</legend>
        {types.map((type) => (
          <label>
            <input type="radio" name="type" value={type} checked={type === (form?.type ?? types[0])} />
            <span>{TYPE_TEXTS[language][type]}</span>
          </label>
        ))}
      </fieldset>
      <div class="pair">
        <Field name="first_name" autocomplete="given-name" isOptional {...{ form, errors, language }} />
        <Field name="last_name" autocomplete="family-name" {...{ form, errors, language }} />
      </div>
      <Field name="email" type="email" autocomplete="email" {...{ form, errors, language }} />
      <Field name="phone" type="tel" autocomplete="tel" {...{ form, errors, language }} />
      <p class="hint">{t.oneOfThem}</p>
      {types.includes('viewing') && <Dates {...{ form, errors, language }} />}
      <Field name="message" {...{ form, errors, language }} />
      <div class="trap" aria-hidden="true">
        <label>
          {t.leaveEmpty}
          <input name="website" tabindex={-1} autocomplete="off" />
        </label>
      </div>
      <input type="hidden" name="key" value={key} />
      <label class="check">
        <input
          type="checkbox"
          name="consent"
          value="yes"
          checked={form?.consent}
          aria-invalid={errors.consent ? 'true' : undefined}
          aria-describedby={errors.consent ? 'consent-error' : undefined}
        />
        <span>
          {t.consent} <a href={`/${language}/privacy`}>{t.consentMore}</a>
        </span>
      </label>
      {errors.consent && <FieldError name="consent" text={t.errors[errors.consent]} />}
      <label class="check">
        <input type="checkbox" name="marketing" value="yes" checked={form?.marketing} />
        <span>
          {t.marketing} <small>({t.optional})</small>
        </span>
      </label>
      <button type="submit" class="button button-wide">
        {t.send}
      </button>
    </form>
  )
}

/** When a viewing would suit; hidden by the style sheet while another type is chosen. */
function Dates({ form, errors, language }: Pick<FieldProps, 'form' | 'errors' | 'language'>) {
  const t = texts[language]
  const today = new Date().toISOString().slice(0, 10)
  return (
    <fieldset class="dates" aria-describedby={errors.dates ? 'dates-error' : undefined}>
      <legend>
        {t.dates} <small>({t.optional})</small>
      </legend>
      {Array.from({ length: OFFERED_DATES }, (_, index) => (
        <input
          type="datetime-local"
          name="dates"
          min={`${today}T00:00`}
          value={form?.dates[index]}
          aria-label={t.date(index + 1)}
          aria-invalid={errors.dates && form?.dates[index] ? 'true' : undefined}
        />
      ))}
      {errors.dates && <FieldError name="dates" text={t.errors[errors.dates]} />}
    </fieldset>
  )
}

const LABELS = {
  first_name: 'firstName',
  last_name: 'lastName',
  email: 'email',
  phone: 'phone',
  message: 'message',
} as const

interface FieldProps {
  name: EnquiryField
  type?: 'text' | 'email' | 'tel'
  autocomplete?: string
  isOptional?: boolean
  form: Form | undefined
  errors: EnquiryErrors
  language: Language
}

function Field({ name, type = 'text', autocomplete, isOptional, form, errors, language }: FieldProps) {
  const t = texts[language]
  const error = errors[name]
  const attributes = {
    id: name,
    name,
    'aria-invalid': error ? ('true' as const) : undefined,
    'aria-describedby': error ? `${name}-error` : undefined,
  }
  return (
    <div class="field">
      <label for={name}>
        {t[LABELS[name]]} {isOptional && <small>({t.optional})</small>}
      </label>
      {name === 'message' ? (
        <textarea {...attributes} rows={4}>
          {form?.message}
        </textarea>
      ) : (
        <input {...attributes} type={type} autocomplete={autocomplete} value={form?.[name]} />
      )}
      {error && <FieldError name={name} text={t.errors[error]} />}
    </div>
  )
}

const FieldError = ({ name, text }: { name: string; text: string }) => (
  <p class="error" id={`${name}-error`}>
    {text}
  </p>
)
