/**
 * A restore that is cut at half, over two nights of cron, and goes on: with the bucket of the backups and that of the pictures.
 *
 * @module-tag slow
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type AgencyService, askAgency, callAgency, startAgency } from '../../tools/runtime/agency.ts'
import { run } from '../../tools/runtime/run.ts'
import { listen } from './temporary.ts'

const LISTINGS = 20
const WORKER = 'tools/faults/worker.ts'

let [live, empty]: AgencyService[] = []

beforeAll(async () => {
  live = await startAgency(WORKER, { contacts: 10, listings: LISTINGS })
  empty = await startAgency(WORKER, 0)
})

afterAll(async () => {
  for (const service of [live, empty]) await service?.stop()
})

const photo = (number: number) => `photos/${String(number).padStart(32, '0')}.jpg`
const admin = (service: AgencyService, path: string) => callAgency(service, 'GET', path)
const data = async (service: AgencyService, path: string) => (await askAgency(service, 'GET', path)).data
const restore = (url: string, ...parameters: string[]) =>
  run('scripts/restore.ts', [...parameters, '--url', url])
const runCron = async (service: AgencyService, cron: string) =>
  expect(await askAgency(service, 'GET', `/faults/scheduled?cron=${encodeURIComponent(cron)}`)).toEqual({
    done: true,
  })

/** The keys of a bucket. */
async function keysOf({ miniflare }: AgencyService, bucket: string): Promise<string[]> {
  return (await (await miniflare.getR2Bucket(bucket)).list()).objects.map(({ key }) => key)
}

/** 03:17, the minutes behind it, and the sweep of the following nights. */
async function passNights(service: AgencyService): Promise<void> {
  for (const cron of ['17 3 * * *', '* * * * *', '* * * * *']) await runCron(service, cron)
  for (const days of [1.1, 2.2, 3.3]) await fetch(new URL(`/faults/sweep?days=${days}`, service.url))
}

/** A way to a service on which half of the lines of the first import arrive, and nothing behind them. */
async function brokenWay({ url }: AgencyService): Promise<string> {
  let isCut = false
  return listen(async (request, response) => {
    if (isCut) return void request.socket.destroy()
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const lines = Buffer.concat(pieces).toString().split('\n')
    isCut = request.url?.startsWith('/admin/import') ?? false
    const { method = 'GET' } = request
    const body = isCut ? lines.slice(0, lines.length >> 1).join('\n') : lines.join('\n')
    const answer = await fetch(new URL(request.url ?? '', url), {
      method,
      headers: { Authorization: request.headers.authorization ?? '' },
      ...(body ? { body } : {}),
    })
    if (isCut) return void request.socket.destroy()
    const link = answer.headers.get('Link')
    response.writeHead(answer.status, link ? { Link: link } : {})
    response.end(Buffer.from(await answer.arrayBuffer()))
  })
}

it('goes on from where it was cut, and has lost no picture', { timeout: 600_000 }, async () => {
  if (!live || !empty) throw new Error('No service')
  const photos = Array.from({ length: LISTINGS }, (_, index) => photo(index + 1))
  const pictures = await empty.miniflare.getR2Bucket('PHOTOS')
  const lines = photos.map((original_image, index) =>
    JSON.stringify({ entity: 'listings', data: { id: index + 1, photos: [{ original_image }] } }),
  )
  await callAgency(live, 'POST', '/admin/import', lines.join('\n'))
  for (const cron of ['* * * * *', '* * * * *']) await runCron(live, cron)
  const before = await admin(live, '/admin/export')
  // What is left of the deployment: its two buckets.
  const [from, to] = [
    await live.miniflare.getR2Bucket('BACKUPS'),
    await empty.miniflare.getR2Bucket('BACKUPS'),
  ]
  for (const key of await keysOf(live, 'BACKUPS'))
    await to.put(key, (await (await from.get(key))?.arrayBuffer()) ?? '')
  for (const key of photos) await pictures.put(key, 'picture')
  const backups = await keysOf(empty, 'BACKUPS')
  const [{ name }] = await data(empty, '/admin/backups')

  const way = await brokenWay(empty)
  expect((await restore(way, '--latest')).code).toBe(1)
  const half = await admin(empty, '/admin/export')
  expect(half.split('\n').length).toBeGreaterThan(before.split('\n').length * 0.4)
  expect(half.split('\n').length).toBeLessThan(before.split('\n').length * 0.6)
  await passNights(empty)
  expect(await data(empty, '/admin/stats')).toMatchObject({
    restoring: { backup: name, date_started: expect.any(String) },
    backup: { last: null },
  })
  expect([await keysOf(empty, 'BACKUPS'), await keysOf(empty, 'PHOTOS')]).toEqual([backups, photos])
  expect(await admin(empty, '/admin/export')).toBe(half)

  // Meanwhile another deployment puts a backup of its own into the bucket.
  const other = { ...(await data(empty, '/admin/backups'))[0], name: '2999-01-01' }
  const part = await (await to.get(`${name}/part-001.ndjson.gz`))?.arrayBuffer()
  await to.put('2999-01-01/part-001.ndjson.gz', part ?? '')
  await to.put('2999-01-01/manifest.json', JSON.stringify(other))
  const { origin } = empty.url
  expect((await restore(origin, '--latest')).errors).toBe(
    `The service at ${origin} is being restored from ${name}. Go on with --continue.\n`,
  )
  expect((await restore(origin, '--latest', '--continue')).errors).toBe(
    `The service is being restored from ${name}, not from 2999-01-01. Go on with --continue alone.\n`,
  )
  await passNights(empty)
  const { code, output, errors } = await restore(origin, '--continue')
  expect([code, errors]).toEqual([0, ''])
  expect(output).toMatch(/: counts and contents are equal\. 0 contacts erased again\.$/m)
  expect(await admin(empty, '/admin/export')).toBe(before)
  expect((await data(empty, '/admin/stats')).restoring).toBe(null)
  await passNights(empty)
  expect(await keysOf(empty, 'PHOTOS')).toEqual(photos)
  expect((await data(empty, '/admin/backups')).map((one: { name: string }) => one.name)).toContain(name)
})
