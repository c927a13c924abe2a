/** The lists that the agency keeps itself, and its settings. */
import { useState } from 'hono/jsx/dom'
import { call, read } from '../call.ts'
import { type Failure, failureOf } from '../errors.tsx'
import { Action, Badge, Dialog, Heading, Problem, Result, Select, Table, TextField } from '../parts.tsx'
import { useConsole, useLoaded } from '../state.ts'
import { fieldName, nameOf } from '../words.ts'

interface Entry {
  id: number
  name: string
  [field: string]: unknown
}

type Settings = Record<string, unknown>

/** How a value is entered: a type of `<input>`, or the name of a list that one is chosen of. */
type Kind = 'text' | 'email' | 'url' | 'number' | 'checkbox' | 'color' | 'stores'

const NAME: Readonly<Record<string, Kind>> = { name: 'text' }

/** The fields of the entries of each list. */
const LISTS: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  listing_tags: NAME,
  listing_sources: NAME,
  request_tags: NAME,
  request_sources: NAME,
  request_statuses: NAME,
  contact_tags: NAME,
  contact_sources: NAME,
  external_listing_tags: NAME,
  external_listing_sources: NAME,
  external_listing_statuses: NAME,
  contract_statuses: {
    ...NAME,
    is_completed: 'checkbox',
    is_cancelled: 'checkbox',
    bg_color: 'color',
    text_color: 'color',
  },
  income_other_categories: NAME,
  expense_categories: NAME,
  users: { ...NAME, email: 'email', store_id: 'stores', is_active: 'checkbox' },
  stores: { ...NAME, phone: 'text', email: 'email', address: 'text', url: 'url' },
  languages: { ...NAME, code: 'text' },
  special_locations: { ...NAME, latitude: 'number', longitude: 'number' },
}

/** How each setting is entered, or the list that it names an entry of. */
const SETTINGS: Readonly<Record<string, string>> = {
  default_user_id: 'users',
  default_language_id: 'languages',
  default_request_status_id: 'request_statuses',
  default_contact_source_id: 'contact_sources',
  default_external_listing_status_id: 'external_listing_statuses',
  partner_commission_category_id: 'expense_categories',
  enquiry_email: 'email',
  mail_language: 'code',
  enquiry_spam_days: 'number',
  enquiry_closed_days: 'number',
  time_zone: 'text',
  listings_max_resize: 'number',
  watermark: 'flag',
}

const pathOf = (list: string, id?: number) => `/admin/definitions/${list}${id ? `/${id}` : ''}`

export function Lists() {
  const { texts, language, argument } = useConsole()
  const list = argument || 'listing_tags'
  const lists = [...Object.keys(LISTS), 'settings'].map((name): [string, string] => [
    name,
    nameOf('resources', name, language),
  ])
  return (
    <>
      <Heading title={texts.lists} />
      <Select
        id="list"
        name="list"
        label={texts.list}
        value={list}
        options={lists}
        onChange={(name) => {
          if (name) location.hash = `#lists/${name}`
        }}
      />
      {list === 'settings' ? <SettingsInWords /> : LISTS[list] && <Entries key={list} list={list} />}
    </>
  )
}

/** The entries of a list. Those that a setting names say so. */
function Entries({ list }: { list: string }) {
  const { texts, language } = useConsole()
  const title = nameOf('resources', list, language)
  const entries = useLoaded(list, () => read<Entry[]>(pathOf(list)))
  const settings = useLoaded('settings', () => read<Settings>('/admin/settings'))
  const [edited, setEdited] = useState<Partial<Entry> | null>(null)
  const [removed, setRemoved] = useState<Entry | null>(null)
  const done = () => {
    setEdited(null)
    setRemoved(null)
    entries.reload()
  }
  const isPreset = ({ id }: Entry) =>
    Object.entries(SETTINGS).some(([key, named]) => named === list && settings.data?.[key] === id)
  return (
    <>
      <div class="actions">
        <button type="button" class="button main" onClick={() => setEdited({})}>
          {texts.add}
        </button>
      </div>
      <Result loaded={entries}>
        {(rows) => (
          <Table
            caption={title}
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              { title: texts.id, cell: ({ id }) => <code>{id}</code> },
              {
                title: texts.name,
                cell: (entry) => (
                  <>
                    <strong>{entry.name}</strong>{' '}
                    {isPreset(entry) && <Badge kind="good">{texts.preset}</Badge>}
                  </>
                ),
              },
              {
                title: texts.actions,
                cell: (entry) => (
                  <div class="actions">
                    <button type="button" class="link" onClick={() => setEdited(entry)}>
                      {texts.edit}
                      <span class="hidden"> {entry.name}</span>
                    </button>
                    <button type="button" class="link" onClick={() => setRemoved(entry)}>
                      {texts.remove}
                      <span class="hidden"> {entry.name}</span>
                    </button>
                  </div>
                ),
              },
            ]}
          />
        )}
      </Result>
      {edited && <Editor list={list} entry={edited} onDone={done} onClose={() => setEdited(null)} />}
      {removed && (
        <Dialog title={`${texts.remove}: ${removed.name}`} onClose={() => setRemoved(null)}>
          <p>{texts.removeAsk}</p>
          <Action
            kind="danger"
            title={texts.remove}
            work={async () => {
              await call('DELETE', pathOf(list, removed.id))
              done()
            }}
          />
        </Dialog>
      )}
    </>
  )
}

/** The form of an entry, which is new if it has no id. */
function Editor({
  list,
  entry,
  onDone,
  onClose,
}: {
  list: string
  entry: Partial<Entry>
  onDone: () => void
  onClose: () => void
}) {
  const { texts, language } = useConsole()
  const [failure, setFailure] = useState<Failure | null>(null)
  const fields = Object.entries(LISTS[list] ?? {})
  const stores = useLoaded('stores', () =>
    list === 'users' ? read<Entry[]>(pathOf('stores')) : Promise.resolve([]),
  )
  const send = async (form: HTMLFormElement) => {
    const sent = new FormData(form)
    const body = Object.fromEntries(fields.map(([name, kind]) => [name, sentValue(kind, sent.get(name))]))
    try {
      await (entry.id ? call('PUT', pathOf(list, entry.id), { body }) : call('POST', pathOf(list), { body }))
      onDone()
    } catch (error) {
      setFailure(failureOf(error))
    }
  }
  const isOn = (name: string) => entry[name] ?? name === 'is_active'
  return (
    <Dialog title={entry.name ?? texts.add} onClose={onClose}>
      <form
        noValidate
        onSubmit={(event: Event) => {
          event.preventDefault()
          void send(event.target as HTMLFormElement)
        }}
      >
        {fields.map(([name, kind]) => {
          const label = name === 'name' ? texts.name : fieldName(name, language)
          const value = entry[name] == null ? '' : String(entry[name])
          // A choice is drawn once it has what to choose from: until then it would have no value.
          if (kind === 'stores')
            return (
              <Result loaded={stores}>
                {(rows) => (
                  <Select
                    id={`field-${name}`}
                    name={name}
                    label={label}
                    value={value}
                    options={choices(rows)}
                  />
                )}
              </Result>
            )
          if (kind !== 'checkbox')
            return <TextField name={name} label={label} type={kind} value={value} step="any" />
          return (
            <label class="check">
              <input type="checkbox" name={name} checked={Boolean(isOn(name))} /> {label}
            </label>
          )
        })}
        <Problem failure={failure} />
        <Action kind="main" title={texts.save} isSubmit />
      </form>
    </Dialog>
  )
}

const choices = (entries: Entry[]) => entries.map(({ id, name }): [string, string] => [String(id), name])

/** What the API takes for what a field of a form has; an empty one is cleared. */
function sentValue(kind: string, sent: FormDataEntryValue | null): unknown {
  if (kind === 'checkbox') return sent !== null
  const text = typeof sent === 'string' ? sent.trim() : ''
  if (text === '') return null
  if (kind === 'flag') return text === 'true'
  return kind === 'number' || Object.hasOwn(LISTS, kind) ? Number(text) : text
}

function SettingsInWords() {
  const settings = useLoaded('settings', () => read<Settings>('/admin/settings'))
  return (
    <Result loaded={settings}>
      {(values) =>
        Object.entries(SETTINGS).map(([name, kind]) => (
          <Setting key={name} name={name} kind={kind} value={values[name]} onDone={settings.reload} />
        ))
      }
    </Result>
  )
}

function Setting({
  name,
  kind,
  value,
  onDone,
}: {
  name: string
  kind: string
  value: unknown
  onDone: () => void
}) {
  const { texts, language } = useConsole()
  const [failure, setFailure] = useState<Failure | null>(null)
  const isList = Object.hasOwn(LISTS, kind)
  const entries = useLoaded(kind, () => (isList ? read<Entry[]>(pathOf(kind)) : Promise.resolve([])))
  const label = nameOf('settings', name, language)
  const shown = value == null ? '' : String(value)
  const options: Readonly<Record<string, [string, string][]>> = {
    flag: [
      ['true', texts.yes],
      ['false', texts.no],
    ],
    code: [
      ['el', 'Ελληνικά'],
      ['en', 'English'],
    ],
  }
  return (
    <form
      class="card"
      noValidate
      aria-label={label}
      onSubmit={async (event: Event) => {
        event.preventDefault()
        const sent = new FormData(event.target as HTMLFormElement).get(name)
        try {
          await call('PUT', '/admin/settings', { body: { [name]: sentValue(kind, sent) } })
          setFailure(null)
          onDone()
        } catch (error) {
          setFailure(failureOf(error))
        }
      }}
    >
      {isList || options[kind] ? (
        <Result loaded={entries}>
          {(rows) => (
            <Select
              id={`field-${name}`}
              name={name}
              label={label}
              value={shown}
              options={options[kind] ?? choices(rows)}
              empty={texts.settingDefault}
            />
          )}
        </Result>
      ) : (
        <TextField name={name} label={label} type={kind} value={shown} placeholder={texts.settingDefault} />
      )}
      <Problem failure={failure} />
      <Action title={texts.save} isSubmit />
    </form>
  )
}
