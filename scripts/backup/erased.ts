/** The list of the erased, which a restore applies: contacts that were erased since the backup was made. */
import { readFile, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { type ErasedContact, erasedContact, mergeErased } from '../../src/admin/backups/schema.ts'
import { adminCall, type Service } from '../service/admin.ts'
import { parseJson } from './folder.ts'
import { nameOfListed, type Survey } from './survey.ts'

export const ERASED = 'erased.json'
/** Maximum records of one call. */
const MAX_ALSO = 1000
/** Maximum contacts named in an error. */
const MAX_NAMED = 20
/** The messages of calls that a service refuses for what one contact is, and would refuse again. */
const REFUSED = /: 4(?!29)\d\d |is not stored: /
const REASON = 'Erased before a backup was restored'

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
type Known = Pick<Survey, 'found' | 'unerased' | 'others' | 'highestContact'> & {
  /** It has those as erased who were erased before this; null if that is not known. */
  erasedUntil: string | null
}

/**
 * Erases what a list names again, but for what the backup has as erased: texts written since would go. Returns how many of the
 * contacts the backup had. Throws in the end if the service refused some.
 */
export async function eraseAgain(service: Service, list: ErasedContact[], known: Known): Promise<number> {
  let had = 0
  const failures: string[] = []
  // Above all contacts that there are: it stands for those whose id is somebody else's by now.
  const spare = Math.max(known.highestContact, ...list.map(({ id }) => id)) + 1
  for (const entry of list)
    try {
      if (await eraseEntry(service, entry, spare, known)) had++
    } catch (error) {
      if (!(error instanceof Error) || !REFUSED.test(error.message)) throw error
      failures.push(`contacts ${entry.id}: ${error.message}`)
    }
  for (const name of known.others) console.error(`${name} is newer than the erasure of this id, and stays.`)
  if (failures.length > 0)
    throw new Error(
      [`${failures.length} contacts were not erased again:`, ...failures.slice(0, MAX_NAMED)].join('\n  '),
    )
  return had
}

/** Erases a contact of the list with what was erased with it. Returns whether the backup had it. */
async function eraseEntry(
  service: Service,
  { id: listedId, also: listed = [] }: ErasedContact,
  spare: number,
  { found, unerased, others, erasedUntil }: Known,
): Promise<boolean> {
  const name = `contacts ${listedId}`
  const isOther = others.has(name)
  const isErased = found.has(name) && !unerased.has(name)
  // What was erased before the backup was begun may have been filled again for somebody else.
  const isDone = (date = '9999') => isErased && erasedUntil !== null && date < erasedUntil
  const also = listed.filter((one) => unerased.has(nameOfListed(one)) && !isDone(one.date))
  if ((isErased || isOther) && also.length === 0) return false
  const id = isOther ? spare : listedId
  const some = also.slice(0, MAX_ALSO)
  const isThere = await eraseContact(service, id, some)
  if (!isThere) {
    await storeBlank(service, id)
    await eraseContact(service, id, some)
  }
  for (let start = MAX_ALSO; start < also.length; start += MAX_ALSO)
    await eraseContact(service, id, also.slice(start, start + MAX_ALSO))
  return isThere && !isOther
}

/** The highest id of each resource that the list names, which no new record may get. */
export function highestErased(list: readonly ErasedContact[]): { resource: string; id: number }[] {
  const highest = new Map<string, number>()
  for (const { id, also = [] } of list)
    for (const one of [{ resource: 'contacts', id }, ...also])
      highest.set(one.resource, Math.max(highest.get(one.resource) ?? 0, one.id))
  return [...highest].map(([resource, id]) => ({ resource, id }))
}

/**
 * Stores a contact that the backup is too old for, as an export has it. Otherwise its id would be given to another person, whom
 * the next restore would erase; and the backup may have what was erased with it, such as an enquiry that was converted since.
 */
async function storeBlank(service: Service, id: number): Promise<void> {
  const line = JSON.stringify({ entity: 'contacts', data: { id, is_erased: true } })
  const { data } = (await (await adminCall(service, 'POST', '/admin/import', line)).json()) as {
    data: { errors: { message: string }[] }
  }
  const [error] = data.errors
  if (error) throw new Error(`The erased contact ${id} is not stored: ${error.message}`)
}

/** Erases a contact, and what was erased with it. Returns whether there is one. */
async function eraseContact(
  service: Service,
  id: number,
  also: NonNullable<ErasedContact['also']>,
): Promise<boolean> {
  const body = JSON.stringify({ reason: REASON, also })
  try {
    await adminCall(service, 'POST', `/admin/contacts/${id}/erase`, body)
    return true
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    // The backup may be older than the contact, or than one of the other records.
    if (message.endsWith('404 Contact not found')) return false
    const missing = /Unknown also\.(\d+)\.id/.exec(message)?.[1]
    if (missing === undefined) throw error
    return eraseContact(service, id, also.toSpliced(Number(missing), 1))
  }
}
