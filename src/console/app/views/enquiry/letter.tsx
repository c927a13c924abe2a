/** One enquiry: what was asked, and what the agency does about it. */
import type { Child } from 'hono/jsx'
import { useRef, useState } from 'hono/jsx/dom'
import { call, may, read } from '../../call.ts'
import { Action, Badge, Problem, textOf } from '../../parts.tsx'
import { describeError, formatDate, formatNumber, useConsole } from '../../state.ts'
import { Conversion, type Converted } from './convert.tsx'
import { type Enquiry, fullName, type Lookups, nameOf } from './data.ts'
import { ListingCard } from './listing.tsx'
import { Criteria, Select } from './parts.tsx'
import { replyAddress } from './reply.ts'
import { useEnquiryTexts } from './texts.ts'

/** The statuses, in the order of the work. Any may follow any other, so every change can be taken back. */
export const STATUSES = ['new', 'open', 'closed', 'spam'] as const

interface Props {
  enquiry: Enquiry
  lookups: Lookups
  /** Called with what has changed. */
  onChange: (change: Partial<Enquiry>) => void
}

export function Letter({ enquiry, lookups, onChange }: Props) {
  const state = useConsole()
  const { self, language } = state
  const words = useEnquiryTexts()
  const listing = lookups.listings.find(({ id }) => id === enquiry.listing_id)
  const reply = replyAddress(enquiry, listing, lookups, state)
  const { id, phone, status } = enquiry
  const writes = may(self, 'enquiries:write')
  const write = async (body: Partial<Enquiry>) => {
    await call('PUT', `/api/enquiries/${id}`, { body })
    onChange(body)
  }
  return (
    <article aria-labelledby={`enquiry-${id}`}>
      <div class="heading">
        <h2 id={`enquiry-${id}`}>{fullName(enquiry) || '–'}</h2>
        <span>
          <Badge kind="warm">{nameOf(lookups, 'enquiry_type', enquiry.type, language)}</Badge>
          <Badge>{nameOf(lookups, 'enquiry_status', status, language)}</Badge>
        </span>
      </div>
      <p class="quiet">
        {formatDate(enquiry.date_created, state)} · {enquiry.reference}
      </p>
      {enquiry.listing_id !== null && (
        <ListingCard id={enquiry.listing_id} listing={listing} lookups={lookups} />
      )}
      <p class="letter">{enquiry.message}</p>
      <Facts enquiry={enquiry} />
      <div class="actions">
        {reply && (
          <a
            class="button main"
            href={reply}
            title={words.replyHint}
            onClick={() => status === 'new' && writes && void write({ status: 'open' })}
          >
            {words.reply}
          </a>
        )}
        {phone && (
          <a class="button quiet" href={`tel:${phone.replace(/[^+\d]/g, '')}`}>
            {words.call}
          </a>
        )}
      </div>
      {writes && (
        <>
          <fieldset class="tabs">
            <legend>{words.status}</legend>
            {STATUSES.map((one) => (
              <StatusButton
                key={one}
                isCurrent={one === status}
                title={nameOf(lookups, 'enquiry_status', one, language)}
                set={() => write({ status: one })}
              />
            ))}
          </fieldset>
          <Handling enquiry={enquiry} lookups={lookups} write={write} onChange={onChange} />
        </>
      )}
      <Convert enquiry={enquiry} lookups={lookups} store={listing?.store_id} onChange={onChange} />
    </article>
  )
}

function StatusButton({
  title,
  isCurrent,
  set,
}: {
  title: string
  isCurrent: boolean
  set: () => Promise<unknown>
}) {
  const { texts } = useConsole()
  const [error, setError] = useState<string | null>(null)
  const press = () => {
    setError(null)
    if (!isCurrent) set().catch((failure: unknown) => setError(describeError(failure, texts)))
  }
  return (
    <>
      <button type="button" aria-pressed={isCurrent ? 'true' : 'false'} onClick={press}>
        {title}
      </button>
      <Problem text={error} />
    </>
  )
}

/** What was asked beside the message, as far as it was. */
function Facts({ enquiry }: { enquiry: Enquiry }) {
  const state = useConsole()
  const words = useEnquiryTexts()
  const { email, phone, dates, amount, page_url, criteria, consent } = enquiry
  const facts: [string, Child][] = [
    [words.email, email],
    [words.phone, phone],
    [words.amount, amount !== null && formatNumber(amount, state)],
    [
      words.dates,
      dates.length > 0 && dates.map((date) => <span class="block">{formatDate(date, state, 'full')}</span>),
    ],
    [words.sought, criteria.length > 0 && <Criteria enquiry={enquiry} />],
    [
      words.website,
      page_url && (
        <a href={page_url} target="_blank" rel="noopener noreferrer">
          {page_url}
        </a>
      ),
    ],
    [words.marketing, consent.marketing ? words.yes : words.no],
  ]
  return (
    <dl class="facts">
      {facts
        .filter(([, value]) => value)
        .map(([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </>
        ))}
    </dl>
  )
}

/** Who deals with it, and what the agency notes. */
function Handling({
  enquiry,
  lookups,
  write,
  onChange,
}: Props & { write: (body: Partial<Enquiry>) => Promise<void> }) {
  const { texts } = useConsole()
  const words = useEnquiryTexts()
  const [message, setMessage] = useState<{ text: string; isBad: boolean } | null>(null)
  const { id, notes, users } = enquiry
  const [first, ...others] = users
  const nameOfUser = (user: number) => lookups.users.find((one) => one.id === user)?.name ?? `#${user}`
  const save = async (event: Event) => {
    event.preventDefault()
    const form = event.target as HTMLFormElement
    const written = textOf(form, 'notes')
    const agent = Number(textOf(form, 'agent'))
    const change: Partial<Enquiry> = {
      ...(written === (notes ?? '').trim() ? {} : { notes: written || null }),
      ...(lookups.users.length === 0 || agent === (first ?? 0)
        ? {}
        : { users: [...(agent ? [agent] : []), ...others.filter((one) => one !== agent)] }),
    }
    setMessage(null)
    try {
      if (change.notes !== undefined) {
        const stored = await read<Enquiry>(`/api/enquiries/${id}`)
        if ((stored.notes ?? '') !== (notes ?? '')) {
          onChange({ notes: stored.notes })
          setMessage({ text: `${words.notesChanged} ${stored.notes ?? '–'}`, isBad: true })
          return
        }
      }
      if (Object.keys(change).length > 0) await write(change)
      setMessage({ text: words.saved, isBad: false })
    } catch (failure) {
      setMessage({ text: describeError(failure, texts), isBad: true })
    }
  }
  return (
    <form onSubmit={(event: Event) => void save(event)}>
      {lookups.users.length > 0 && (
        <Select
          id={`agent-${id}`}
          label={words.agent}
          name="agent"
          value={first}
          empty={words.nobody}
          options={lookups.users.map((user) => [String(user.id), user.name])}
        />
      )}
      {others.length > 0 && (
        <p class="quiet">
          {words.alsoAgents} {others.map(nameOfUser).join(', ')}
        </p>
      )}
      <div class="field">
        <label for={`notes-${id}`}>{words.notes}</label>
        <textarea id={`notes-${id}`} name="notes" rows={2} maxlength={65_535}>
          {notes ?? ''}
        </textarea>
      </div>
      <div class="actions">
        <Action title={words.save} isSubmit />
        {message && (
          <span class={message.isBad ? 'error' : 'quiet'} role={message.isBad ? 'alert' : 'status'}>
            {message.text}
          </span>
        )}
      </div>
    </form>
  )
}

/** What the enquiry has become, or how it becomes that. */
function Convert({ enquiry, lookups, store, onChange }: Props & { store: number | undefined }) {
  const { self } = useConsole()
  const words = useEnquiryTexts()
  const [isConverting, setConverting] = useState(false)
  const result = useRef<HTMLParagraphElement>(null)
  const { contact_id, request_id, status } = enquiry
  const done = (converted: Converted) => {
    setConverting(false)
    onChange({ ...converted, status: 'open' })
    // The button that had the focus is gone.
    setTimeout(() => result.current?.focus())
  }
  if (contact_id !== null)
    return (
      <p class="notice good" tabindex={-1} ref={result}>
        {words.converted}: {words.contact} {contact_id}
        {request_id !== null && `, ${words.request} ${request_id}`}
      </p>
    )
  if (!may(self, 'enquiries:write') || status === 'spam') return null
  return (
    <>
      <button
        type="button"
        class="button quiet"
        aria-expanded={isConverting ? 'true' : 'false'}
        onClick={() => setConverting(!isConverting)}
      >
        {isConverting ? words.cancel : words.convert}
      </button>
      {isConverting && <Conversion enquiry={enquiry} lookups={lookups} store={store} onDone={done} />}
    </>
  )
}
