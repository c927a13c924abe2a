/** The trail: who changed what. */

import { useState } from 'hono/jsx/dom'
import { foldText } from '../../../db/fold.ts'
import type { Admin, AdminPage } from '../admin.ts'
import { call, may, read } from '../call.ts'
import { type Failure, failureOf } from '../errors.tsx'
import { Value } from '../fields.tsx'
import { useTitles } from '../names.tsx'
import {
  Badge,
  Button,
  Heading,
  Pages,
  Problem,
  RecordLink,
  Result,
  Select,
  Table,
  TextField,
  textOf,
} from '../parts.tsx'
import { type ConsoleState, useConsole, useLoaded } from '../state.ts'
import type { Texts } from '../texts.ts'
import { RESOURCE_NAMES } from '../words.ts'

type Entry = Admin<'/admin/trail'>

/** What the filter says, as the call takes it. */
type Filter = Record<string, string>

/** `listings/12` is a record, `by/ID` a caller. */
function filterOf(argument: string): Filter {
  const [first = '', ...rest] = argument.split('/')
  const second = rest.join('/')
  if (!second) return {}
  return first === 'by' ? { actor: second } : { resource: first.replaceAll('_', '-'), record_id: second }
}

/** Whom the filter means by a name, as the trail names callers; null if nobody. */
async function findActor(text: string, { self, texts }: ConsoleState): Promise<string | null> {
  const wanted = foldText(text)
  if (['token', 'admin token', foldText(texts.adminToken)].includes(wanted)) return 'token'
  if (['cron', foldText(texts.cron)].includes(wanted)) return 'cron'
  if (text.includes('@')) return text.toLowerCase()
  if (!may(self, 'admin:keys')) return text
  const keys = await read<{ id: string; name: string }[]>('/admin/keys')
  const found =
    keys.find(({ id }) => id === text) ??
    keys.find(({ name }) => foldText(name) === wanted) ??
    keys.find(({ name }) => foldText(name).includes(wanted))
  // Keys that are revoked have no name any more, but an id.
  return found?.id ?? (/\s|[^\x20-\x7e]/.test(text) ? null : text)
}

/** The listing with a code; null if none has it. */
async function findListing(code: string): Promise<string | null> {
  const query = new URLSearchParams({ search: code, per_page: '20' })
  const { data } = await call<{ data: { id: number; code: string }[] }>('GET', `/api/listings?${query}`)
  const found = data.find((listing) => foldText(listing.code) === foldText(code))
  return found ? String(found.id) : null
}

export function Trail() {
  const state = useConsole()
  const { texts, self, argument, formatDate, nameOf } = state
  const [filters, setFilters] = useState<Filter>(() => filterOf(argument))
  const [page, setPage] = useState(1)
  const [error, setError] = useState<Failure | null>(null)
  const path = `/admin/trail?${new URLSearchParams({ page: String(page), ...filters })}`
  const entries = useLoaded(path, () => call<AdminPage<'/admin/trail'>>('GET', path))
  const titles = useTitles(entries.data?.data ?? [])
  const filter = async (event: Event) => {
    event.preventDefault()
    const form = event.target as HTMLFormElement
    const next: Filter = {}
    const set = (name: string, value: string | null) => {
      if (value) next[name] = value
    }
    try {
      setError(null)
      const [who, record] = [textOf(form, 'actor'), textOf(form, 'record')]
      const actor = who ? await findActor(who, state) : null
      if (who && !actor) return setError(texts.noActor)
      set('actor', actor)
      set('resource', textOf(form, 'resource').replaceAll('_', '-'))
      if (record && !/^\d+$/.test(record) && may(self, 'listings:read')) {
        const listing = await findListing(record)
        if (!listing) return setError(texts.noRecord)
        set('resource', 'listings')
        set('record_id', listing)
      } else set('record_id', record)
      set('status', textOf(form, 'status'))
      set('date[min]', textOf(form, 'from'))
      set('date[max]', textOf(form, 'until'))
    } catch (failure) {
      return setError(failureOf(failure))
    }
    setPage(1)
    setFilters(next)
  }
  return (
    <>
      <Heading title={texts.trail} />
      <form class="filters" onSubmit={(event: Event) => void filter(event)}>
        <TextField
          label={texts.actor}
          hint={texts.actorHint}
          name="actor"
          maxlength={255}
          value={nameOfActor(texts, filters.actor, entries.data?.data)}
        />
        <Select
          id="field-resource"
          name="resource"
          label={texts.resource}
          value={filters.resource?.replaceAll('-', '_')}
          options={RESOURCE_NAMES.map((name) => [name, nameOf('resources', name)])}
          empty={texts.all}
        />
        <TextField
          label={texts.record}
          hint={texts.recordHint}
          name="record"
          maxlength={64}
          value={filters.record_id ?? ''}
        />
        <Select
          id="field-status"
          name="status"
          label={texts.result}
          options={STATUSES.map((status) => [String(status), statusName(status, texts)])}
          empty={texts.all}
        />
        <TextField label={texts.from} name="from" type="date" />
        <TextField label={texts.until} name="until" type="date" />
        <Button type="submit" kind="main" title={texts.filter} />
      </form>
      <Problem failure={error} />
      <Result loaded={error ? { ...entries, data: null } : entries}>
        {({ data, total_pages }) => (
          <>
            <Table
              caption={texts.trail}
              rows={data}
              columns={[
                { title: texts.date, cell: ({ date }) => formatDate(date) },
                { title: texts.actor, cell: (entry) => <Actor {...entry} /> },
                {
                  title: texts.record,
                  cell: (entry) => {
                    const [resource, id] = recordOf(entry)
                    if (resource === null) return null
                    if (id === null) return nameOf('resources', resource)
                    return <RecordLink resource={resource} id={id} name={titles.get(`${resource}/${id}`)} />
                  },
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

/** What an entry is about. A call for an entry of a list names both in one. */
function recordOf({ resource, record_id }: Entry): [resource: string | null, id: Entry['record_id']] {
  const [list = '', id] = resource === 'definitions' ? String(record_id).split('/') : []
  return id ? [list, id] : [resource?.replaceAll('-', '_') ?? null, record_id]
}

/** The name of a caller, as an entry has it. */
function nameOfActor(texts: Texts, id = '', entries: Entry[] = []): string {
  if (id === 'cron') return texts.cron
  if (id === 'token') return texts.adminToken
  return entries.find(({ actor }) => actor?.id === id)?.actor?.name ?? id
}

const STATUSES = [200, 401, 403, 0] as const

function statusName(status: number, texts: Texts): string {
  if (status === 200) return texts.done
  if (status === 0) return texts.unfinished
  return `${status < 500 ? texts.refused : texts.failed} (${status})`
}

function Actor({ actor, address }: Entry) {
  const { texts } = useConsole()
  const kinds: Record<string, string> = {
    visitor: texts.visitor,
    cron: texts.cron,
    token: texts.adminToken,
  }
  const kind = actor && kinds[actor.type]
  const name = actor ? (actor.type === 'token' && kind) || (actor.name ?? kind ?? actor.id) : texts.noKey
  const id = actor?.id ?? (actor?.type === 'token' || actor?.type === 'cron' ? actor.type : null)
  return (
    <>
      <strong>{id === null ? name : <a href={`#trail/by/${encodeURIComponent(id)}`}>{name}</a>}</strong>
      {address && <small class="block">{address}</small>}
    </>
  )
}

/** Fields before and after a change. */
export function Changed({ resource, changed }: { resource: string; changed: NonNullable<Entry['changed']> }) {
  const { fieldName } = useConsole()
  return (
    <>
      {Object.entries(changed).map(([name, [before, after]]) => (
        <span class="block">
          {fieldName(name)}:{' '}
          <del>
            <Value resource={resource} field={name} value={before} />
          </del>{' '}
          →{' '}
          <ins>
            <Value resource={resource} field={name} value={after} />
          </ins>
        </span>
      ))}
    </>
  )
}

function Change({ status, method, route, version, changed, others, count, resource }: Entry) {
  const { texts, fieldName } = useConsole()
  const call = method && route ? `${method} ${route}` : null
  if (status !== 200)
    return (
      <>
        <Badge kind="bad">
          {statusName(status, texts)}
          {count === undefined ? '' : ` · ${count} ${texts.times}`}
        </Badge>
        {call && <small class="block">{call}</small>}
      </>
    )
  const did = texts.did[method ?? ''] ?? texts.done
  return (
    <>
      {!changed && <Badge kind={version === 1 ? 'good' : ''}>{version === 1 ? texts.made : did}</Badge>}
      <Changed resource={resource ?? ''} changed={changed ?? {}} />
      {others.length > 0 && (
        <span class="block quiet">
          {changed && Object.keys(changed).length > 0 ? `${texts.others} ` : ''}
          {others.map((name) => fieldName(name)).join(', ')}
        </span>
      )}
      {call && <small class="block">{call}</small>}
    </>
  )
}
