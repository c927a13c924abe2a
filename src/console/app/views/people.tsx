/** Everything that is held about a person, and its erasure. */
import { useState } from 'hono/jsx/dom'
import { CallError, call } from '../call.ts'
import { Action, Dialog, Heading, Problem, Table, TextField, textOf } from '../parts.tsx'
import { describeError, useConsole } from '../state.ts'

/** A record that has something of the person. */
interface Held {
  resource: string
  id: number | string
  fields: Record<string, unknown> | string[]
  /** Fields that an erasure clears. */
  clears?: string[]
  reason?: string
}

/** The lists of the answer, by name, and what is no list. */
type Person = Record<string, unknown> & { contact: Held; possible?: Held[]; hold?: { reason: string } | null }

interface Erasure {
  erased: Held[]
  kept: Held[]
  gone_by: string
  complete: boolean
}

export function People() {
  const { texts } = useConsole()
  const [id, setId] = useState<string | null>(null)
  const [person, setPerson] = useState<Person | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [isErasing, setErasing] = useState(false)
  const path = `/admin/contacts/${encodeURIComponent(id ?? '')}`
  const find = async (wanted: string) => {
    setError(null)
    setId(wanted)
    try {
      const { data } = await call<{ data: Person }>(
        'GET',
        `/admin/contacts/${encodeURIComponent(wanted)}/person`,
      )
      setPerson(data)
    } catch (failure) {
      setPerson(null)
      setError(describeError(failure, texts))
    }
  }
  const lists = Object.entries(person ?? {}).flatMap(([name, value]) =>
    name !== 'possible' && Array.isArray(value) && value.length > 0 ? [[name, value as Held[]] as const] : [],
  )
  return (
    <>
      <Heading title={texts.people} />
      <p class="quiet">{texts.personLead}</p>
      <form
        class="filters"
        onSubmit={(event: Event) => {
          event.preventDefault()
          void find(textOf(event.target as HTMLFormElement, 'id'))
        }}
      >
        <TextField label={texts.id} name="id" inputmode="numeric" pattern="[0-9]+" required />
        <button type="submit" class="button main">
          {texts.find}
        </button>
      </form>
      <Problem text={error} />
      {person && id && (
        <>
          {person.hold && (
            <p class="notice warm">
              {texts.held}: {person.hold.reason}
            </p>
          )}
          <div class="actions">
            <button type="button" class="button quiet" onClick={() => download(`person-${id}.json`, person)}>
              {texts.download}
            </button>
            {person.hold ? (
              <Action
                title={texts.release}
                work={() => call('DELETE', `${path}/hold`).then(() => find(id))}
              />
            ) : (
              <Hold path={path} onDone={() => find(id)} />
            )}
            <button type="button" class="button danger" onClick={() => setErasing(true)}>
              {texts.erase}
            </button>
          </div>
          <HeldTable title="contact" rows={[person.contact]} />
          {lists.map(([name, rows]) => (
            <HeldTable title={name} rows={rows} />
          ))}
          {person.possible && person.possible.length > 0 && (
            <HeldTable title={texts.possible} rows={person.possible} />
          )}
        </>
      )}
      {isErasing && person && id && (
        <Erase id={id} person={person} lists={lists} onClose={() => setErasing(false)} />
      )}
    </>
  )
}

function HeldTable({ title, rows }: { title: string; rows: Held[] }) {
  const { texts } = useConsole()
  return (
    <section>
      <h2>{title}</h2>
      <Table
        caption={title}
        rows={rows}
        keyOf={({ resource, id }) => `${resource} ${id}`}
        columns={[
          { title: texts.record, cell: ({ resource, id }) => `${resource ?? title} ${id ?? ''}` },
          { title: texts.fields, cell: ({ fields }) => <Fields fields={fields} /> },
          ...(rows.some(({ reason }) => reason)
            ? [{ title: texts.reason, cell: ({ reason }: Held) => reason ?? '' }]
            : []),
        ]}
      />
    </section>
  )
}

function Fields({ fields }: Pick<Held, 'fields'>) {
  if (Array.isArray(fields)) return <>{fields.join(', ')}</>
  return (
    <>
      {Object.entries(fields).map(([name, value]) => (
        <span class="block">
          {name}: {typeof value === 'string' ? value : JSON.stringify(value)}
        </span>
      ))}
    </>
  )
}

function Hold({ path, onDone }: { path: string; onDone: () => Promise<void> }) {
  const { texts } = useConsole()
  const [isOpen, setOpen] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const hold = async (event: Event) => {
    event.preventDefault()
    try {
      await call('POST', `${path}/hold`, {
        body: { reason: textOf(event.target as HTMLFormElement, 'reason') },
      })
      setOpen(false)
      await onDone()
    } catch (failure) {
      setError(describeError(failure, texts))
    }
  }
  return (
    <>
      <button type="button" class="button quiet" onClick={() => setOpen(true)}>
        {texts.hold}
      </button>
      {isOpen && (
        <Dialog title={texts.hold} onClose={() => setOpen(false)}>
          <form onSubmit={(event: Event) => void hold(event)}>
            <TextField label={texts.reason} name="reason" required />
            <Problem text={error} />
            <button type="submit" class="button main">
              {texts.save}
            </button>
          </form>
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
}: {
  id: string
  person: Person
  lists: (readonly [string, Held[]])[]
  onClose: () => void
}) {
  const { texts } = useConsole()
  const [done, setDone] = useState<Erasure | null>(null)
  const [error, setError] = useState<string | null>(null)
  const possible = person.possible ?? []
  const cleared = [[person.contact], ...lists.map(([, rows]) => rows)]
    .flat()
    .flatMap((held) => (held.clears?.length ? [{ ...held, fields: held.clears }] : []))
  const erase = async (event: Event) => {
    event.preventDefault()
    const form = event.target as HTMLFormElement
    const also = new FormData(form).getAll('also').flatMap((index) => {
      const one = possible[Number(index)]
      return one ? [{ resource: one.resource, id: one.id }] : []
    })
    const body = { reason: textOf(form, 'reason'), ...(also.length > 0 ? { also } : {}) }
    try {
      setDone((await call<{ data: Erasure }>('POST', `/admin/contacts/${id}/erase`, { body })).data)
    } catch (failure) {
      setError(failure instanceof CallError ? describeError(failure, texts) : String(failure))
    }
  }
  if (done)
    return (
      <Dialog title={texts.erased} onClose={onClose}>
        {!done.complete && (
          <p class="notice warm">
            {texts.eraseRunning} {done.gone_by}
          </p>
        )}
        <HeldTable title={texts.erased} rows={done.erased} />
        {done.kept.length > 0 && <HeldTable title={texts.kept} rows={done.kept} />}
      </Dialog>
    )
  return (
    <Dialog title={`${texts.erase}: ${id}`} onClose={onClose}>
      <p class="notice warm">{texts.eraseAsk}</p>
      <HeldTable title={texts.eraseClears} rows={cleared} />
      <form onSubmit={(event: Event) => void erase(event)}>
        {possible.length > 0 && (
          <fieldset>
            <legend>{texts.possible}</legend>
            {possible.map(({ resource, id: other, clears = [] }, index) => (
              <label class="check">
                <input type="checkbox" name="also" value={String(index)} /> {texts.alsoErase}: {resource}{' '}
                {other} ({clears.join(', ')})
              </label>
            ))}
          </fieldset>
        )}
        <TextField label={texts.eraseReason} name="reason" required />
        <TextField label={texts.eraseType} name="confirmation" required pattern={id} />
        <Problem text={error} />
        <button type="submit" class="button danger">
          {texts.erase}
        </button>
      </form>
    </Dialog>
  )
}

function download(name: string, value: unknown): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([JSON.stringify(value, null, 2)], { type: 'application/json' }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 1000)
}
