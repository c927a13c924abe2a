/** Enquiries that wait for an answer. */
import { useState } from 'hono/jsx/dom'
import { call, may, read } from '../call.ts'
import { Action, Badge, Heading, Pages, Problem, Result, TextField, textOf } from '../parts.tsx'
import { describeError, formatDate, formatNumber, useConsole, useLoaded } from '../state.ts'

interface Enquiry {
  id: number
  reference: string
  type: string
  listing_id: number | null
  first_name: string | null
  last_name: string | null
  email: string | null
  phone: string | null
  message: string
  amount: number | null
  status: string
  contact_id: number | null
  request_id: number | null
  date_created: string
}

interface Page {
  total_pages: number
  total_results: number
  data: Enquiry[]
}

interface Enumeration {
  name: string
  values: { value: string; name_el: string; name_en: string }[]
}

const STATUSES = ['new', 'open', 'closed', 'spam'] as const

export function Enquiries() {
  const state = useConsole()
  const { texts } = state
  const [status, setStatus] = useState<(typeof STATUSES)[number]>('new')
  const [page, setPage] = useState(1)
  const path = `/api/enquiries?status=${status}&page=${page}&per_page=20`
  const enquiries = useLoaded(path, () => call<Page>('GET', path))
  const names = useLoaded('names', () => read<Enumeration[]>('/api/enumerations'))
  const nameOf = (enumeration: string, value: string) => {
    const found = names.data
      ?.find(({ name }) => name === enumeration)
      ?.values.find((one) => one.value === value)
    return found?.[state.language === 'el' ? 'name_el' : 'name_en'] ?? value
  }
  return (
    <>
      <Heading title={texts.enquiries} />
      <fieldset class="tabs">
        <legend class="hidden">{texts.status}</legend>
        {STATUSES.map((one) => (
          <button
            type="button"
            aria-pressed={one === status ? 'true' : 'false'}
            onClick={() => {
              setPage(1)
              setStatus(one)
            }}
          >
            {texts[one]}
          </button>
        ))}
      </fieldset>
      <Result loaded={enquiries}>
        {({ data, total_pages }) => (
          <>
            {data.length === 0 && <p class="quiet">{texts.none}</p>}
            <ul class="cards">
              {data.map((enquiry) => (
                <li class="card" key={enquiry.id}>
                  <Letter
                    enquiry={enquiry}
                    type={nameOf('enquiry_type', enquiry.type)}
                    onChange={enquiries.reload}
                  />
                </li>
              ))}
            </ul>
            <Pages page={page} total={total_pages} onTurn={setPage} />
          </>
        )}
      </Result>
    </>
  )
}

function Letter({ enquiry, type, onChange }: { enquiry: Enquiry; type: string; onChange: () => void }) {
  const state = useConsole()
  const { texts, self } = state
  const [isConverting, setConverting] = useState(false)
  const { id, reference, first_name, last_name, email, phone, message, listing_id, amount, status } = enquiry
  const set = (next: string) => async () => {
    await call('PUT', `/api/enquiries/${id}`, { body: { status: next } })
    onChange()
  }
  const name = [first_name, last_name].filter(Boolean).join(' ') || '–'
  return (
    <article aria-labelledby={`enquiry-${id}`}>
      <div class="heading">
        <h2 id={`enquiry-${id}`}>{name}</h2>
        <span>
          <Badge kind="warm">{type}</Badge>
        </span>
      </div>
      <p class="quiet">
        {formatDate(enquiry.date_created, state)} · {reference} ·{' '}
        {listing_id === null ? texts.anyListing : `${texts.listing} ${listing_id}`}
        {amount !== null && ` · ${formatNumber(amount, state)}`}
      </p>
      <p class="letter">{message}</p>
      <p>
        {email && <a href={`mailto:${encodeURIComponent(email)}`}>{email}</a>}
        {email && phone && ' · '}
        {phone && <a href={`tel:${phone.replace(/[^+\d]/g, '')}`}>{phone}</a>}
      </p>
      {enquiry.contact_id !== null && (
        <p class="notice good">
          {texts.converted} {enquiry.contact_id}
        </p>
      )}
      {may(self, 'enquiries:write') && (
        <div class="actions">
          {enquiry.contact_id === null && status !== 'spam' && (
            <button
              type="button"
              class="button main"
              aria-expanded={isConverting ? 'true' : 'false'}
              onClick={() => setConverting(!isConverting)}
            >
              {texts.convert}
            </button>
          )}
          {status !== 'closed' && <Action title={texts.markClosed} work={set('closed')} />}
          {status !== 'spam' && <Action title={texts.markSpam} work={set('spam')} />}
        </div>
      )}
      {isConverting && <Conversion id={id} onDone={onChange} />}
    </article>
  )
}

function Conversion({ id, onDone }: { id: number; onDone: () => void }) {
  const { texts } = useConsole()
  const [error, setError] = useState<string | null>(null)
  const convert = async (event: Event) => {
    event.preventDefault()
    const contact = textOf(event.target as HTMLFormElement, 'contact_id')
    try {
      await call('POST', `/api/enquiries/${id}/convert`, {
        body: contact ? { contact_id: Number(contact) } : {},
      })
      onDone()
    } catch (failure) {
      setError(describeError(failure, texts))
    }
  }
  return (
    <form class="filters" onSubmit={(event: Event) => void convert(event)}>
      <TextField
        label={texts.contactId}
        hint={texts.convertLead}
        name="contact_id"
        inputmode="numeric"
        pattern="[0-9]+"
      />
      <button type="submit" class="button main">
        {texts.confirm}
      </button>
      <Problem text={error} />
    </form>
  )
}
