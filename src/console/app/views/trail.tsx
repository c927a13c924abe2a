/** The trail: who changed what. */
import { useState } from 'hono/jsx/dom'
import { call } from '../call.ts'
import { Badge, Heading, Pages, Result, Table, TextField, textOf } from '../parts.tsx'
import { type ConsoleState, formatDate, useConsole, useLoaded } from '../state.ts'

interface Entry {
  id: number
  date: string
  actor: { type: string; id: string | null; name: string | null } | null
  address: string | null
  method: string | null
  route: string | null
  resource: string | null
  record_id: number | string | null
  version: number | null
  status: number
  changed: Record<string, [unknown, unknown]> | null
  others: string[]
  count?: number
}

interface Page {
  page: number
  total_pages: number
  data: Entry[]
}

const FILTERS = ['actor', 'resource', 'record_id', 'status'] as const

export function Trail() {
  const state = useConsole()
  const { texts } = state
  const [query, setQuery] = useState('')
  const [page, setPage] = useState(1)
  const path = `/admin/trail?page=${page}${query}`
  const entries = useLoaded(path, () => call<Page>('GET', path))
  const filter = (event: Event) => {
    event.preventDefault()
    const form = event.target as HTMLFormElement
    const parameters = new URLSearchParams()
    for (const name of FILTERS) if (textOf(form, name)) parameters.set(name, textOf(form, name))
    for (const [name, bound] of [
      ['from', 'min'],
      ['until', 'max'],
    ] as const)
      if (textOf(form, name)) parameters.set(`date[${bound}]`, textOf(form, name))
    setPage(1)
    setQuery(parameters.size > 0 ? `&${parameters}` : '')
  }
  return (
    <>
      <Heading title={texts.trail} />
      <form class="filters" onSubmit={filter}>
        <TextField label={texts.actor} hint={texts.actorHint} name="actor" maxlength={255} />
        <TextField label={texts.resource} name="resource" maxlength={64} placeholder="listings" />
        <TextField label={texts.record} name="record_id" maxlength={64} />
        <div class="field">
          <label for="field-status">{texts.status}</label>
          <select id="field-status" name="status">
            <option value="">{texts.all}</option>
            <option>200</option>
            <option>401</option>
            <option>403</option>
            <option value="0">{texts.unfinished}</option>
          </select>
        </div>
        <TextField label={texts.from} name="from" type="date" />
        <TextField label={texts.until} name="until" type="date" />
        <button type="submit" class="button main">
          {texts.filter}
        </button>
      </form>
      <Result loaded={entries}>
        {({ data, total_pages }) => (
          <>
            <Table
              caption={texts.trail}
              rows={data}
              keyOf={({ id }) => id}
              columns={[
                { title: texts.date, cell: ({ date }) => formatDate(date, state) },
                { title: texts.actor, cell: (entry) => <Actor {...entry} /> },
                {
                  title: texts.record,
                  cell: ({ resource, record_id }) =>
                    record_id === null ? resource : `${resource} ${record_id}`,
                },
                { title: texts.change, cell: (entry) => <Change {...entry} /> },
              ]}
            />
            <Pages page={page} total={total_pages} onTurn={setPage} />
          </>
        )}
      </Result>
    </>
  )
}

function Actor({ actor, address }: Entry) {
  const { texts } = useConsole()
  const kinds: Record<string, string> = { visitor: texts.visitor, cron: texts.cron }
  const name = actor ? (actor.name ?? kinds[actor.type] ?? String(actor.id ?? actor.type)) : texts.noKey
  return (
    <>
      <strong>{name}</strong>
      {address && <small class="block">{address}</small>}
    </>
  )
}

function Change({ status, method, route, version, changed, others, count }: Entry) {
  const state = useConsole()
  const { texts } = state
  const call = method && route ? `${method} ${route}` : null
  if (status !== 200)
    return (
      <>
        <Badge kind="bad">
          {status === 0 ? texts.unfinished : `${status} ${status < 500 ? texts.refused : texts.failed}`}
          {count === undefined ? '' : ` · ${count} ${texts.times}`}
        </Badge>
        {call && <small class="block">{call}</small>}
      </>
    )
  const fields = Object.entries(changed ?? {})
  return (
    <>
      {version === 1 && !changed && <Badge kind="good">{texts.made}</Badge>}
      {fields.map(([name, [before, after]]) => (
        <span class="block">
          {name}: <del>{show(before, state)}</del> → <ins>{show(after, state)}</ins>
        </span>
      ))}
      {others.length > 0 && (
        <span class="block quiet">
          {fields.length > 0 ? `${texts.others} ` : ''}
          {others.join(', ')}
        </span>
      )}
      {call && <small class="block">{call}</small>}
    </>
  )
}

function show(value: unknown, { language, texts }: ConsoleState): string {
  if (value === null || value === undefined || value === '') return '–'
  if (typeof value === 'boolean') return value ? texts.yes : texts.no
  if (typeof value === 'number') return new Intl.NumberFormat(language).format(value)
  return typeof value === 'string' ? value : JSON.stringify(value)
}
