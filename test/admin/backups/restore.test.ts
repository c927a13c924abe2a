/** A service that is being restored: what does not happen meanwhile, and which ids it gives afterwards. */
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { beginBackup, continueBackup } from '../../../src/admin/backups/run.ts'
import { purgeTrail } from '../../../src/admin/trail/purge.ts'
import { CRON } from '../../../src/http/caller/provenance.ts'
import { purgeChanges } from '../../../src/resources/changes/purge.ts'
import { ENQUIRY_MAILS } from '../../../src/resources/enquiries/mail.ts'
import { sendMails } from '../../../src/resources/mails/queue.ts'
import { DAILY, EVERY_MINUTE, runScheduled } from '../../../src/scheduled.ts'
import { storedKeys, sweepAfter } from '../../files/stored.ts'
import { seedRequests } from '../../resources/requests/seed.ts'
import {
  call,
  expectData,
  expectDone,
  expectError,
  get,
  importRecords,
  type Line,
  post,
  put,
  remove,
} from '../../support/api.ts'
import { execute, selectAll } from '../../support/database.ts'
import { DATE, OLD } from '../../support/factories/dates.ts'
import { createListing, minimalListing } from '../../support/factories/listing.ts'
import { SMALLEST } from '../../support/factories/samples.ts'
import { emptyService } from '../../support/storage.ts'
import { exported } from '../../support/transfer.ts'

const NIGHTS = ['2026-11-26', '2026-11-27', '2026-11-28'].map((day) => new Date(`${day}T03:17:00Z`))
const NAME = '2026-11-26'
const DAY_MS = 24 * 60 * 60_000
/** Past any lease. */
const LATER = new Date(Date.now() + 1000 * DAY_MS)

const bucket = env.BACKUPS_OF_TESTS
const mails: unknown[] = []
const bound: Env = {
  ...env,
  PROVENANCE: CRON,
  BACKUPS: bucket,
  MAIL: { send: async (mail: unknown) => ({ messageId: String(mails.push(mail)) }) } as unknown as SendEmail,
  MAIL_FROM: 'estia@example.com',
}

beforeEach(async () => {
  mails.length = 0
  await emptyService()
})

const photo = (number: number) => `photos/${String(number).padStart(32, '0')}.jpg`
const DIGEST = 'a'.repeat(64)
const begin = (backup: string, above: object[] = [], digest = DIGEST) =>
  put('/admin/restore', { backup, digest, above })
const restoring = async () => (await get('/admin/stats')).body.data.restoring
const keysOf = async () => (await bucket.list()).objects.map(({ key }) => key)

/** Two nights of cron, and every job by itself, in a service whose bucket holds files for longer. */
async function passNights(): Promise<void> {
  for (const cron of [DAILY, EVERY_MINUTE, EVERY_MINUTE]) await runScheduled({ cron }, bound)
  for (const night of NIGHTS) {
    await beginBackup(bound, night)
    await continueBackup(bound, LATER)
  }
  for (const days of [1, 3, 5]) await sweepAfter(days)
  await purgeChanges(bound, LATER)
  await purgeTrail(bound, LATER)
}

/** Marks an enquiry to be mailed, and gives the service something to purge. */
async function addWork(): Promise<void> {
  await execute(
    `insert into enquiry_mails (enquiry_id, created, tries, next_try) values (1, ${Date.now()}, 1, 0)`,
  )
  await execute(
    `update changes set date = '${OLD}', change = 'deleted' where cursor = (select min(cursor) from changes)`,
  )
}

/** What the jobs would take away, or change. */
async function state() {
  const [count] = await selectAll(`select (select count(*) from enquiries) as enquiries,
    (select count(*) from enquiry_mails) as mails, (select count(*) from changes) as changes, (select count(*) from trail) as trail,
    (select count(*) from listing_photos where width is null and height is null) as unmeasured, (select count(*) from backups) as backups`)
  return { ...count, photos: await storedKeys(), backups: await keysOf(), sent: mails.length }
}

describe('a restore that is cut at half', () => {
  it('over 03:17 is not backed up, swept, purged, measured or mailed, and can go on', async () => {
    await seedRequests()
    const spam = { ...SMALLEST.enquiries, status: 'spam', date_created: OLD, date_updated: OLD }
    await importRecords([
      ['stores', { id: 1, name: 'One', email: 'office@example.com' }],
      ...Array.from(
        { length: 40 },
        (_, index): Line => [
          'listings',
          { ...minimalListing, id: index + 1, photos: [{ original_image: photo(index) }] },
        ],
      ),
      ['enquiries', { ...spam, id: 1, listing_id: 1 }],
    ] as Parameters<typeof importRecords>[0])
    await execute(`update enquiries set status_date = '${OLD}'`)
    await beginBackup(bound, NIGHTS[0])
    await continueBackup(bound, LATER)
    const lines = await exported()
    const backup = await (await bucket.get(`${NAME}/manifest.json`))?.text()
    const part = await (await bucket.get(`${NAME}/part-001.ndjson.gz`))?.arrayBuffer()

    await emptyService()
    await bucket.put(`${NAME}/manifest.json`, backup ?? '')
    await bucket.put(`${NAME}/part-001.ndjson.gz`, part ?? '')
    await bucket.put('erased.json', '[]')
    for (let index = 0; index < 40; index++) await env.PHOTOS.put(photo(index), 'picture')
    await expectData(begin(NAME), { backup: NAME, date_started: DATE })
    const isListing = (line: string) => line.startsWith('{"entity":"listings"')
    const half = lines.filter((line) => !isListing(line) || JSON.parse(line).data.id <= 20)
    const { body } = await call('POST', '/admin/import', { body: half.join('\n') })
    expect(body.data.errors).toEqual([])
    await execute(`update enquiries set status_date = '${OLD}'`)
    await addWork()
    const before = await state()
    await passNights()
    await sendMails(bound, [ENQUIRY_MAILS])
    expect(await state()).toEqual(before)
    expect(await restoring()).toEqual({ backup: NAME, date_started: DATE })

    await call('POST', '/admin/import', { body: lines.join('\n') })
    expect(await exported()).toEqual(lines)
    await expectDone(remove('/admin/restore'), { deleted_id: NAME })
    expect(await restoring()).toBe(null)
    await execute(`update enquiries set status_date = '${OLD}'`)
    await passNights()
    const after = await state()
    expect(after).toMatchObject({ enquiries: 0, mails: 0, unmeasured: 0 })
    // Files of other tests may be swept by now.
    const kept = Array.from({ length: 40 }, (_, index) => photo(index))
    expect(after.photos).toEqual(expect.arrayContaining(kept))
    expect(after.backups).toContain('2026-11-28/manifest.json')
  })
})

describe('/admin/restore', () => {
  it('is begun in an empty service, for one backup, and begun again where it goes on', async () => {
    const data = { backup: NAME, date_started: DATE }
    for (const _ of [1, 2]) await expectData(begin(NAME), data)
    await expectError(begin('2026-11-27'), 409, `Being restored from ${NAME}`)
    const other = begin(NAME, [{ resource: 'contacts', id: 9 }], 'b'.repeat(64))
    await expectError(other, 409, `Being restored from another backup named ${NAME}`)
    expect(await selectAll('select * from id_floors')).toEqual([])
    await importRecords([
      ['languages', { id: 1, code: 'el', name: 'Ελληνικά' }],
      ['stores', { id: 1, name: 'One' }],
    ])
    await expectData(begin(NAME), data)
    await remove('/admin/restore')
    expect(
      await selectAll("select method, record_id from trail where route = '/admin/restore' order by id"),
    ).toEqual([
      ...[1, 2, 3].map(() => ({ method: 'PUT', record_id: NAME })),
      { method: 'DELETE', record_id: null },
    ])
    await expectError(remove('/admin/restore'), 404, 'Restore not found')
    await expectError(begin(NAME), 409, 'The service holds records')
    expect(await restoring()).toBe(null)
  })

  it.each(['languages', 'custom_fields', 'enquiries'] as const)(
    'is not begun in a service that holds only %s',
    async (entity) => {
      await importRecords([[entity, { ...SMALLEST[entity], id: 1 }]])
      await expectError(begin(NAME), 409, 'The service holds records')
    },
  )

  it('keeps new records above the ids of erased ones, also once others were removed', async () => {
    const above = ['contacts', 'requests', 'enquiries', 'external-listings'].map((resource, index) => ({
      resource,
      id: 1000 * (index + 1),
    }))
    await begin(NAME, above)
    // Lower ones of another list change nothing.
    await begin(NAME, [{ resource: 'contacts', id: 5 }])
    await seedRequests()
    await remove('/admin/restore')
    const contact = { first_name: 'Άννα', last_name: 'Ρήγα', created_by: 1 }
    const created = async (path: string, body: object) => {
      const answer = (await post(path, body)).body
      return answer.created_id ?? answer.data?.id ?? answer
    }
    const enquiry = { ...SMALLEST.enquiries }
    const request = { ...SMALLEST.requests, contacts: [1], users: [1] }
    for (const step of [1, 2]) {
      expect(await created('/api/contacts', contact)).toBe(1000 + step)
      expect(await created('/api/requests', request)).toBe(2000 + step)
      expect(await created('/api/enquiries', enquiry)).toBe(3000 + step)
      expect(await created('/api/external-listings', SMALLEST.external_listings ?? {})).toBe(4000 + step)
      // A purge removes rows, and their ids are not given again.
      await execute('delete from enquiries')
    }
    expect(await createListing()).toBe(1)
  })
})
