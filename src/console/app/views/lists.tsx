/** The lists that the agency keeps itself, and its settings. */
import { useState } from 'hono/jsx/dom'
import { LOOKUPS } from '../../../catalogue/lookups.ts'
import { SETTING_LIST, settingsNaming } from '../../../catalogue/settings.ts'
import { call, callTagged, read } from '../call.ts'
import {
  Action,
  Badge,
  Button,
  Check,
  Confirm,
  Dialog,
  Form,
  Heading,
  Problem,
  Result,
  RowButton,
  Select,
  Table,
  TextField,
  useWork,
} from '../parts.tsx'
import { useConsole, useLoaded } from '../state.ts'

interface Entry {
  id: number
  name: string
  [field: string]: unknown
}

type Settings = Record<string, unknown>

/** The lists that a form can change, with the fields of their entries. */
const LISTS = LOOKUPS.flatMap(({ table, inputs }) =>
  inputs ? [[table, Object.entries(inputs)] as const] : [],
)
const fieldsOf = (list: string) => LISTS.find(([name]) => name === list)?.[1]

/** What a new entry begins with. */
const BLANK: Partial<Entry> = { is_active: true, bg_color: '#dbeafe', text_color: '#1e3a5f' }

const pathOf = (list: string, id?: number) => `/admin/definitions/${list}${id ? `/${id}` : ''}`

export function Lists() {
  const { texts, argument, nameOf } = useConsole()
  const list = argument || 'listing_tags'
  const lists = [...LISTS.map(([name]) => name), 'settings'].map((name): [string, string] => [
    name,
    nameOf('resources', name),
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
      {list === 'settings' ? <SettingsInWords /> : fieldsOf(list) && <Entries key={list} list={list} />}
    </>
  )
}

/** The entries of a list. Those that a setting names say so. */
function Entries({ list }: { list: string }) {
  const { texts, nameOf } = useConsole()
  const title = nameOf('resources', list)
  const entries = useLoaded(list, () => read<Entry[]>(pathOf(list)))
  const settings = useLoaded('settings', () => read<Settings>('/admin/settings'))
  // Its id; 0 for a new one.
  const [edited, setEdited] = useState<number | null>(null)
  const [removed, setRemoved] = useState<Entry | null>(null)
  const done = () => {
    setEdited(null)
    setRemoved(null)
    entries.reload()
  }
  const isPreset = ({ id }: Entry) => settingsNaming(list).some((key) => settings.data?.[key] === id)
  return (
    <>
      <div class="actions">
        <Button kind="main" title={texts.add} onPress={() => setEdited(0)} />
      </div>
      <Table
        caption={title}
        rows={entries}
        columns={[
          { title: texts.id, cell: ({ id }) => <code>{id}</code> },
          {
            title: texts.name,
            cell: (entry) => (
              <>
                <strong>{entry.name}</strong> {isPreset(entry) && <Badge kind="good">{texts.preset}</Badge>}
              </>
            ),
          },
          {
            title: texts.actions,
            cell: (entry) => (
              <div class="actions">
                <RowButton title={texts.edit} of={entry.name} onPress={() => setEdited(entry.id)} />
                <RowButton title={texts.remove} of={entry.name} onPress={() => setRemoved(entry)} />
              </div>
            ),
          },
        ]}
      />
      {edited !== null && <Editor list={list} id={edited} onDone={done} onClose={() => setEdited(null)} />}
      {removed && (
        <Confirm
          verb={texts.remove}
          name={removed.name}
          question={texts.removeAsk}
          work={() => call('DELETE', pathOf(list, removed.id)).then(done)}
          onClose={() => setRemoved(null)}
        />
      )}
    </>
  )
}

interface FormProps {
  list: string
  /** 0 for a new entry. */
  id: number
  onDone: () => void
}

/** The form of an entry, as it is now, with what its fields choose from. */
function Editor({ onClose, ...form }: FormProps & { onClose: () => void }) {
  const { texts, nameOf } = useConsole()
  const { list, id } = form
  const loaded = useLoaded(`${list} ${id}`, async () => {
    const isChosen = fieldsOf(list)?.some(([, kind]) => kind === 'stores')
    const [entry, stores] = await Promise.all([
      id ? callTagged<{ data: Entry }>('GET', pathOf(list, id)) : { json: { data: BLANK }, tag: null },
      isChosen ? read<Entry[]>(pathOf('stores')) : [],
    ])
    return { entry: entry.json.data, tag: entry.tag, stores }
  })
  const title = loaded.data?.entry.name ?? `${id ? texts.edit : texts.add}: ${nameOf('resources', list)}`
  return (
    <Dialog title={title} onClose={onClose}>
      <Result loaded={loaded}>{(data) => <EntryForm {...form} {...data} />}</Result>
    </Dialog>
  )
}

/** Sends the fields that were changed, unless somebody else has changed the entry meanwhile. */
function EntryForm({
  list,
  id,
  entry,
  tag,
  stores,
  onDone,
}: FormProps & { entry: Partial<Entry>; tag: string | null; stores: Entry[] }) {
  const { texts, fieldName } = useConsole()
  const fields = fieldsOf(list) ?? []
  const send = async (form: HTMLFormElement) => {
    const sent = new FormData(form)
    const values = fields.map(([name, kind]) => [name, sentValue(kind, sent.get(name))] as const)
    const body = Object.fromEntries(values.filter(([name, value]) => !id || value !== (entry[name] ?? null)))
    if (!id) await call('POST', pathOf(list), { body })
    else if (Object.keys(body).length > 0) await call('PUT', pathOf(list, id), { body, ifMatch: tag })
    onDone()
  }
  return (
    <Form title={texts.save} work={send} noValidate>
      {fields.map(([name, kind]) => {
        const label = name === 'name' ? texts.name : fieldName(name)
        const value = entry[name] == null ? '' : String(entry[name])
        if (kind === 'stores')
          return (
            <Select id={`field-${name}`} name={name} label={label} value={value} options={choices(stores)} />
          )
        if (kind !== 'checkbox')
          return <TextField name={name} label={label} type={kind} value={value} step="any" />
        return (
          <Check name={name} checked={Boolean(entry[name])}>
            {label}
          </Check>
        )
      })}
    </Form>
  )
}

const choices = (entries: Entry[]) => entries.map(({ id, name }): [string, string] => [String(id), name])

/** What the API takes for what a field of a form has; an empty one is cleared. */
function sentValue(kind: string, sent: FormDataEntryValue | null): unknown {
  if (kind === 'checkbox') return sent !== null
  const text = typeof sent === 'string' ? sent.trim() : ''
  if (text === '') return null
  if (kind === 'flag') return text === 'true'
  return kind === 'number' || fieldsOf(kind) ? Number(text) : text
}

function SettingsInWords() {
  const settings = useLoaded('settings', () => read<Settings>('/admin/settings'))
  return (
    <Result loaded={settings}>
      {(values) =>
        SETTING_LIST.map(([name, { to, input }]) => {
          const kind = to ?? input
          return (
            kind && (
              <Setting key={name} name={name} kind={kind} value={values[name]} onDone={settings.reload} />
            )
          )
        })
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
  const { texts, nameOf } = useConsole()
  const { error, run } = useWork()
  const [isSaved, setSaved] = useState(false)
  const isList = fieldsOf(kind) !== undefined
  const entries = useLoaded(kind, () => (isList ? read<Entry[]>(pathOf(kind)) : Promise.resolve([])))
  const label = nameOf('settings', name)
  const shown = value == null ? '' : String(value)
  const options: Readonly<Record<string, [string, string][]>> = {
    flag: [
      ['true', texts.yes],
      ['false', texts.no],
    ],
    language: [
      ['el', 'Ελληνικά'],
      ['en', 'English'],
    ],
  }
  return (
    <form
      class="card"
      noValidate
      aria-label={label}
      onSubmit={(event: Event) => {
        event.preventDefault()
        const sent = new FormData(event.target as HTMLFormElement).get(name)
        setSaved(false)
        void run(async () => {
          await call('PUT', '/admin/settings', { body: { [name]: sentValue(kind, sent) } })
          setSaved(true)
          onDone()
        })
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
      <Problem failure={error} />
      <div class="actions">
        <Action title={texts.save} isSubmit />
        {isSaved && <span role="status">{texts.saved}</span>}
      </div>
    </form>
  )
}
