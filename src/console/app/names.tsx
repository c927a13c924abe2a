/** What the console makes of ids: names of what the agency defines itself, and links to other records. */
import type { RecordOf } from 'estia/client'
import { may, read, type Self } from './call.ts'
import type { IdMeaning } from './meanings.ts'
import { RecordLink, Select } from './parts.tsx'
import { useConsole, useLoaded } from './state.ts'

type Contact = RecordOf<'/api/contacts'>

interface Named {
  id: number
  name?: string
  name_el?: string
  name_en?: string
  /** Of a language. */
  code?: string
  /** Of a subtype. */
  translations?: { language_id: number; name: string }[]
  /** Of a custom field. */
  type?: string
  options?: { id: number; name: string }[]
}

/** What was read since the view was opened. */
const known = new Map<string, Promise<unknown>>()
let view = ''

/** Reads what stands under `/api/`, once for each view; null if the caller may not. */
function readOnce<T>(path: string, self: Self): Promise<T | null> {
  if (!may(self, `${path.split(/[/?]/)[0]}:read`)) return Promise.resolve(null)
  if (view !== location.hash) known.clear()
  view = location.hash
  const found = known.get(path) ?? read<T>(`/api/${path}`).catch(() => null)
  known.set(path, found)
  // The cast: of one path, everything is of one type.
  return found as Promise<T | null>
}

/** What an id means: a name, or a link to a record. */
export function Meaning({ meaning, id }: { meaning: IdMeaning; id: number }) {
  if ('records' in meaning) return <RecordLink resource={meaning.records} id={id} />
  return <Name list={meaning.list} id={id} />
}

function Name({ list, id }: { list: string; id: number }) {
  const { self, language } = useConsole()
  const isTranslated = list === 'listings/subtypes'
  const names = useLoaded(list, () =>
    Promise.all([readOnce<Named[]>(list, self), isTranslated ? readOnce<Named[]>('languages', self) : null]),
  )
  const [all, languages] = names.data ?? [null, null]
  const found = all?.find((one) => one.id === id)
  const spoken = languages?.find(({ code }) => code === language)?.id
  const { name } =
    found?.translations?.find(({ language_id }) => language_id === spoken) ??
    found?.translations?.[0] ??
    found ??
    {}
  return <>{found?.[`name_${language}`] ?? name ?? `#${id}`}</>
}

/** The definition of a custom field; undefined until it is loaded, or if the caller may not read it. */
export function useCustomField(resource: string, id: number): Named | undefined {
  const { self } = useConsole()
  const list = `${resource.replaceAll('_', '-')}/custom-fields`
  return useLoaded(list, () => readOnce<Named[]>(list, self)).data?.find((one) => one.id === id)
}

/** A contact by its name, as far as the caller may read it. */
export function ContactName({ id }: { id: number }) {
  const { self } = useConsole()
  const path = `contacts/${id}`
  const { first_name, last_name, company_name } =
    useLoaded(path, () => readOnce<Contact>(path, self)).data ?? {}
  const name = [first_name, last_name].filter(Boolean).join(' ') || company_name
  return <RecordLink resource="contacts" id={id} {...(name ? { title: name } : {})} />
}

/** A choice of those who work here; none if the caller may not read users. */
export function UserField({ label, ...more }: { label: string; value?: number | null; empty?: string }) {
  const { self } = useConsole()
  const users = useLoaded('users', () =>
    readOnce<(Named & { is_active?: boolean })[]>('users?fields=all', self),
  )
  const working = (users.data ?? []).filter(({ is_active }) => is_active !== false)
  const options = working.map(({ id, name = '' }): [string, string] => [String(id), name])
  if (options.length === 0) return null
  return <Select id="field-user" name="user" label={label} options={options} {...more} />
}

/** What records are known by beside their ids, as `listings/12`: codes of listings, names of keys, as far as the caller may. */
export function useTitles(
  records: readonly { resource: string | null; record_id: number | string | null }[],
): ReadonlyMap<string, string> {
  const { self } = useConsole()
  const ids = records.flatMap(({ resource, record_id }) => (resource === 'listings' ? String(record_id) : []))
  const query = new URLSearchParams([...new Set(ids)].map((id) => ['ids', id]))
  const readsKeys = may(self, 'admin:keys') && records.some(({ resource }) => resource === 'keys')
  const loaded = useLoaded(`titles ${query} ${readsKeys}`, async () => {
    const [listings, keys] = await Promise.all([
      query.size > 0 && may(self, 'listings:read')
        ? read<{ id: number; code: string }[]>(`/api/listings?${query}&fields=id,code&per_page=100`)
        : [],
      readsKeys ? read<{ id: string; name: string }[]>('/admin/keys') : [],
    ])
    return new Map([
      ...listings.map(({ id, code }) => [`listings/${id}`, code] as const),
      ...keys.map(({ id, name }) => [`keys/${id}`, name] as const),
    ])
  })
  return loaded.data ?? new Map()
}
