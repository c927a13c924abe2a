/** The list of the erased, which a restore applies: contacts that were erased since the backup was made. */
import { readFile, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import {
  type ErasedContact,
  erasedContact,
  type ListedRecord,
  mergeErased,
} from '../../src/admin/erasure/list.ts'
import { adminData, type Service } from '../service/admin.ts'
import { parseJson } from './folder.ts'
import { nameOfListed, type Survey } from './survey.ts'

export const ERASED = 'erased.json'
/** Maximum records of one call. */
const MAX_ALSO = 1000
/** Maximum calls for each portion: a call clears up to 2,000 records of a resource. */
const MAX_CALLS = 10
/** Maximum contacts named in an error. */
const MAX_NAMED = 20
/** The messages of calls that a service refuses for what one contact is, and would refuse again. */
const REFUSED = /: 4(?!29)\d\d /

/**
 * The list beside a backup: in the folder above it, and in its own. The two are taken together, as a list only grows. Null
 * if there is none.
 */
export async function findErased(path: string): Promise<ErasedContact[] | null> {
  const own = (await stat(path)).isDirectory() ? [path] : []
  const lists = await Promise.all([dirname(resolve(path)), ...own].map(readList))
  const found = lists.filter((list) => list !== null)
  return found.length > 0 ? mergeErased(found) : null
}

async function readList(folder: string): Promise<ErasedContact[] | null> {
  const file = join(folder, ERASED)
  const text = await readFile(file, 'utf8').catch(() => null)
  if (text === null) return null
  const { data } = z.array(erasedContact.extend({ id: z.int().positive() })).safeParse(parseJson(text))
  if (!data) throw new Error(`${file} is not a list of erased contacts.`)
  return data
}

/** What is known of a backup when the list is applied to what was restored of it. */
type Known = Pick<Survey, 'found' | 'unerased' | 'others'> & {
  /** It has those as erased who were erased before this; null if that is not known. */
  erasedUntil: string | null
  /** The same by position, which counts where the list has one, too. */
  erasedPosition: number | null
}

/**
 * Erases what a list names again. What the backup has as erased is only listed: texts written since would go. Returns how many
 * contacts were. Throws in the end if the service refused some.
 * @param known null for a database that went back by itself: it knows whom it has erased
 */
export async function eraseAgain(
  service: Service,
  list: ErasedContact[],
  known: Known | null,
): Promise<number> {
  let had = 0
  const failures: string[] = []
  const newer = new Set(known?.others)
  for (const entry of list) {
    const { also = [], cleared = [] } = Object.groupBy(entry.also ?? [], (one) =>
      known && isErasedIn(known, entry, one) ? 'cleared' : 'also',
    )
    const is_cleared = known !== null && isContactErasedIn(known, entry)
    if (is_cleared && !entry.also?.length) continue
    try {
      const results = await eraseEntry(service, { ...entry, is_cleared, also, cleared })
      if (results.some(({ erased }) => erased)) had++
      for (const one of results.flatMap((result) => result.newer)) newer.add(nameOfListed(one))
    } catch (error) {
      if (!(error instanceof Error) || !REFUSED.test(error.message)) throw error
      failures.push(`contacts ${entry.id}: ${error.message}`)
    }
  }
  for (const name of newer) console.error(`${name} is newer than the erasure of this id, and stays.`)
  if (failures.length > 0)
    throw new Error(
      [`${failures.length} contacts were not erased again:`, ...failures.slice(0, MAX_NAMED)].join('\n  '),
    )
  return had
}

/** Whether a backup has the contact as erased, with what links to it; or as somebody else, who is not to be touched. */
function isContactErasedIn(known: Known, entry: ErasedContact): boolean {
  const { found, unerased, others, erasedUntil } = known
  const name = `contacts ${entry.id}`
  if (others.has(name)) return true
  // Of a backup that does not say until when, the contact is taken for the whole.
  return found.has(name) && !unerased.has(name) && (erasedUntil === null || wasBefore(known, entry))
}

/** Whether a backup has nothing to erase of a record. It may have been filled again for somebody else. */
function isErasedIn(known: Known, { id }: ErasedContact, one: ListedRecord): boolean {
  const { found, unerased } = known
  const contact = `contacts ${id}`
  const isContactErased = found.has(contact) && !unerased.has(contact)
  return !unerased.has(nameOfListed(one)) || (isContactErased && wasBefore(known, one))
}

/** Whether an erasure was before those that a backup may not have whole. A date alone leaves open what came within its second. */
function wasBefore(
  { erasedUntil, erasedPosition }: Known,
  { date = '9999', position }: Pick<ListedRecord, 'date' | 'position'>,
): boolean {
  if (erasedPosition !== null && position != null) return position <= erasedPosition
  return erasedUntil !== null && date < erasedUntil
}

interface Result {
  erased: boolean
  complete: boolean
  newer: Pick<ListedRecord, 'resource' | 'id'>[]
}

/** Erases a contact of the list with what was erased with it. What the calls leave is left to cron. */
async function eraseEntry(
  service: Service,
  {
    also,
    cleared,
    ...entry
  }: ErasedContact & { is_cleared: boolean; also: ListedRecord[]; cleared: ListedRecord[] },
): Promise<Result[]> {
  const results: Result[] = []
  const length = Math.max(also.length, cleared.length, 1)
  for (let start = 0; start < length; start += MAX_ALSO) {
    const [some, others] = [also, cleared].map((list) => list.slice(start, start + MAX_ALSO))
    const body = JSON.stringify({ ...entry, also: some, cleared: others })
    for (let calls = 0, isComplete = false; !isComplete && calls < MAX_CALLS; calls++) {
      const result = await adminData<Result>(service, 'POST', '/admin/backups/erased', body)
      results.push(result)
      isComplete = result.complete
    }
  }
  return results
}

/** The highest id of each resource that the list names, which no new record may get. */
export function highestErased(list: readonly ErasedContact[]): { resource: string; id: number }[] {
  const highest = new Map<string, number>()
  for (const { id, also = [] } of list)
    for (const one of [{ resource: 'contacts', id }, ...also])
      highest.set(one.resource, Math.max(highest.get(one.resource) ?? 0, one.id))
  return [...highest].map(([resource, id]) => ({ resource, id }))
}
