/** An entry of the trail as a line of text: `2026-11-20 10:12 · CRM sync · price 120,000 → 115,000`. */

/** An entry as `GET /admin/trail` has it. */
export interface Entry {
  date: string
  actor: { type: string; id: number | string | null; name: string | null } | null
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

/**
 * An entry in one line.
 * @param isOfOne whether the record is known, and need not be named
 */
export function describeEntry(entry: Entry, isOfOne: boolean): string {
  const { date, resource, record_id } = entry
  const record = record_id === null ? resource : `${resource}/${record_id}`
  const parts = [date.slice(0, 16), describeActor(entry), isOfOne ? null : record, describeEvent(entry)]
  return parts.filter((part) => part !== null).join(' · ')
}

function describeActor({ actor }: Entry): string {
  if (!actor) return 'no valid key'
  const { type, id, name } = actor
  if (name) return type === 'visitor' ? `${name} (visitor)` : name
  return id === null ? type : `${type} ${id}`
}

function describeEvent(entry: Entry): string {
  const { method, route, status, count, address, changed, others } = entry
  const call = [method, route].filter(Boolean).join(' ')
  if (status !== 200) {
    const times = count === undefined || count === 1 ? '' : `, ${count} times`
    return `${call || 'further calls'} · ${status || 'unfinished'}${times}${address ? ` · ${address}` : ''}`
  }
  return changed ? describeChanges(changed, others) : isCreation(entry) ? 'created' : call
}

/** Whether the entry is of a new record. Calls that administer have no values, either. */
function isCreation({ route, record_id }: Entry): boolean {
  return record_id !== null && (route === '/admin/import' || !route?.startsWith('/admin/'))
}

function describeChanges(changed: Record<string, [unknown, unknown]>, others: string[]): string {
  const shown = Object.entries(changed).filter(([name]) => !isDerived(name, changed))
  const changes = shown.map(([name, [before, after]]) => {
    if (name === 'is_deleted') return after ? 'deleted' : 'no longer deleted'
    return `${name} ${describeValue(name, before)} → ${describeValue(name, after)}`
  })
  return [...changes, ...others].join('; ')
}

/** Whether a value follows from others that are shown. */
function isDerived(name: string, changed: object): boolean {
  return name === 'price_per_sqm' && ('price' in changed || 'size' in changed)
}

/** Names whose numbers are ids. */
const REFERENCE = /(_id|_level\d|status|subtype)$/

function describeValue(name: string, value: unknown): string {
  if (value === null) return 'none'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ')
  if (typeof value === 'number' && !REFERENCE.test(name)) return value.toLocaleString('en-US')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
