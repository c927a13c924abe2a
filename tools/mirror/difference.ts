/** Compares a copy with the current state of the service. */
import { DatabaseSync } from 'node:sqlite'
import { isDeepStrictEqual } from 'node:util'
import type { MirrorTarget } from './random-writes.ts'

interface Listing {
  id: number
  code: string
  status: string
  price: number | null
}

/** Differences between the copy in `file` and a new read of every listing, one line each. */
export async function findDifferences(file: string, target: MirrorTarget): Promise<string[]> {
  const read = await readListings(target)
  const db = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  const rows = db.prepare('select id, code, status, price, record from listings').all()
  db.close()
  const copied = new Map(rows.map((row) => [Number(row.id), row]))
  const differences: string[] = []
  for (const [id, listing] of read) {
    const row = copied.get(id)
    if (!row) differences.push(`listing ${id} is missing`)
    else if (!isDeepStrictEqual(JSON.parse(String(row.record)), listing)) {
      differences.push(`listing ${id} is another: ${row.record} instead of ${JSON.stringify(listing)}`)
    } else if (!['code', 'status', 'price'].every((name) => row[name] === listing[name as keyof Listing])) {
      differences.push(`listing ${id} has other columns`)
    }
  }
  for (const id of copied.keys()) if (!read.has(id)) differences.push(`listing ${id} is too much`)
  return differences
}

/** Reads every listing that is not deleted, each with its own call. */
async function readListings(target: MirrorTarget): Promise<Map<number, Listing>> {
  const found = new Map<number, Listing>()
  for (let page = 1, last = 1; page <= last; page++) {
    const list = await getJson<Listing[]>(target, `/api/listings?page=${page}`)
    last = list.total_pages ?? 1
    for (const { id, status } of list.data) {
      if (status === 'deleted') continue
      found.set(id, (await getJson<Listing>(target, `/api/listings/${id}?fields=all`)).data)
    }
  }
  return found
}

async function getJson<Data>({ url, key }: MirrorTarget, path: string) {
  const answer = await fetch(new URL(path, url), { headers: { Authorization: `Bearer ${key}` } })
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
  return (await answer.json()) as { data: Data; total_pages?: number }
}
