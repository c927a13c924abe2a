/** `npm run trail`: the history of a record, or what was written and administered of late. */
import { adminCall, serviceFrom } from './service/admin.ts'
import { readCommandLine, readNumber, refuseCommandLine, runScript } from './service/terminal.ts'
import { describeEntry, type Entry } from './trail/describe.ts'

const USAGE = `Shows the trail: who wrote what, newest first. Of one record, its history.

Usage: ADMIN_TOKEN=… npm run trail -- [RECORD] [OPTIONS]

  RECORD          a record, such as listings/12, or a kind of records or calls: contacts, keys, import
  --actor WHO     the id of a key or person, an e-mail address, token or cron
  --route ROUTE   one call, such as /api/listings/{id}
  --status CODE   an HTTP status: 403 are refused calls
  --since WHEN    '2026-11-20' or '2026-11-20 10:00:00', in UTC
  --until WHEN    the same
  --last COUNT    how many entries (default: 50)
  --url URL       the service (default: http://localhost:8787)
  --help          shows this`

const OPTIONS = {
  url: { type: 'string' },
  actor: { type: 'string' },
  route: { type: 'string' },
  status: { type: 'string' },
  since: { type: 'string' },
  until: { type: 'string' },
  last: { type: 'string', default: '50' },
} as const

/** Entries in one page of the service. */
const PER_PAGE = 100

async function main(): Promise<void> {
  const { values, positionals } = readCommandLine(USAGE, OPTIONS, true)
  const [record = '', ...rest] = positionals
  if (rest.length > 0) refuseCommandLine(`Unexpected argument '${rest[0]}'.`)
  const last = readNumber('last', values.last)
  const { actor, route, status, since, until } = values
  // The name of a kind of records may have a slash: `knowledge-base/articles/3`.
  const [, resource = record, id] = /^(.+)\/([\da-f]+|\w+_\w+)$/.exec(record) ?? []
  const filters = {
    ...{ resource, record_id: id, actor, route, status },
    ...{ 'date[min]': since, 'date[max]': until },
  }
  const query = new URLSearchParams(
    Object.entries(filters).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  )
  const service = serviceFrom(values.url)
  let shown = 0
  for (let page = 1; shown < last; page++) {
    const paging = `per_page=${Math.min(last, PER_PAGE)}&page=${page}`
    const answer = await adminCall(service, 'GET', `/admin/trail?${paging}&${query}`)
    const { data, total_pages } = (await answer.json()) as { data: Entry[]; total_pages: number }
    for (const entry of data.slice(0, last - shown)) console.log(describeEntry(entry, id !== undefined))
    shown += data.length
    if (page >= total_pages) break
  }
  if (shown === 0) console.log('There is no such entry.')
}

await runScript(main)
