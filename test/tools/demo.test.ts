/** Where the demo may be loaded: an empty service, and one that holds a part of it and nothing else. */
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { demoLines } from '../../demo/agency.ts'
import { isWithoutRecords } from '../../scripts/service/export-parts.ts'
import { importLines } from '../../scripts/service/import-lines.ts'
import { findObstacle, officeLines } from '../../scripts/service/load-demo.ts'
import { fill } from '../../scripts/start/fill.ts'
import { ADMIN_TOKEN } from '../../tools/runtime/agency.ts'
import { startService } from '../node/service.ts'
import { temporaryFolder } from './temporary.ts'

const folder = temporaryFolder()
const SIZE = { contacts: 40, listings: 40 }
const SERVER = { ready: Promise.resolve(), breakdowns: 0, answers: async () => true }

let running: Awaited<ReturnType<typeof startService>> | undefined
let key = ''
let service = { url: '', adminToken: ADMIN_TOKEN }

beforeAll(async () => {
  running = await startService()
  key = running.key
  service = { ...service, url: running.url.href.replace(/\/$/, '') }
})

afterAll(() => running?.close())

const store = async (...lines: object[]) => {
  const { errors } = await importLines(
    service,
    lines.map((line) => JSON.stringify(line)),
    () => undefined,
  )
  expect(errors).toEqual([])
}

async function exported(): Promise<string> {
  const headers = { Authorization: `Bearer ${ADMIN_TOKEN}` }
  return (await fetch(`${service.url}/admin/export`, { headers })).text()
}

/** What a start does that finds the load of an earlier one unfinished. */
async function startAgain(): Promise<void> {
  const journal = join(folder, 'demo-load.json')
  await writeFile(journal, JSON.stringify({ pid: process.pid, size: SIZE }))
  await fill(SERVER, service, key, folder, SIZE)
  expect(existsSync(journal)).toBe(false)
}

const lines = Array.from(demoLines(SIZE))
const others = (record: string) => `This service holds data that is not the demo's: ${record}.`

it('a load goes on where it has begun, and not in the service of another agency', async () => {
  const begun = 'No load of the demo has begun in this service.'
  expect([await isWithoutRecords(service), await findObstacle(service)]).toEqual([true, begun])
  // Nothing that a list of the API shows.
  await store(...lines.filter(({ entity }) => entity === 'contact_tags'))
  expect([await isWithoutRecords(service), await findObstacle(service)]).toEqual([false, begun])
  const [office] = officeLines()
  await store(office ?? {})
  expect(await findObstacle(service)).toBe(null)
  await store(...lines)
  expect(await findObstacle(service)).toBe(null)
  await store({ entity: 'stores', data: { id: 99, name: 'Own' } })
  expect(await findObstacle(service)).toBe(others('stores 99'))
  await store({ entity: 'stores', data: { id: 1, name: 'Own' } })
  expect(await findObstacle(service)).toBe(others('stores 1'))
})

it('a start that finds an unfinished load leaves an agency of somebody else alone', async () => {
  const before = await exported()
  const error = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  await startAgain()
  expect(error).toHaveBeenCalledWith(`Demo data: not continued. ${others('stores 1')}`)
  expect(await exported()).toBe(before)
})
