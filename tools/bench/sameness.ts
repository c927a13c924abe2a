/** The proof that ours and the ruler do the same, before anyone takes their time. */
import { isDeepStrictEqual } from 'node:util'
import { ask } from './ask.ts'
import { type BenchCall, hostsOf } from './calls.ts'

/** Answers of each read that are compared. */
const SAMPLES = 20

/**
 * Throws where an answer of the ruler is not ours: of listings byte for byte but for the order of keys, of other
 * records, which the ruler answers as they are stored, what has the same name and type.
 */
export async function proveSame(url: URL, calls: BenchCall[]): Promise<void> {
  for (const call of calls) {
    if (hostsOf(call).length < 2) continue
    if (call.method === 'GET') await proveRead(url, call)
    else if (call.method === 'POST') await proveCreate(url, call)
    else await proveUpdate(url, call)
  }
}

async function proveRead(url: URL, { title, path, cold }: BenchCall): Promise<void> {
  // Far apart, so that they are of many kinds.
  const paths = new Set(Array.from({ length: SAMPLES }, (_, index) => path(index * 7919)))
  for (const one of paths) {
    await cold?.removeDocuments()
    const [ours, ruler] = [await ask(url, 'ours', 'GET', one), await ask(url, 'ruler', 'GET', one)]
    const require = one.startsWith('/api/listings') ? requireSame : requireSameRecords
    require(`${title}: ${one}`, ours, ruler)
  }
}

/** What each creates of one body reads the same. */
async function proveCreate(url: URL, { title, method, path, body }: BenchCall): Promise<void> {
  const create = async (host: 'ours' | 'ruler') => {
    const answer = await ask(url, host, method, path(0), body?.(0))
    const { created_id } = JSON.parse(answer) as { created_id: number }
    return readWritten(url, `${path(0)}/${created_id}`)
  }
  requireSame(title, await create('ours'), await create('ruler'))
}

/** What each makes of one record by one body reads the same. */
async function proveUpdate(url: URL, { title, method, path, body }: BenchCall): Promise<void> {
  const update = async (host: 'ours' | 'ruler') => {
    await ask(url, host, method, path(0), body?.(1))
    await ask(url, host, method, path(0), body?.(0))
    return readWritten(url, path(0))
  }
  requireSame(title, await update('ours'), await update('ruler'))
}

/** A record without what differs from write to write. */
async function readWritten(url: URL, path: string): Promise<string> {
  const { data } = JSON.parse(await ask(url, 'ours', 'GET', path)) as { data: Record<string, unknown> }
  const { id, date_created, date_updated, ...rest } = data
  return JSON.stringify(rest)
}

function requireSame(what: string, ours: string, ruler: string): void {
  // The same values written in the same way are equally long in any order.
  if (ours.length === ruler.length && isDeepStrictEqual(JSON.parse(ours), JSON.parse(ruler))) return
  refuse(what, ours, ruler)
}

type Values = Record<string, unknown>

function requireSameRecords(what: string, ours: string, ruler: string): void {
  const { data: shown, ...paging }: Values = JSON.parse(ours)
  const { data: stored, ...otherPaging }: Values = JSON.parse(ruler)
  const rows = [stored].flat() as Values[]
  const records = [shown].flat() as Values[]
  const agree = records.every((record, index) => agrees(record, rows[index] ?? {}))
  if (!agree || records.length !== rows.length || !isDeepStrictEqual(paging, otherPaging))
    refuse(what, ours, ruler)
}

function agrees(record: Values, row: Values): boolean {
  return Object.entries(record).every(([name, value]) => {
    const isComparable = name === 'id' || (name in row && typeof value === typeof row[name])
    return !isComparable || isDeepStrictEqual(value, row[name])
  })
}

function refuse(what: string, ours: string, ruler: string): never {
  throw new Error(`${what}: the ruler answers otherwise\nours:  ${ours}\nruler: ${ruler}`)
}
