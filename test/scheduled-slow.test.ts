/** Runs of cron beside each other, where D1 takes two seconds for each call, and where a run is cut off. */
import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { EVERY_MINUTE, runScheduled } from '../src/scheduled.ts'
import { silenceLog } from './http/send.ts'
import { databaseAround, execute, selectAll, selectFirst } from './support/database.ts'
import { seedAgency } from './support/factories/agency.ts'

/** How much faster time passes here. */
const PACE = 40
const CONTACTS = 1500

let lines: string[] = []
const realNow = Date.now.bind(Date)

beforeAll(seedAgency)

beforeEach(() => {
  lines = silenceLog()
})

const runCron = (DB = env.DB) => runScheduled({ cron: EVERY_MINUTE }, { ...env, DB })
const logged = () => lines.map((line) => JSON.parse(line))
const skipped = () => logged().filter((line) => line.skipped)
const left = () =>
  selectFirst<{ left: number }>("select count(*) as left from contacts where search = 'other'")

/** The database, which takes so many milliseconds for a call. */
const slow = (milliseconds: number) =>
  databaseAround(async (send) => {
    await new Promise((resolve) => setTimeout(resolve, milliseconds / PACE))
    return send()
  })

/** Makes time pass faster. */
function hasten(): void {
  const start = realNow()
  vi.spyOn(Date, 'now').mockImplementation(() => start + (realNow() - start) * PACE)
  const realInterval = globalThis.setInterval
  vi.stubGlobal('setInterval', (work: () => void, pause: number) => realInterval(work, pause / PACE))
}

it('does not overlap where D1 is slow, and each goes on where the last one stopped', {
  tags: 'slow',
  timeout: 60_000,
}, async () => {
  await execute(`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${CONTACTS})
    insert into contacts (first_name, last_name, created_by, date_created, date_updated, search)
    select n, '', 1, '2026-01-01 00:00:00', '2026-01-01 00:00:00', 'other' from numbers`)
  hasten()
  let [atWork, most] = [0, 0]
  const runs: Promise<void>[] = []
  const begin = async () => {
    const before = skipped().length
    const running = runCron(slow(2000))
    await new Promise((resolve) => setTimeout(resolve, 3000 / PACE))
    if (skipped().length > before) return running
    most = Math.max(most, ++atWork)
    return running.finally(() => atWork--)
  }
  const counts = [(await left())?.left ?? 0]
  while ((counts.at(-1) ?? 0) > 0 && runs.length < 60) {
    runs.push(begin())
    await new Promise((resolve) => setTimeout(resolve, 60_000 / PACE))
    counts.push((await left())?.left ?? 0)
  }
  await Promise.all(runs)
  expect(most).toBe(1)
  expect(counts.at(-1)).toBe(0)
  // No run did all, and each has come further.
  expect(counts.length).toBeGreaterThan(3)
  const jobs = logged().filter(({ job }) => job)
  expect(jobs.filter(({ level }) => level !== 'info')).toEqual([])
  // Ten calls in 20 seconds, and what a portion that has begun still needs.
  expect(
    Math.max(...jobs.filter(({ job }) => job === 'search_texts').map(({ calls }) => calls)),
  ).toBeLessThan(16)
})

it('renews its lease while a portion takes longer', async () => {
  hasten()
  let atWork = 0
  const DB = databaseAround(async (send, texts) => {
    if (texts.join().includes('from changes where resource')) {
      atWork++
      await new Promise((resolve) => setTimeout(resolve, 80_000 / PACE))
    }
    return send()
  })
  const running = runCron(DB)
  await new Promise((resolve) => setTimeout(resolve, 60_000 / PACE))
  await runCron()
  expect([skipped().length, atWork]).toEqual([1, 1])
  await running
  expect(logged().filter(({ level }) => level !== 'info')).toEqual([])
  expect(await selectAll('select until from job_leases')).toEqual([{ until: 0 }])
})

it('waits for the end of the lease of one that was cut off, which then stores nothing more', async () => {
  await execute("update contacts set search = 'other' where id = (select max(id) from contacts)")
  await execute("delete from derivations where name = 'contacts.search'")
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const calls: string[] = []
  const DB = databaseAround(async (send, texts) => {
    const text = texts.join()
    calls.push(text)
    if (!text.startsWith('insert into job_leases')) await held
    return send()
  })
  const cutOff = runCron(DB)
  await new Promise((resolve) => setTimeout(resolve, 20))
  await Promise.all([runCron(), runCron()])
  expect(skipped()).toHaveLength(2)
  expect((await left())?.left).toBe(1)
  const later = Date.now() + 41_000
  vi.spyOn(Date, 'now').mockImplementation(() => later)
  await runCron()
  expect([skipped().length, (await left())?.left]).toEqual([2, 0])
  const begun = calls.length
  lines.length = 0
  release()
  await cutOff
  // But for how it went.
  expect(calls.slice(begun).filter((text) => !text.includes('job_'))).toEqual([])
  expect(
    logged().filter(({ error }) => error === 'Error: The run has taken too long').length,
  ).toBeGreaterThan(0)
  // The lease is that of no run, as the later one has ended.
  expect(await selectAll('select until from job_leases')).toEqual([{ until: 0 }])
})

it('begins once where several begin at the same moment, also if the claim seems to fail', async () => {
  let fails = true
  const DB = databaseAround(async (send, texts) => {
    const result = await send()
    if (!fails || !texts.join().includes('job_leases')) return result
    fails = false
    throw new Error('D1_ERROR: Network connection lost.')
  })
  await Promise.all([runCron(DB), runCron(), runCron()])
  expect(skipped()).toHaveLength(2)
  await runCron()
  expect(skipped()).toHaveLength(2)
})

it('waits for no run whose clock was ahead', async () => {
  const until = Date.now() + 3_600_000
  await execute("update job_leases set until = ?, run = 'another'", until)
  await runCron()
  expect(skipped()).toEqual([])
})

it.each([
  ['its claim was lost', 'insert into job_leases', true],
  ['its end was not noted', 'update job_leases', false],
])('after a fault, the run of the next minute goes on: %s', async (_, lost, isStored) => {
  const mark = async () => {
    await execute("update contacts set search = 'other' where id = (select max(id) from contacts)")
    await execute("delete from derivations where name = 'contacts.search'")
  }
  const start = Date.now()
  const DB = databaseAround(async (send, texts) => {
    if (!texts.join().includes(lost)) return send()
    if (isStored) await send()
    throw new Error('D1_ERROR: Network connection lost.')
  })
  await runCron(DB).catch(() => undefined)
  expect(await selectAll('select until > 0 as held from job_leases')).toEqual([{ held: 1 }])
  await mark()
  vi.spyOn(Date, 'now').mockImplementation(() => start + 59_000)
  await runCron()
  expect([skipped(), (await left())?.left]).toEqual([[], 0])
})
