/** The diary on the overview: today's appointments, and viewings without feedback. */
import type { BodyOf, RecordOf } from 'estia/client'
import { call, may } from '../call.ts'
import { ContactName, Meaning } from '../names.tsx'
import { Badge, RecordLink, Result, Table } from '../parts.tsx'
import { type Loaded, todayOf, useConsole, useLoaded } from '../state.ts'
import { type Lookups, titleOf, useLookups } from './enquiry/data.ts'

type Appointment = RecordOf<'/api/appointments'>

type Page = BodyOf<'get', '/api/appointments'>

export interface Diary {
  today: Page
  /** Viewings without feedback, the latest first. */
  pending: Page
}

/** Each contact is read by itself. */
const [MAX_TODAY, MAX_PENDING] = [50, 10]

/** What is in the diary today, and what waits for feedback; null if the caller may not read appointments. */
export function useDiary(): Loaded<Diary | null> {
  const { self } = useConsole()
  return useLoaded('diary', async () => {
    if (!may(self, 'appointments:read')) return null
    const list = (query: Record<string, string>) =>
      call<Page>('GET', `/api/appointments?${new URLSearchParams(query)}`)
    const [today, pending] = await Promise.all([
      list({ day: todayOf(self), sort: 'starts', per_page: String(MAX_TODAY) }),
      list({ needs_feedback: 'true', sort: '-starts', per_page: String(MAX_PENDING) }),
    ])
    return { today, pending }
  })
}

export function Diary({ today, pending }: Diary) {
  const { texts, formatDate, formatTimes } = useConsole()
  return (
    <>
      <Section
        id="today"
        title={texts.today}
        page={today}
        none={texts.nothingToday}
        when={({ starts, ends }) => formatTimes(starts, ends)}
      />
      {pending.total_results > 0 && (
        <Section
          id="pending-feedback"
          title={texts.pendingFeedback}
          page={pending}
          when={({ starts }) => formatDate(starts)}
        />
      )}
    </>
  )
}

interface SectionProps {
  id: string
  title: string
  page: Page
  none?: string
  when: (appointment: Appointment) => string
}

function Section({ id, title, page: { total_results, data }, none, when }: SectionProps) {
  const { texts, nameOf } = useConsole()
  const lookups = useLookups(data)
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {data.length === 0 && <p class="quiet">{none}</p>}
      {data.length > 0 && (
        <Result loaded={lookups}>
          {(found) => (
            <Table
              caption={title}
              rows={data}
              columns={[
                { title: texts.time, cell: when },
                {
                  title: texts.type,
                  cell: ({ type, status, title }) => (
                    <>
                      {nameOf('appointment_type', type)}{' '}
                      <Badge kind={status === 'cancelled' || status === 'no_show' ? 'bad' : ''}>
                        {nameOf('appointment_status', status)}
                      </Badge>
                      {title && <span class="block">{title}</span>}
                    </>
                  ),
                },
                { title: texts.listing, cell: (one) => <Place {...one} lookups={found} /> },
                { title: texts.actor, cell: Attendees },
              ]}
            />
          )}
        </Result>
      )}
      {total_results > data.length && (
        <p class="quiet">
          {data.length} {texts.of} {total_results}
        </p>
      )}
    </section>
  )
}

/** The property, or where they meet. */
function Place({ listing_id, external_listing_id, location, lookups }: Appointment & { lookups: Lookups }) {
  const { language } = useConsole()
  const listing = lookups.listings.find(({ id }) => id === listing_id)
  const name = listing && [listing.code, titleOf(listing, lookups, language)].filter(Boolean).join(' ')
  return (
    <>
      {listing_id !== null && (
        <RecordLink resource="listings" id={listing_id} {...(name ? { title: name } : {})} />
      )}
      {external_listing_id !== null && <RecordLink resource="external-listings" id={external_listing_id} />}
      {location && <span class="block">{location}</span>}
    </>
  )
}

/** The users, and below them whom they meet. */
export function Attendees({ users, contacts }: Pick<Appointment, 'users' | 'contacts'>) {
  return (
    <>
      {users.map((id) => (
        <span class="block">
          <Meaning meaning={{ list: 'users' }} id={id} />
        </span>
      ))}
      {contacts.map((id) => (
        <span class="block">
          <ContactName id={id} />
        </span>
      ))}
    </>
  )
}
