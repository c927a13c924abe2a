/** The demo agency with fewer or more contacts and listings than `records/` has. */

type Data = Readonly<Record<string, unknown>>

/** One line of an import file. */
export interface DemoLine {
  readonly entity: string
  readonly data: Data
}

/** How many records of these kinds; by default as many as there are. */
export interface DemoSize {
  readonly contacts?: number
  readonly listings?: number
}

/** The fields that name such records, beside custom fields. */
const REFERENCES: Readonly<Record<string, keyof DemoSize>> = {
  contacts: 'contacts',
  contact_id: 'contacts',
  tenant_contact_id: 'contacts',
  notary_contact_id: 'contacts',
  listing_id: 'listings',
}

/** The lines of files, one after the other. */
export function linesIn(files: readonly string[]): DemoLine[] {
  return files.flatMap((text) => text.trimEnd().split('\n')).map((line) => JSON.parse(line))
}

/**
 * The first contacts and listings of `lines`, and copies of them under ids and codes of their own where there are not
 * enough. What refers to others that are left out refers to some of those that are left.
 */
export function resize(lines: readonly DemoLine[], size: DemoSize): DemoLine[] {
  const kinds = Map.groupBy(lines, ({ entity }) => entity)
  const some = (entity: keyof DemoSize) => {
    const all = kinds.get(entity) ?? []
    return Array.from({ length: size[entity] ?? all.length }, (_, index) =>
      copyAs(index + 1, all[index % all.length] ?? { entity, data: {} }),
    )
  }
  const kept = { contacts: some('contacts'), listings: some('listings') }
  const others = {
    contacts: idsOf(kept.contacts.filter(({ data }) => !data.is_deleted)),
    listings: idsOf(kept.listings.filter(({ data }) => data.status === 'active')),
  }
  const named = (kinds.get('custom_fields') ?? []).filter(({ data }) => data.type === 'contact')
  const references: typeof REFERENCES = {
    ...REFERENCES,
    ...Object.fromEntries(named.map(({ data }) => [String(data.id), 'contacts'])),
  }
  // What names contacts or listings is left out without one of each.
  const hasBoth = others.contacts.length > 0 && others.listings.length > 0
  const refers = (all: readonly DemoLine[]) =>
    all.some(({ data }) => Object.keys(data).some((name) => name in REFERENCES))
  const entities = [...kinds].filter(([entity, all]) => hasBoth || entity in kept || !refers(all))
  const refer = (value: unknown, name: string): unknown => {
    if (Array.isArray(value)) return [...new Set(value.map((one) => refer(one, name)))]
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, refer(one, key)]))
    const entity = references[name]
    if (!entity || typeof value !== 'number' || value <= kept[entity].length) return value
    return others[entity][value % others[entity].length] ?? null
  }
  return entities.flatMap(([entity, all]) =>
    (entity === 'contacts' || entity === 'listings' ? kept[entity] : all).map(({ data }) => ({
      entity,
      data: refer(data, '') as Data,
    })),
  )
}

const idsOf = (lines: readonly DemoLine[]) => lines.map(({ data }) => data.id)

/** The record itself under its own id, a copy under another. */
function copyAs(id: number, { entity, data }: DemoLine): DemoLine {
  const code = typeof data.code === 'string' ? data.code.replace(/\d+$/, String(id).padStart(5, '0')) : null
  return { entity, data: { ...data, id, ...(code === null ? {} : { code }) } }
}

const WEEK = 7 * 86_400_000
/** Midnight after the last day on which something in the files was noted. */
const END = Date.UTC(2026, 9, 31)
const DATE_TIME = /"(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)"/g

/** A line of an import file. Appointments are moved by whole weeks, so that what has been done and noted lies before `now`. */
export function lineAround(now: Date, line: DemoLine): string {
  const text = JSON.stringify(line)
  if (line.entity !== 'appointments') return text
  const weeks = Math.floor((now.getTime() - END) / WEEK)
  const moved = (day: string) => new Date(Date.parse(day) + weeks * WEEK).toISOString().slice(0, 10)
  return text.replace(DATE_TIME, (_, day: string, time: string) => `"${moved(day)} ${time}"`)
}
