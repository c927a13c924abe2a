/** The list of the erased, which a restore applies: contacts that were erased since the backup was made. */
import { readFile, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { adminCall, type Service } from '../service/admin.ts'

export interface ErasedContact {
  id: number
  date: string
  /** What was erased with it. */
  also?: { resource: string; id: number }[]
}

export const ERASED = 'erased.json'
const REASON = 'Erased before a backup was restored'

/**
 * The list beside a backup: in the folder above it, and in its own. The two are taken together, as a list only grows. Null
 * if there is none.
 */
export async function findErased(path: string): Promise<ErasedContact[] | null> {
  const own = (await stat(path)).isDirectory() ? [path] : []
  const lists = await Promise.all([dirname(resolve(path)), ...own].map(readList))
  const found = lists.filter((list) => list !== null)
  if (found.length === 0) return null
  return [...new Map(found.flat().map((entry) => [entry.id, entry])).values()]
}

async function readList(folder: string): Promise<ErasedContact[] | null> {
  const file = join(folder, ERASED)
  const text = await readFile(file, 'utf8').catch(() => null)
  if (text === null) return null
  const list: unknown = JSON.parse(text)
  if (Array.isArray(list) && list.every(({ id }) => Number.isSafeInteger(id))) return list
  throw new Error(`${file} is not a list of erased contacts.`)
}

/** Erases the contacts of a list, and what was erased with them. Returns how many contacts there were. */
export async function eraseAgain(service: Service, list: ErasedContact[]): Promise<number> {
  let erased = 0
  for (const { id, also = [] } of list) {
    if (!(await erase(service, id, []))) continue
    erased++
    // One by one, as the backup may be older than some of them.
    for (const record of also) await erase(service, id, [record])
  }
  return erased
}

/** Whether there is what is to be erased. */
async function erase(service: Service, id: number, also: ErasedContact['also'] = []): Promise<boolean> {
  const body = JSON.stringify({ reason: REASON, ...(also.length > 0 ? { also } : {}) })
  try {
    await adminCall(service, 'POST', `/admin/contacts/${id}/erase`, body)
    return true
  } catch (error) {
    if (error instanceof Error && /: 404 Contact not found$|: 400 Unknown also/.test(error.message))
      return false
    throw error
  }
}
