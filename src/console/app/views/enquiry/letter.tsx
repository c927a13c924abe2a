/** One enquiry: what was asked, and what the agency does about it. */
import type { Child } from 'hono/jsx'
import { useRef, useState } from 'hono/jsx/dom'
import { phoneLines } from '../../../../fields/phones-and-emails.ts'
import { call, may } from '../../call.ts'
import { type Failure, failureOf } from '../../errors.tsx'
import { ContactName } from '../../names.tsx'
import { Badge, Button, Problem, RecordLink } from '../../parts.tsx'
import { useConsole } from '../../state.ts'
import { Conversion, type Converted, Criteria } from './convert.tsx'
import { type Enquiry, fullName } from './data.ts'
import { Handling, type LetterProps } from './handling.tsx'
import { ListingCard } from './listing.tsx'
import { replyAddress } from './reply.ts'
import { useEnquiryTexts } from './texts.ts'

/** The statuses, in the order of the work. Any may follow any other, so every change can be taken back. */
export const STATUSES = ['new', 'open', 'closed', 'spam'] as const

export function Letter({ enquiry, lookups, onChange }: LetterProps) {
  const state = useConsole()
  const { self, formatDate, nameOf } = state
  const words = useEnquiryTexts()
  const listing = lookups.listings.find(({ id }) => id === enquiry.listing_id)
  const reply = replyAddress(enquiry, listing, lookups, state)
  const { id, phone, status } = enquiry
  const writes = may(self, 'enquiries:write')
  const write = async (body: Partial<Enquiry>) => {
    await call('PUT', `/api/enquiries/${id}`, { body })
    onChange(body)
  }
  // If that fails, the status says so: the answer is written all the same.
  const answer = () => {
    if (status === 'new' && writes) write({ status: 'open' }).catch(() => undefined)
  }
  return (
    <article aria-labelledby={`enquiry-${id}`}>
      <div class="heading">
        <h2 id={`enquiry-${id}`}>{fullName(enquiry) || '–'}</h2>
        <span>
          <Badge kind="warm">{nameOf('enquiry_type', enquiry.type)}</Badge>
          <Badge>{nameOf('enquiry_status', status)}</Badge>
        </span>
      </div>
      <p class="quiet">
        {formatDate(enquiry.date_created)} · {enquiry.reference}
      </p>
      {enquiry.listing_id !== null && (
        <ListingCard id={enquiry.listing_id} listing={listing} lookups={lookups} />
      )}
      <p class="letter">{enquiry.message}</p>
      <Facts enquiry={enquiry} />
      <div class="actions">
        {reply && (
          <a class="button main" href={reply} title={words.replyHint} onClick={answer}>
            {words.reply}
          </a>
        )}
        {phone && (
          <a class="button quiet" href={`tel:${phoneLines(phone)[0]?.replace(/^00/, '+')}`}>
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
                title={nameOf('enquiry_status', one)}
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
  const [error, setError] = useState<Failure | null>(null)
  const press = () => {
    setError(null)
    if (!isCurrent) set().catch((failure: unknown) => setError(failureOf(failure)))
  }
  return (
    <>
      <button type="button" aria-pressed={isCurrent ? 'true' : 'false'} onClick={press}>
        {title}
      </button>
      <Problem failure={error} />
    </>
  )
}

/** What was asked beside the message, as far as it was. */
function Facts({ enquiry }: { enquiry: Enquiry }) {
  const { formatDate, formatNumber } = useConsole()
  const words = useEnquiryTexts()
  const { email, phone, dates, amount, page_url, criteria, consent } = enquiry
  const facts: [string, Child][] = [
    [words.email, email],
    [words.phone, phone],
    [words.amount, amount !== null && `€ ${formatNumber(amount)}`],
    [
      words.dates,
      dates.length > 0 && dates.map((date) => <span class="block">{formatDate(date, 'full')}</span>),
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

/** What the enquiry has become, or how it becomes that. */
function Convert({ enquiry, lookups, store, onChange }: LetterProps & { store: number | undefined }) {
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
        {words.converted}: {words.contact} <ContactName id={contact_id} />
        {request_id !== null && (
          <>
            {', '}
            <RecordLink resource="requests" id={request_id} />
          </>
        )}
      </p>
    )
  if (!may(self, 'enquiries:write') || status === 'spam') return null
  return (
    <>
      <Button
        title={isConverting ? words.cancel : words.convert}
        aria-expanded={isConverting ? 'true' : 'false'}
        onPress={() => setConverting(!isConverting)}
      />
      {isConverting && <Conversion enquiry={enquiry} lookups={lookups} store={store} onDone={done} />}
    </>
  )
}
