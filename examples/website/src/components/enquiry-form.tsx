/** The enquiry form: plain HTML that posts to this website. What was typed is kept when something is wrong. */
import type { EnquiryErrors, EnquiryField, EnquiryForm as Form } from '../enquiry.ts'
import { useVisit } from '../visit.ts'

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
  types: Form['type'][]
  enquiry: EnquiryState
}

export function EnquiryForm({ action, types, enquiry }: EnquiryFormProps) {
  const { t, language } = useVisit()
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
            <span>{t.enquiryTypes[type]}</span>
          </label>
        ))}
      </fieldset>
      <div class="pair">
        <Field name="first_name" autocomplete="given-name" isOptional {...{ form, errors }} />
        <Field name="last_name" autocomplete="family-name" {...{ form, errors }} />
      </div>
      <Field name="email" type="email" autocomplete="email" {...{ form, errors }} />
      <Field name="phone" type="tel" autocomplete="tel" {...{ form, errors }} />
      <p class="hint">{t.oneOfThem}</p>
      {types.includes('viewing') && <Dates {...{ form, errors }} />}
      <Field name="message" {...{ form, errors }} />
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
          {...stateOf('consent', errors)}
        />
        <span>
          {t.consent} <a href={`/${language}/privacy`}>{t.consentMore}</a>
        </span>
      </label>
      <FieldError name="consent" errors={errors} />
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

interface FormState {
  form: Form | undefined
  errors: EnquiryErrors
}

/** When a viewing would suit; hidden by the style sheet while another type is chosen. */
function Dates({ form, errors }: FormState) {
  const { t } = useVisit()
  const today = new Date().toISOString().slice(0, 10)
  return (
    <fieldset class="dates" aria-describedby={errors.dates && 'dates-error'}>
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
      <FieldError name="dates" errors={errors} />
    </fieldset>
  )
}

interface FieldProps extends FormState {
  name: EnquiryField
  type?: 'text' | 'email' | 'tel'
  autocomplete?: string
  isOptional?: boolean
}

function Field({ name, type = 'text', autocomplete, isOptional, form, errors }: FieldProps) {
  const { t } = useVisit()
  const attributes = { id: name, name, ...stateOf(name, errors) }
  return (
    <div class="field">
      <label for={name}>
        {t.enquiryFields[name]} {isOptional && <small>({t.optional})</small>}
      </label>
      {name === 'message' ? (
        <textarea {...attributes} rows={4}>
          {form?.message}
        </textarea>
      ) : (
        <input {...attributes} type={type} autocomplete={autocomplete} value={form?.[name]} />
      )}
      <FieldError name={name} errors={errors} />
    </div>
  )
}

/** What a control says of its error to those who do not see it. */
const stateOf = (name: keyof EnquiryErrors, errors: EnquiryErrors) =>
  errors[name] ? { 'aria-invalid': 'true' as const, 'aria-describedby': `${name}-error` } : {}

function FieldError({ name, errors }: { name: keyof EnquiryErrors; errors: EnquiryErrors }) {
  const { t } = useVisit()
  const error = errors[name]
  if (!error) return null
  return (
    <p class="error" id={`${name}-error`}>
      {t.errors[error]}
    </p>
  )
}
