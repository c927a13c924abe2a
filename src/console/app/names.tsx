/** What the ids in records mean: names of what the agency defines itself, and links to other records. */
import { RECORD_RESOURCES } from '../../catalogue/resources.ts'
import { may, read, type Self } from './call.ts'
import { RecordLink } from './parts.tsx'
import { useConsole, useLoaded } from './state.ts'

/** The lists whose ids fields hold; `*` stands for the resource. */
const LISTS: readonly (readonly [field: RegExp, list: string])[] = [
  [/^(?:users|created_by|partner_id)$/, 'users'],
  [/^stores?(?:_id)?$/, 'stores'],
  [/^language_id$/, 'languages'],
  [/^(?:locations|area_level\d)$/, 'locations'],
  [/^subtypes?$/, 'listings/subtypes'],
  [/^status(?:_id)?$/, '*/statuses'],
  [/^source_id$/, '*/sources'],
  [/^tags$/, '*/tags'],
  [/^(other_)?category_id$/, '*/categories'],
]

/** An entry of a list, or a record. */
type IdMeaning = { list: string } | { records: string }

/** The list under `/api/` whose ids a field holds, or the resource whose records it names; null for other fields. */
export function meaningOf(resource: string, field: string): IdMeaning | null {
  const last = field.slice(field.lastIndexOf('.') + 1)
  const found = LISTS.find(([pattern]) => pattern.test(last))
  if (found?.[1].startsWith('*') && !RECORD_RESOURCES.some((one) => one.resource === resource)) return null
  if (found) {
    const name = last.startsWith('other_') ? found[1].replace('/', '/other-') : found[1]
    return { list: name.replace('*', resource.split('/')[0] ?? '') }
  }
  const records = RECORD_RESOURCES.find(
    ({ table, one }) => last === table || `_${last}`.endsWith(`_${one.toLowerCase()}_id`),
  )
  return records ? { records: records.table } : null
}

interface Named {
  id: number
  name?: string
  name_el?: string
  name_en?: string
}

/** Lists that were read since the view was opened. */
const known = new Map<string, Promise<Named[]>>()
let view = ''

function namesIn(list: string, self: Self): Promise<Named[]> {
  if (!may(self, `${list.split('/')[0]}:read`)) return Promise.resolve([])
  if (view !== location.hash) known.clear()
  view = location.hash
  const found = known.get(list) ?? read<Named[]>(`/api/${list}`).catch(() => [])
  known.set(list, found)
  return found
}

/** What an id means: a name, or a link to a record. */
export function Meaning({ meaning, id }: { meaning: IdMeaning; id: number }) {
  if ('records' in meaning) return <RecordLink resource={meaning.records} id={id} />
  return <Name list={meaning.list} id={id} />
}

function Name({ list, id }: { list: string; id: number }) {
  const { self, language } = useConsole()
  const names = useLoaded(list, () => namesIn(list, self))
  const found = names.data?.find((one) => one.id === id)
  return <>{found?.[`name_${language}`] ?? found?.name ?? `#${id}`}</>
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
