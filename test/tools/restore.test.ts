/**
 * Backups as an operator meets them: exported to a folder, made by cron, damaged, restored, tried.
 *
 * @module-tag slow
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eraseAgain, findErased } from '../../scripts/backup/erased.ts'
import {
  ADMIN_TOKEN,
  type AgencyService,
  askAgency,
  callAgency,
  startAgency,
} from '../../tools/runtime/agency.ts'
import { run } from '../../tools/runtime/run.ts'
import { expectMisused, expectRefused } from './refused.ts'
import { listen, temporaryFolder } from './temporary.ts'

const folder = temporaryFolder()
let agency: AgencyService
const others: AgencyService[] = []

beforeAll(async () => {
  agency = await startAgency(null, { contacts: 30, listings: 20 })
})

afterAll(async () => {
  for (const service of [agency, ...others]) await service?.stop()
})

async function emptyAgency(): Promise<AgencyService> {
  const service = await startAgency(null, 0)
  others.push(service)
  return service
}

const script = (name: string, { url }: AgencyService, ...parameters: string[]) =>
  run(`scripts/${name}.ts`, [...parameters, '--url', url.origin])
const restore = (service: AgencyService, ...parameters: string[]) => script('restore', service, ...parameters)
/** Marks a service as being restored, as if the restore of this backup had been cut off before its end. */
async function markRestoring({ miniflare }: AgencyService, path: string): Promise<void> {
  const manifest = await readFile(join(path, 'manifest.json'), 'utf8')
  const digest = createHash('sha256').update(manifest).digest('hex')
  const db = await miniflare.getD1Database('DB')
  await db
    .prepare("insert into restores (id, backup, digest, date_started) values (1, ?, ?, '')")
    .bind(JSON.parse(manifest).name, digest)
    .run()
}
const exported = (service: AgencyService) => callAgency(service, 'GET', '/admin/export')
const RESTORED = /^(\d+) records restored: counts and contents are equal\. 0 contacts erased again\.$/m

/** Exports to a folder of this name, as `npm run export` does. */
async function exportTo(name: string): Promise<string> {
  const path = join(folder, name)
  const { code, output } = await script('export', agency, `${path}/`)
  expect([code, output]).toEqual([0, expect.stringMatching(/^\d+ records in .*\/\n$/)])
  return path
}

describe('npm run export -- FOLDER/', () => {
  it('writes a backup, and replaces one only if it is told to', async () => {
    const path = await exportTo('whole')
    const manifest = JSON.parse(await readFile(join(path, 'manifest.json'), 'utf8'))
    const lines = (await exported(agency)).split('\n').length - 1
    expect(manifest).toMatchObject({
      name: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      parts: [{ name: 'part-001.ndjson.gz', lines }],
      counts: { stores: 3, contacts: 30, listings: 20 },
    })
    expect(JSON.parse(await readFile(join(path, 'erased.json'), 'utf8'))).toEqual([])
    await writeFile(join(path, 'note.txt'), 'mine')
    const again = script('export', agency, path)
    await expectRefused(again, `${path} is not empty; --force replaces the backup in it.\n`)
    expect(await script('export', agency, path, '--force')).toMatchObject({ code: 0 })
    expect(existsSync(join(path, 'note.txt'))).toBe(true)
  })
})

describe('npm run restore', () => {
  it('fills an empty service, and refuses one that is not', async () => {
    const path = await exportTo('first')
    const empty = await emptyAgency()
    const { code, output, errors } = await restore(empty, '--from', path)
    expect([code, errors]).toEqual([0, ''])
    expect(output).toMatch(RESTORED)
    expect(await exported(empty)).toBe(await exported(agency))
    await expectRefused(
      restore(empty, '--from', path),
      `The service at ${empty.url.origin} holds records: a backup is restored into an empty one.\n`,
    )
    await expectRefused(
      restore(empty, '--from', path, '--continue'),
      `No restore of the service at ${empty.url.origin} was begun. Leave out --continue.\n`,
    )
    await markRestoring(empty, path)
    const before = await exported(empty)
    const foreign = await exportTo('foreign')
    const manifest = join(foreign, 'manifest.json')
    await writeFile(manifest, `${await readFile(manifest, 'utf8')}\n`)
    const { name } = JSON.parse(await readFile(manifest, 'utf8'))
    expect(await restore(empty, '--from', foreign, '--continue')).toMatchObject({
      code: 1,
      errors: expect.stringContaining(`409 Being restored from another backup named ${name}\n`),
    })
    expect(await exported(empty)).toBe(before)
    expect((await restore(empty, '--from', path, '--continue')).output).toMatch(RESTORED)
  })

  it('takes a file of lines, gzip or not', async () => {
    const plain = join(folder, 'plain.ndjson')
    expect((await script('export', agency, plain)).code).toBe(0)
    const text = await readFile(plain)
    await mkdir(join(folder, 'files'))
    const zipped = join(folder, 'files', 'zipped')
    await writeFile(zipped, gzipSync(text))
    const [empty, other] = [await emptyAgency(), await emptyAgency()]
    expect((await restore(empty, '--from', zipped, '--without-erased')).output).toMatch(RESTORED)
    await writeFile(join(folder, 'erased.json'), '[]')
    expect((await restore(other, '--from', plain)).output).toMatch(RESTORED)
    await rm(join(folder, 'erased.json'))
  })

  it('says what differs', async () => {
    const file = join(folder, 'odd.ndjson')
    const lines = [
      { entity: 'stores', data: { id: 1, name: 'Without what an export has of it' } },
      { entity: 'users', data: { id: 1, name: 'Nowhere', store_id: 9 } },
    ]
    await writeFile(file, lines.map((line) => JSON.stringify(line)).join('\n'))
    const empty = await emptyAgency()
    expect(await restore(empty, '--from', file, '--without-erased')).toMatchObject({
      code: 1,
      errors:
        'line 2: users 1: Unknown store_id 9\n1 lines were rejected.\n' +
        `Another version may have made ${file}:\n  stores: the records are not the same\n` +
        'What was restored differs from the backup:\n' +
        '  users: 1 in the backup, 0 restored\n',
    })
  })

  it('takes a file of an older version, whose records show less', async () => {
    const file = join(folder, 'older.ndjson')
    const lines = (await exported(agency))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    for (const { entity, data } of lines) if (entity === 'contacts') delete data.notes
    await writeFile(file, lines.map((line) => JSON.stringify(line)).join('\n'))
    const empty = await emptyAgency()
    expect(await restore(empty, '--from', file, '--without-erased')).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^\d+ records restored: counts are equal\. 0 contacts erased again\.$/m),
      errors: `Another version may have made ${file}:\n  contacts: the records are not the same\n`,
    })
    expect((await askAgency(empty, 'GET', '/admin/stats')).data.restoring).toBe(null)
  })

  it('touches nothing where the backup is damaged, or a part of it is missing', async () => {
    const path = await exportTo('damaged')
    const empty = await emptyAgency()
    const part = join(path, 'part-001.ndjson.gz')
    const bytes = await readFile(part)
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
    await writeFile(part, bytes)
    const damaged = `${part} is damaged: its SHA-256 is not the one in manifest.json.\n`
    await expectRefused(restore(empty, '--from', path), damaged)
    await rm(join(path, 'erased.json'))
    await expectRefused(
      restore(empty, '--from', path),
      `There is no list of the erased beside ${path}: contacts erased since would be back. Put the newest erased.json into the folder above it, or restore --without-erased.\n`,
    )
    await rm(part)
    const partless = restore(empty, '--from', path, '--without-erased')
    await expectRefused(partless, `${part}: there is no such file or folder.\n`)
    await writeFile(join(path, 'manifest.json'), '{"parts": [{"name": "../../etc/passwd"}]}')
    expect((await restore(empty, '--from', path)).errors).toMatch(/is not the manifest of a backup/)
    await rm(join(path, 'manifest.json'))
    expect((await restore(empty, '--from', path)).errors).toMatch(/it is no backup, or was not finished/)
    const counted = await exportTo('counted')
    const manifest = JSON.parse(await readFile(join(counted, 'manifest.json'), 'utf8'))
    manifest.counts.contacts++
    await writeFile(join(counted, 'manifest.json'), JSON.stringify(manifest))
    const refused = restore(empty, '--from', counted)
    await expectRefused(refused, `${counted} has 30 lines of contacts, but manifest.json says 31.\n`)
    expect(await exported(empty)).toBe('')
  })

  it('touches nothing where the list of the erased is none', async () => {
    const path = await exportTo('listed')
    const empty = await emptyAgency()
    const list = join(path, 'erased.json')
    const entry = { id: 1, date: '2026-11-26 00:00:00' }
    const lists: unknown[] = [[null], { id: 1 }, [{ ...entry, also: null }]]
    lists.push([{ ...entry, also: [{ resource: 'listings', id: 1 }] }])
    for (const text of ['', 'no JSON', ...lists.map((one) => JSON.stringify(one))]) {
      await writeFile(list, text)
      await expectRefused(restore(empty, '--from', path), `${list} is not a list of erased contacts.\n`)
    }
    expect(await exported(empty)).toBe('')
  })

  it.each([[[]], [['--latest', '--from', 'x']], [['--latest', '--from', 'x', '--continue']]])(
    'needs one backup: %j',
    (parameters) => expectMisused(restore(agency, ...parameters), 'Give --latest or --from.'),
  )
})

describe('npm run restore -- --latest', () => {
  it('says that there is none', async () => {
    await expectRefused(restore(await emptyAgency(), '--latest'), 'The service has no whole backup.\n')
  })

  it.each([
    ['part-001.ndjson.gz?/../../../estia-written', '2026-11-26'],
    ['part-001.ndjson.gz', '../2026-11-26'],
  ])('writes no file of a name such as %s in %s', async (file, name) => {
    const asked: (string | undefined)[] = []
    const url = await listen(({ url: path }, response) => {
      asked.push(path)
      const parts = [{ name: file, bytes: 1, sha256: '0'.repeat(64), lines: 1 }]
      response.end(JSON.stringify({ data: [{ name, version: '1', counts: {}, parts }] }))
    })
    await expectRefused(
      run('scripts/restore.ts', ['--latest', '--try', '--url', url]),
      'What the service says of its latest backup is not the manifest of one.\n',
    )
    expect(asked).toEqual(['/admin/backups'])
  })

  it('restores what cron has made, and --try leaves nothing but a note', { timeout: 600_000 }, async () => {
    const worker = await agency.miniflare.getWorker()
    for (const cron of ['17 3 * * *', '* * * * *', '* * * * *']) await worker.scheduled({ cron })
    const before = await exported(agency)
    const tried = await restore(agency, '--latest', '--try')
    expect([tried.code, tried.output]).toEqual([0, expect.stringMatching(RESTORED)])
    expect(await exported(agency)).toBe(before)
    const { data } = await askAgency(agency, 'GET', '/admin/backups')
    expect(data).toEqual([expect.objectContaining({ date_tried: expect.stringMatching(/^20/) })])

    // The bucket is what is left of the deployment.
    const [from, empty] = [await agency.miniflare.getR2Bucket('BACKUPS'), await emptyAgency()]
    const to = await empty.miniflare.getR2Bucket('BACKUPS')
    for (const { key } of (await from.list()).objects) {
      if (key !== 'erased.json') await to.put(key, (await (await from.get(key))?.arrayBuffer()) ?? '')
    }
    expect((await restore(empty, '--latest')).errors).toMatch(/^There is no list of the erased beside /)
    await to.put('erased.json', '[]')
    expect((await restore(empty, '--latest')).output).toMatch(RESTORED)
    expect(await exported(empty)).toBe(before)
  })
})

it('erases again whom the bucket names, who has to have a list', async () => {
  const service = await emptyAgency()
  expect(await script('erase-again', service)).toMatchObject({
    code: 1,
    errors: expect.stringContaining('The service has no erased.json in a bucket of backups.'),
  })
})

it('goes on although contacts are erased again already, and what links to them is cleared', async () => {
  const path = await exportTo('apart/interrupted')
  const date = '2026-11-26 00:00:00'
  const some = Array.from({ length: 15 }, (_, index) => ({ id: 2 * index + 5, date }))
  await writeFile(join(path, 'erased.json'), JSON.stringify(some))
  const empty = await emptyAgency()
  const first = await restore(empty, '--from', path)
  expect([first.code, first.errors]).toEqual([0, ''])
  // In the end, the service knows the list itself.
  for (const list of [some, []]) {
    await writeFile(join(path, 'erased.json'), JSON.stringify(list))
    await markRestoring(empty, path)
    const { code, errors, output } = await restore(empty, '--from', path, '--continue')
    expect([code, errors]).toEqual([0, ''])
    expect(output).toMatch(/: counts and contents are equal\. 0 contacts erased again\.$/m)
  }
})

it('leaves those who were given the id of somebody who was erased', async () => {
  const path = await exportTo('apart/reused')
  const also = [{ resource: 'requests', id: 5 }]
  await writeFile(join(path, 'erased.json'), JSON.stringify([{ id: 5, date: '2020-01-01 00:00:00', also }]))
  const empty = await emptyAgency()
  expect(await restore(empty, '--from', path)).toMatchObject({
    code: 0,
    output: expect.stringMatching(RESTORED),
    errors:
      'contacts 5 is newer than the erasure of this id, and stays.\n' +
      'requests 5 is newer than the erasure of this id, and stays.\n',
  })
  expect(await exported(empty)).toBe(await exported(agency))
})

it('takes two lists together, and sends what was erased with a contact in portions', async () => {
  const date = '2026-11-26 00:00:00'
  const own = join(folder, 'lists', 'own')
  await mkdir(own, { recursive: true })
  const also = Array.from({ length: 2001 }, (_, index) => ({ resource: 'requests', id: index + 1 }))
  const lists = [
    [{ id: 1, date, also: also.slice(0, 1500) }],
    [
      { id: 1, date: '2026-11-27 00:00:00', also: also.slice(500) },
      { id: 2, date },
    ],
  ]
  await writeFile(join(folder, 'lists', 'erased.json'), JSON.stringify(lists[0]))
  await writeFile(join(own, 'erased.json'), JSON.stringify(lists[1]))
  const found = await findErased(own)
  const dated = also.map((one) => ({ ...one, date: one.id > 500 ? '2026-11-27 00:00:00' : date }))
  expect(found).toEqual([
    { id: 1, date: '2026-11-27 00:00:00', also: dated },
    { id: 2, date },
  ])
  const sent: [number, number[], number[]][] = []
  const url = await listen(async (request, response) => {
    const named = (await json(request)) as Record<'also' | 'cleared', { id: number }[]> & { id: number }
    sent.push([named.id, named.also.map(({ id }) => id), named.cleared.map(({ id }) => id)])
    // The first call has not cleared all.
    response.end(JSON.stringify({ data: { erased: named.id < 3, complete: sent.length !== 1, newer: [] } }))
  })
  const service = { url, adminToken: ADMIN_TOKEN }
  const contacts = ['contacts 1', 'contacts 2']
  const requests = also.map(({ id }) => `requests ${id}`)
  const one = { resource: 'requests' as const, id: 9999 }
  const list = [...(found ?? []), { id: 3, date, also: [one] }]
  // The third, and what was erased with it, is erased in the backup already, and is only listed.
  const known = {
    found: new Set([...contacts, 'contacts 3', ...requests, 'requests 9999']),
    unerased: new Set([...contacts, ...requests]),
  }
  const nothing = { others: new Set<string>(), erasedUntil: null, erasedPosition: null }
  expect(await eraseAgain(service, list, { ...known, ...nothing })).toBe(2)
  const ids = also.map(({ id }) => id)
  const portions = [0, 0, 1000, 2000].map((start) => [1, ids.slice(start, start + 1000), []])
  expect(sent).toEqual([...portions, [2, [], []], [3, [], [9999]]])
  // What was erased no earlier than the backup was begun may have been cleared behind its last lines.
  sent.length = 0
  for (const erasedUntil of [date, '2026-11-27 00:00:00'])
    expect(await eraseAgain(service, list, { ...known, ...nothing, erasedUntil })).toBe(2)
  expect(sent.map(([id]) => id)).toEqual([1, 1, 1, 1, 2, 3, 1, 1, 1, 2, 3])
  // Positions tell what the backup has from what was erased later in the same second.
  sent.splice(1)
  const within = [5, 6].map((id) => ({
    ...{ id, date, position: id },
    also: [{ ...one, date, position: id }],
  }))
  const both = { found: new Set(['contacts 5', 'contacts 6']), unerased: new Set(['requests 9999']) }
  for (const erasedPosition of [5, null])
    await eraseAgain(service, within, { ...both, ...nothing, erasedUntil: date, erasedPosition })
  expect(sent.slice(1)).toEqual([[5, [], [9999]], ...[6, 5, 6].map((id) => [id, [9999], []])])
})

it('erases the others where one is refused, and ends where the service is gone', async () => {
  const asked: number[] = []
  const url = await listen(async (request, response) => {
    const { id } = (await json(request)) as { id: number }
    asked.push(id)
    response.statusCode = id === 1 ? 409 : 200
    response.end('{"error_message":"On hold: A lawsuit","data":{"erased":true,"complete":true,"newer":[]}}')
  })
  const interruption = new AbortController()
  const service = { url, adminToken: ADMIN_TOKEN, signal: interruption.signal }
  const list = [1, 2].map((id) => ({ id, date: '2026-01-01 00:00:00' }))
  const none = new Set<string>()
  const survey = { found: none, unerased: none, others: none, erasedUntil: null, erasedPosition: null }
  await expect(eraseAgain(service, list, survey)).rejects.toThrow(
    `1 contacts were not erased again:\n  contacts 1: POST /admin/backups/erased: 409 On hold: A lawsuit`,
  )
  expect(asked).toEqual([1, 2])
  interruption.abort()
  await expect(eraseAgain(service, list, survey)).rejects.toThrow('aborted')
  expect(asked).toEqual([1, 2])
})

it('brings back nobody whom a second erasure of a contact has named, and erases nobody else', async () => {
  const create = async (path: string, body: object) =>
    (await askAgency(agency, 'POST', path, body)).created_id
  const erase = (also: object[] = []) => create('/admin/contacts/3/erase', { reason: 'Asked', also })
  await erase()
  // Dates are in seconds.
  await wait(1100)
  const id = await create('/api/contacts', { first_name: 'zqlater', created_by: 1 })
  await create('/api/contacts', { first_name: 'zqother', created_by: 1 })
  const sender = { type: 'information', last_name: 'zqsender', email: 'a@example.com', message: 'zqtext' }
  const enquiry = await create('/api/enquiries', { ...sender, consent: { privacy: true, marketing: false } })
  const path = await exportTo('apart/twice')
  await erase([
    { resource: 'contacts', id },
    { resource: 'enquiries', id: enquiry },
  ])
  const { data } = await askAgency(agency, 'GET', '/admin/backups/erased')
  await writeFile(join(path, 'erased.json'), JSON.stringify(data.erased))
  const empty = await emptyAgency()
  const { code, errors } = await restore(empty, '--from', path)
  expect([code, errors]).toEqual([0, ''])
  expect(new Set((await exported(empty)).match(/zq\w+/g))).toEqual(new Set(['zqother']))
})
