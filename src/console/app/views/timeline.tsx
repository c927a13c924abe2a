/** All that happened with a contact, newest first. */
import { useEffect, useRef, useState } from 'hono/jsx/dom'
import { callTagged } from '../call.ts'
import { Value } from '../fields.tsx'
import { useTitles } from '../names.tsx'
import { Badge, Button, RecordLink, Result, Table } from '../parts.tsx'
import { useConsole, useLoaded } from '../state.ts'
import { Changed } from './trail.tsx'

interface Entry {
  kind: string
  date: string
  resource: string
  role: string
  actor: { name: string | null } | null
  text: string | null
  data: { listing_id?: number | null; starts?: string; changed?: Record<string, [unknown, unknown]> }
}

/** The newest entries, or those before a position. Those before them follow when they are asked for. */
export function Timeline({ contact, before }: { contact: number; before?: string }) {
  const { texts, formatDate, nameOf } = useConsole()
  const path = `/api/contacts/${contact}/timeline${before ? `?before=${before}` : ''}`
  const page = useLoaded(path, () => callTagged<{ data: Entry[]; next: string | null }>('GET', path))
  const [isMore, setMore] = useState(false)
  const entries = page.data?.json.data ?? []
  const titles = useTitles(
    entries.flatMap(({ data: { listing_id } }) =>
      listing_id ? [{ resource: 'listings', record_id: listing_id }] : [],
    ),
  )
  const top = useRef<HTMLDivElement>(null)
  // The button that asked for these is gone, and the focus with it.
  useEffect(() => {
    if (before) top.current?.focus()
  }, [])
  const kindName = (kind: string) => nameOf('timeline', kind)
  return (
    <div tabindex={-1} ref={top}>
      <Result loaded={page}>
        {({ json: { next }, leftOut }) => (
          <>
            {!before && leftOut && (
              <p class="quiet">
                {texts.timelineLeftOut} {leftOut.split(', ').map(kindName).join(', ')}
              </p>
            )}
            <Table
              caption={texts.timeline}
              rows={entries}
              columns={[
                { title: texts.date, cell: ({ date }) => formatDate(date) },
                {
                  title: texts.type,
                  cell: ({ kind, role, resource, data: { listing_id, changed, starts, ...facts } }) => (
                    <>
                      <Badge>{kindName(kind)}</Badge>
                      {role !== 'other' && <Badge>{nameOf('roles', role)}</Badge>}
                      {listing_id && (
                        <RecordLink
                          resource="listings"
                          id={listing_id}
                          name={titles.get(`listings/${listing_id}`)}
                        />
                      )}{' '}
                      {changed && <Changed resource={resource} changed={changed} />}
                      {/* The types of rounds are none of offers. */}
                      <Value
                        resource={kind === 'offer_round' ? 'rounds' : resource}
                        field="data"
                        value={facts}
                      />
                    </>
                  ),
                },
                { title: texts.text, cell: ({ text }) => <span class="letter">{text}</span> },
                { title: texts.actor, cell: ({ actor }) => actor?.name },
              ]}
            />
            {next && isMore && <Timeline contact={contact} before={next} />}
            {next && !isMore && <Button title={texts.more} onPress={() => setMore(true)} />}
          </>
        )}
      </Result>
    </div>
  )
}
