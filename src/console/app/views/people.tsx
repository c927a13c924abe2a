/** Everything that is held about a person, and its erasure. */
import { useEffect, useRef, useState } from 'hono/jsx/dom'
import type { Admin, Posted } from '../admin.ts'
import { call, may, read } from '../call.ts'
import { type Failure, said } from '../errors.tsx'
import { FieldsInWords } from '../fields.tsx'
import {
  Action,
  Button,
  Check,
  Dialog,
  download,
  Form,
  Heading,
  Problem,
  RecordLink,
  Result,
  Table,
  TextField,
  textOf,
} from '../parts.tsx'
import { type Console, useConsole, useLoaded } from '../state.ts'
import { ContactView } from './contact.tsx'

/** The lists of the answer, by name, and what is no list. */
type Person = Admin<'/admin/contacts/{id}/person'>

type Erasure = Posted<'/admin/contacts/{id}/erase'>['data']

/** A record that has something of the person; what an erasure clears, or why it stays. */
type Held = Pick<Person['contact'], 'resource' | 'id'> & {
  fields: Record<string, unknown> | string[]
  clears?: string[]
  reason?: string
}

export function People() {
  const { texts, self, argument } = useConsole()
  const [error, setError] = useState<Failure | null>(null)
  const search = (event: Event) => {
    event.preventDefault()
    const text = textOf(event.target as HTMLFormElement, 'person')
    setError(null)
    if (/^\d+$/.test(text)) location.hash = `people/${text}`
    else if (may(self, 'contacts:read')) location.hash = `search/${encodeURIComponent(text)}`
    else setError(texts.onlyNumbers)
  }
  return (
    <>
      <Heading title={texts.people} />
      <p class="quiet">{texts.personLead}</p>
      <form class="filters" onSubmit={search}>
        <TextField label={texts.person} name="person" required value={argument} />
        <Button type="submit" kind="main" title={texts.find} />
      </form>
      <Problem failure={error} />
      {argument && <Sought id={argument} />}
    </>
  )
}

/** The contact, and what is held about the person, until it is erased. */
function Sought({ id }: { id: string }) {
  const { texts, self } = useConsole()
  const [erasure, setErasure] = useState<Erasure | null>(null)
  const isContact = may(self, 'contacts:read')
  // Who asks for all that is held is in the trail.
  const [isAll, setAll] = useState(!isContact)
  if (erasure) return <Erased {...erasure} />
  return (
    <>
      {isContact && <ContactView id={id} />}
      {!isAll && may(self, 'admin:people') && <Button title={texts.showHeld} onPress={() => setAll(true)} />}
      {isAll && <Person id={id} onErased={setErasure} />}
    </>
  )
}

/** What is held about the person. */
function Person({ id, onErased }: { id: string; onErased: (erasure: Erasure) => void }) {
  const path = `/admin/contacts/${encodeURIComponent(id)}`
  const loaded = useLoaded(path, () => read<Person>(`${path}/person`))
  return (
    <Result loaded={loaded}>
      {(person) => <WholePerson {...{ id, path, person, onErased }} onChange={loaded.reload} />}
    </Result>
  )
}

function WholePerson({
  id,
  path,
  person,
  onChange,
  onErased,
}: {
  id: string
  path: string
  person: Person
  onChange: () => void
  onErased: (erasure: Erasure) => void
}) {
  const state = useConsole()
  const { texts, formatDate, nameOf } = state
  const [isErasing, setErasing] = useState(false)
  // The button of a hold gives way to another, and the focus with it.
  useEffect(() => {
    if (document.activeElement === document.body) document.getElementById('main')?.focus()
  }, [person.hold])
  const lists = Object.entries(person).flatMap(([name, value]) => {
    if (name === 'possible' || !Array.isArray(value) || value.length === 0) return []
    const rows = value as Held[]
    return [[name, name === 'trail' ? rows.map((row) => inShort(row, state)) : rows] as const]
  })
  return (
    <>
      {person.erasure && (
        <p class="notice warm">
          {texts.erased}: {formatDate(person.erasure.date)}, {person.erasure.reason}
        </p>
      )}
      {person.hold && (
        <p class="notice warm">
          {texts.held}: {person.hold.reason}
        </p>
      )}
      <div class="actions">
        <Button title={texts.download} onPress={() => download(`person-${id}.json`, person)} />
        {person.hold ? (
          <Action title={texts.release} work={() => call('DELETE', `${path}/hold`).then(onChange)} />
        ) : (
          <Hold path={path} onDone={onChange} />
        )}
        <Button kind="danger" title={texts.erase} onPress={() => setErasing(true)} />
      </div>
      <HeldTable title={nameOf('records', 'contact')} rows={[person.contact]} />
      {lists.map(([name, rows]) => (
        <HeldTable title={nameOf('resources', name)} rows={rows} />
      ))}
      {person.possible && person.possible.length > 0 && (
        <HeldTable title={texts.possible} rows={person.possible} />
      )}
      {isErasing && (
        <Erase id={id} person={person} lists={lists} onClose={() => setErasing(false)} onErased={onErased} />
      )}
    </>
  )
}

/** An entry of the trail without what only programs read; the file to download has all of it. */
function inShort(entry: Held, { nameOf, fieldName }: Console): Held {
  const { date, actor, resource, record_id, changed, others } = entry.fields as Record<string, unknown>
  const about = `${nameOf('records', String(resource))} ${record_id}`
  const who = (actor as { name?: string } | null)?.name
  const fields = (others as string[]).map((name) => fieldName(name))
  return { ...entry, fields: { date, actor: who, resource: about, changed, others: fields } }
}

/** In place of the person, who is gone. */
function Erased({ erased, kept, gone_by, complete }: Erasure) {
  const { texts } = useConsole()
  const heading = useRef<HTMLParagraphElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <>
      <p class="notice good" tabindex={-1} ref={heading}>
        {texts.eraseDone} {!complete && texts.eraseRunning} {texts.goneBy} {gone_by}.
      </p>
      <HeldTable title={texts.erased} rows={erased} />
      {kept.length > 0 && <HeldTable title={texts.kept} rows={kept} />}
    </>
  )
}

function HeldTable({ title, rows }: { title: string; rows: Held[] }) {
  const { texts, language } = useConsole()
  return (
    <section>
      <h2>{title}</h2>
      <Table
        caption={title}
        rows={rows}
        keyOf={({ resource, id }) => `${resource} ${id}`}
        columns={[
          { title: texts.record, cell: ({ resource, id }) => <RecordLink resource={resource} id={id} /> },
          { title: texts.fields, cell: (held) => <FieldsInWords {...held} /> },
          ...(rows.some(({ reason }) => reason)
            ? [{ title: texts.reason, cell: ({ reason = '' }: Held) => said(reason, language) ?? reason }]
            : []),
        ]}
      />
    </section>
  )
}

function Hold({ path, onDone }: { path: string; onDone: () => void }) {
  const { texts } = useConsole()
  const [isOpen, setOpen] = useState(false)
  const hold = async (form: HTMLFormElement) => {
    await call('POST', `${path}/hold`, { body: { reason: textOf(form, 'reason') } })
    setOpen(false)
    onDone()
  }
  return (
    <>
      <Button title={texts.hold} onPress={() => setOpen(true)} />
      {isOpen && (
        <Dialog title={texts.hold} onClose={() => setOpen(false)}>
          <Form title={texts.save} work={hold}>
            <TextField label={texts.reason} name="reason" required />
          </Form>
        </Dialog>
      )}
    </>
  )
}

function Erase({
  id,
  person,
  lists,
  onClose,
  onErased,
}: {
  id: string
  person: Person
  lists: (readonly [string, Held[]])[]
  onClose: () => void
  onErased: (erasure: Erasure) => void
}) {
  const { texts, nameOf, fieldName } = useConsole()
  const possible = person.possible ?? []
  const cleared = [[person.contact], ...lists.map(([, rows]) => rows)]
    .flat()
    .flatMap((held) => (held.clears?.length ? [{ ...held, fields: held.clears }] : []))
  const erase = async (form: HTMLFormElement) => {
    const also = new FormData(form).getAll('also').flatMap((index) => {
      const one = possible[Number(index)]
      return one ? [{ resource: one.resource, id: one.id }] : []
    })
    const body = { reason: textOf(form, 'reason'), ...(also.length > 0 ? { also } : {}) }
    onErased((await call<{ data: Erasure }>('POST', `/admin/contacts/${id}/erase`, { body })).data)
  }
  return (
    <Dialog title={`${texts.erase}: ${id}`} onClose={onClose}>
      <p class="notice warm">{texts.eraseAsk}</p>
      <HeldTable title={texts.eraseClears} rows={cleared} />
      <Form title={texts.erase} work={erase} kind="danger">
        {possible.length > 0 && (
          <fieldset>
            <legend>{texts.possible}</legend>
            {possible.map(({ resource, id: other, clears = [] }, index) => (
              <Check name="also" value={String(index)}>
                {texts.alsoErase}: {nameOf('records', resource)} {other} (
                {clears.map((name) => fieldName(name)).join(', ')})
              </Check>
            ))}
          </fieldset>
        )}
        <TextField label={texts.eraseReason} name="reason" required />
        <TextField label={texts.eraseType} name="confirmation" required pattern={id} />
      </Form>
    </Dialog>
  )
}
