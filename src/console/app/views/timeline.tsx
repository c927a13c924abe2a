/** All that happened with a contact, newest first. */
import { useEffect, useRef, useState } from 'hono/jsx/dom'
import { call, callTagged, may, read } from '../call.ts'
import { Value } from '../fields.tsx'
import { useTitles } from '../names.tsx'
import { Badge, Dialog, Form, RecordLink, Result, RowButton, Table, textOf } from '../parts.tsx'
import { formatDate, useConsole, useLoaded } from '../state.ts'
import { fieldName, nameOf } from '../words.ts'
import { Changed } from './trail.tsx'

interface Entry {
  kind: string
  date: string
  resource: string
  id: number
  role: string
  actor: { type: string; id: number | null; name: string | null } | null
  text: string | null
  data: { listing_id?: number | null; starts?: string; changed?: Record<string, [unknown, unknown]> }
}

interface Props {
  contact: number
  before?: string
  /** Called when a note has changed. */
  onDone: () => void
}

/** The newest entries, or those before a position. Those before them follow when they are asked for. */
export function Timeline({ contact, before, onDone }: Props) {
  const state = useConsole()
  const { texts, language, self } = state
  const [edited, setEdited] = useState<number | null>(null)
  const isOwn = ({ kind, actor }: Entry) =>
    kind === 'activity' &&
    actor?.type === 'user' &&
    actor.id === self.user_id &&
    may(self, 'activities:write')
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
  const kindName = (kind: string) => nameOf('timeline', kind, language)
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
              keyOf={(_, index) => index}
              columns={[
                { title: texts.date, cell: ({ date }) => formatDate(date, state) },
                {
                  title: texts.type,
                  cell: ({ kind, role, resource, data: { listing_id, changed, starts, ...facts } }) => (
                    <>
                      <Badge>{kindName(kind)}</Badge>
                      {role !== 'other' && <Badge>{nameOf('roles', role, language)}</Badge>}
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
                {
                  title: texts.actor,
                  cell: (entry) => (
                    <>
                      {entry.actor?.name}{' '}
                      {isOwn(entry) && (
                        <RowButton
                          title={texts.edit}
                          of={entry.text ?? ''}
                          onPress={() => setEdited(entry.id)}
                        />
                      )}
                    </>
                  ),
                },
              ]}
            />
            {edited !== null && <EditNote id={edited} onDone={onDone} onClose={() => setEdited(null)} />}
            {next && isMore && <Timeline contact={contact} before={next} onDone={onDone} />}
            {next && !isMore && (
              <button type="button" class="button quiet" onClick={() => setMore(true)}>
                {texts.more}
              </button>
            )}
          </>
        )}
      </Result>
    </div>
  )
}

/** What somebody has noted, to be put right or pinned. */
function EditNote({ id, onDone, onClose }: { id: number; onDone: () => void; onClose: () => void }) {
  const { texts, language } = useConsole()
  const path = `/api/activities/${id}`
  const note = useLoaded(path, () => callTagged<{ data: Note }>('GET', path))
  return (
    <Dialog title={`${texts.edit}: ${nameOf('records', 'activities', language)} ${id}`} onClose={onClose}>
      <Result loaded={note}>
        {({ json: { data }, tag }) => (
          <Form
            title={texts.save}
            work={async (form) => {
              const body = {
                text: textOf(form, 'edited') || null,
                is_pinned: textOf(form, 'pinned') === 'on',
              }
              await call('PUT', path, { body, ifMatch: tag })
              onClose()
              onDone()
            }}
          >
            <div class="field">
              <label for="edited">{texts.text}</label>
              <textarea id="edited" name="edited" rows={5} maxlength={65_535}>
                {data.text}
              </textarea>
            </div>
            <label class="check">
              <input type="checkbox" name="pinned" checked={data.is_pinned} />
              <span>{fieldName('is_pinned', language)}</span>
            </label>
          </Form>
        )}
      </Result>
    </Dialog>
  )
}

interface Note {
  id: number
  subject: string | null
  text: string | null
  date: string
  is_pinned: boolean
}

/** What stays in sight about a contact. */
export function Pinned({ contact }: { contact: number }) {
  const state = useConsole()
  const path = `/api/activities?contact_id=${contact}&is_pinned=true`
  const notes = useLoaded(path, async () => (may(state.self, 'activities:read') ? read<Note[]>(path) : []))
  return (
    <Result loaded={notes}>
      {(rows) =>
        rows.map(({ subject, text, date }) => (
          <p class="notice letter">
            {[subject, text].filter(Boolean).join('\n')}{' '}
            <small class="quiet">{formatDate(date, state)}</small>
          </p>
        ))
      }
    </Result>
  )
}
