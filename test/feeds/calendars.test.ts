/** Calendars as phones read them: which events, which answers, and what ends them. */
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { send } from '../http/send.ts'
import { get, importRecords, post, put, remove, textOf } from '../support/api.ts'
import { counting, execute, failBefore } from '../support/database.ts'
import { seedAgency } from '../support/factories/agency.ts'
import { minimalListing } from '../support/factories/listing.ts'
import { readFeed } from './serving.ts'

type Values = Record<string, unknown>

/** Ten days before the clocks of Athens go forward. */
const NOW = '2031-03-20 10:00:00'
const CREATED = '2031-01-15 09:00:00'
const UPDATED = '2031-03-01 08:30:00'
/** 30 days before today, which has begun at 22:00 in UTC. */
const FIRST = '2031-02-17 22:00:00'
const LAST = '2032-04-22 22:00:00'

const SECRETS = { title: 'SECRET title', notes: 'SECRET note', feedback_text: 'SECRET feedback' }

/** Stores a record as it is, with its links to users and contacts. */
async function insert(one: 'appointment' | 'task', id: number, row: Values, links: Values): Promise<void> {
  const [names, values] = [Object.keys(row), Object.values(row)]
  await execute(
    `insert into ${one}s (id, ${names.join(', ')}) values (?${', ?'.repeat(names.length)})`,
    id,
    ...values,
  )
  for (const [name, ids] of Object.entries(links))
    await execute(
      `insert into ${one}_${name}s (${one}_id, ${name}_id, position) select ?, value, key from json_each(?)`,
      id,
      JSON.stringify(ids),
    )
}

const MADE = { created_by: 3, date_created: CREATED, date_updated: UPDATED }

const store = (id: number, { users = [1], contacts = [], ...values }: Values = {}) => {
  const times = { starts: '2031-03-25 08:00:00', ends: '2031-03-25 09:00:00' }
  const row = {
    type: 'viewing',
    status: 'confirmed',
    status_date: UPDATED,
    store_id: 1,
    ...times,
    ...SECRETS,
  }
  return insert('appointment', id, { ...row, ...MADE, ...values }, { user: users, contact: contacts })
}

const storeTask = (id: number, { contacts = [], ...values }: Values = {}) => {
  const texts = { title: 'SECRET title', notes: 'SECRET note', result: 'SECRET result' }
  const row = { user_id: 1, status: 'open', due: '2031-03-25', ...texts }
  return insert('task', id, { ...row, ...MADE, ...values }, { contact: contacts })
}

const EXTERNAL = { id: 1, store_id: 1, created_by: 1 }
const NAMES = { name_el: 'Α', name_en: 'A', full_name_el: 'Α', full_name_en: 'A' }
const PLACE = { id: 11, level: 2, parent_id: 1, ...NAMES }

const speakEnglish = () => importRecords([['settings', { key: 'mail_language', value: 'en' }]])

async function makeCalendar(values: Values = {}): Promise<string> {
  const { body } = await post('/admin/calendars', { user_id: 1, ...values })
  return new URL(body.data.url).pathname
}

/** The properties of each event, without its folds, `BEGIN` and `END`. */
async function eventsOf(path: string): Promise<Record<string, string>[]> {
  const { status, text } = await readFeed(path)
  expect(status).toBe(200)
  expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true)
  return [...text.replaceAll('\r\n ', '').matchAll(/BEGIN:VEVENT\r\n(.*?)END:VEVENT/gs)].map(
    ([, lines = '']) =>
      Object.fromEntries(
        lines
          .trimEnd()
          .split('\r\n')
          .map((line) => /^([^:]*):(.*)$/.exec(line)?.slice(1) ?? []),
      ),
  )
}

/** Which appointments a calendar has, with their status. */
const shownIn = async (path: string) =>
  (await eventsOf(path)).map(({ UID = '', STATUS }) => `${UID.replace(/^\d+-|@estia$/g, '')} ${STATUS}`)

const read = (path: string, tag = '') => readFeed(path, tag ? { 'If-None-Match': tag } : {})
const tagOf = async (path: string) => (await readFeed(path)).headers.get('ETag') ?? ''

let path = ''

beforeAll(async () => {
  await seedAgency()
  await importRecords([
    [
      'listings',
      {
        ...{ ...minimalListing, id: 1, status: 'active', code: 'RES-12', notes: 'SECRET listing' },
        location: { area_level1: 1, area_level2: 11, address: 'Ερμού 5' },
      },
    ],
    ['external_listings', { ...EXTERNAL, location: { address: 'Αθηνάς 7', area_level1: 1 } }],
    [
      'contacts',
      {
        ...{ id: 1, first_name: 'Μαρία', last_name: 'Παπά', created_by: 1, notes: 'SECRET contact' },
        phones: [
          { type: 'mobile', number: '6912345678', notes: 'SECRET phone' },
          { type: 'home', number: '2101234567' },
        ],
        emails: [{ email_address: 'SECRET@example.com' }],
      },
    ],
    ['contacts', { id: 4, company_name: 'ACME; ΑΕ', is_company: true, created_by: 1, phones: [] }],
  ])
})

beforeEach(async () => {
  vi.useFakeTimers({ now: new Date(`${NOW}Z`), toFake: ['Date'] })
  for (const table of ['users', 'contacts', 'former_users']) await execute(`delete from appointment_${table}`)
  for (const table of ['task_contacts', 'tasks', 'appointment_slots', 'appointments', 'calendars'])
    await execute(`delete from ${table}`)
  await execute("delete from settings where key in ('mail_language', 'time_zone')")
  path = await makeCalendar()
})

afterEach(() => void vi.useRealTimers())

const eventOf = (id: string, SEQUENCE: string, changed: string, STATUS: string) => ({
  ...{ UID: `20310115090000-${id}@estia`, SEQUENCE, STATUS },
  ...{ DTSTAMP: changed, 'LAST-MODIFIED': changed },
})
const inAthens = (starts: string, ends: string) => ({
  'DTSTART;TZID=Europe/Athens': starts,
  'DTEND;TZID=Europe/Athens': ends,
})

describe('events of a calendar', () => {
  const viewing = {
    ...{ listing_id: 1, contacts: [1, 4, 3], sequence: 2 },
    ...{ starts: '2031-03-30 00:30:00', ends: '2031-03-30 01:30:00' },
  }
  const common = {
    ...eventOf('31', '2', '20310301T083000Z', 'CONFIRMED'),
    ...inAthens('20310330T023000', '20310330T043000'),
  }

  it('say in brief what they are for, and the first names of contacts', async () => {
    await store(31, viewing)
    expect(await eventsOf(path)).toEqual([
      { ...common, SUMMARY: 'Υπόδειξη RES-12: Μαρία', LOCATION: 'Ερμού 5\\, Αθήνα' },
    ])
    const { text } = await readFeed(path)
    expect(text.split('\r\n').filter((line) => /^(NAME|REFRESH|TZID|METHOD)/.test(line))).toEqual([
      'REFRESH-INTERVAL;VALUE=DURATION:PT15M',
      'NAME:User One',
      'TZID:Europe/Athens',
    ])
  })

  it('have names and telephones in full, in the language of mails', async () => {
    await store(31, viewing)
    await speakEnglish()
    expect(await eventsOf(await makeCalendar({ detail: 'full' }))).toEqual([
      {
        ...common,
        SUMMARY: 'Viewing RES-12: Μαρία Παπά\\, ACME\\; ΑΕ',
        LOCATION: 'Ermou 5\\, Athens',
        DESCRIPTION: 'Μαρία Παπά: 6912345678\\, 2101234567',
      },
    ])
  })

  it('never have texts of the office', async () => {
    await store(1, { ...viewing, location: 'Σύνταγμα' })
    await storeTask(1, { status: 'done', contacts: [1] })
    for (const detail of ['brief', 'full']) {
      const { text } = await readFeed(await makeCalendar({ detail, tasks: true }))
      expect(text).toContain('Εργασία')
      expect(text).toContain('Σύνταγμα')
      expect(text).not.toMatch(/SECRET/i)
    }
  })

  it('are where they say, else where the property is', async () => {
    await store(1, { location: 'Σύνταγμα', listing_id: 1 })
    await store(2, { external_listing_id: 1 })
    await store(3, { type: 'meeting' })
    expect((await eventsOf(path)).map(({ LOCATION }) => LOCATION)).toEqual([
      'Σύνταγμα',
      'Αθηνάς 7\\, Αττική',
      undefined,
    ])
  })

  it('have the status that phones know', async () => {
    for (const [index, status] of ['proposed', 'confirmed', 'done', 'no_show', 'cancelled'].entries())
      await store(index + 1, { status })
    await store(6, { is_deleted: 1 })
    expect(await shownIn(path)).toEqual([
      '1 TENTATIVE',
      ...['2 CONFIRMED', '3 CONFIRMED', '4 CONFIRMED', '5 CANCELLED', '6 CANCELLED'],
    ])
  })

  it('are whole days for absences that last whole days of the time zone', async () => {
    const days = { starts: '2031-03-28 22:00:00', ends: '2031-03-30 21:00:00' }
    await store(1, { type: 'absence', ...days })
    await store(2, { type: 'meeting', ...days })
    await store(3, { type: 'absence', ...days, starts: '2031-03-29 07:00:00' })
    const spans = (await eventsOf(path)).map((event) =>
      ['START', 'END'].map((bound) =>
        Object.entries(event)
          .find(([key]) => key.startsWith(`DT${bound}`))
          ?.join(':'),
      ),
    )
    const [day, zone] = ['VALUE=DATE', 'TZID=Europe/Athens']
    expect(spans).toEqual([
      [`DTSTART;${day}:20310329`, `DTEND;${day}:20310331`],
      [`DTSTART;${zone}:20310329T000000`, `DTEND;${zone}:20310331T000000`],
      [`DTSTART;${zone}:20310329T090000`, `DTEND;${zone}:20310331T000000`],
    ])
  })

  it('are from 30 days before today to 400 after it, in their order', async () => {
    const long = { type: 'absence', starts: '2031-01-18 10:00:00' }
    await store(1, { starts: LAST, ends: '2032-04-22 23:00:00' })
    await store(2, { starts: '2032-04-22 21:59:59', ends: '2032-05-10 00:00:00' })
    await store(3, { starts: '2031-02-17 21:00:00', ends: FIRST })
    await store(4, { starts: '2031-02-17 21:00:00', ends: '2031-02-17 22:00:01' })
    await store(5, { ...long, ends: FIRST })
    await store(6, { ...long, ends: '2031-02-17 22:00:01' })
    expect(await shownIn(path)).toEqual(['6 CONFIRMED', '4 CONFIRMED', '2 CONFIRMED'])
  })

  it('stay for 30 days once cancelled or deleted', async () => {
    const [late, early] = [FIRST, '2031-02-17 21:59:59']
    await store(1, { status: 'cancelled', status_date: late })
    await store(2, { status: 'cancelled', status_date: early })
    await store(3, { is_deleted: 1, date_updated: late })
    await store(4, { is_deleted: 1, date_updated: early })
    expect(await shownIn(path)).toEqual(['1 CANCELLED', '3 CANCELLED'])
  })

  it('are the first 2,000', async () => {
    await execute(`with recursive numbers as (select 1 as n union all select n + 1 from numbers where n < 2010)
      insert into appointments (id, type, status, status_date, starts, ends, store_id, created_by, date_created, date_updated)
        select n, 'other', 'confirmed', '${UPDATED}', datetime('${NOW}', n || ' minutes'), datetime('${NOW}', (n + 5) || ' minutes'),
          1, 1, '${CREATED}', '${UPDATED}' from numbers`)
    await execute(
      'insert into appointment_users (appointment_id, user_id, position) select id, 1, 0 from appointments',
    )
    const shown = await shownIn(path)
    expect([shown.length, shown[0], shown.at(-1)]).toEqual([2000, '1 CONFIRMED', '2000 CONFIRMED'])
  })

  it('name contacts who are deleted or erased no more', async () => {
    await importRecords([['contacts', { id: 8, first_name: 'Ελένη', created_by: 1 }]])
    await importRecords([['contacts', { id: 9, first_name: 'Άννα', created_by: 1 }]])
    await store(1, { contacts: [8, 9, 1] })
    const summary = async () => (await eventsOf(path))[0]?.SUMMARY
    expect(await summary()).toBe('Υπόδειξη: Ελένη, Άννα, Μαρία'.replaceAll(',', '\\,'))
    await remove('/api/contacts/8')
    expect(await summary()).toBe('Υπόδειξη: Άννα\\, Μαρία')
    const before = await tagOf(path)
    expect((await post('/admin/contacts/9/erase', { reason: 'GDPR' })).status).toBe(200)
    expect(await summary()).toBe('Υπόδειξη: Μαρία')
    expect(await tagOf(path)).not.toBe(before)
  })
})

describe('appointments of others', () => {
  const gone = (id: number, user: number, date: string) =>
    execute(
      `insert into appointment_former_users (appointment_id, user_id, date, type, starts, ends, sequence, listing_id)
        select id, ?, ?, type, starts, ends, sequence, listing_id from appointments where id = ?`,
      user,
      date,
      id,
    )

  it('are not there', async () => {
    await store(1, { users: [2] })
    await store(2, { users: [2, 1] })
    await store(3, { users: [] })
    expect(await shownIn(path)).toEqual(['2 CONFIRMED'])
    expect(await shownIn(await makeCalendar({ user_id: 2 }))).toEqual(['1 CONFIRMED', '2 CONFIRMED'])
    expect(await shownIn(await makeCalendar({ user_id: 3 }))).toEqual([])
  })

  it('stay for 30 days as cancelled with those who were taken off, without what became of them', async () => {
    const values = { users: [2], listing_id: 1, contacts: [1], location: 'Σύνταγμα', sequence: 4 }
    await store(1, values)
    await store(2, values)
    await store(3, { users: [1] })
    await gone(1, 1, '2031-02-20 12:00:00')
    await gone(2, 1, '2031-02-17 21:59:59')
    // Somebody who was put on again.
    await gone(3, 1, '2031-03-20 09:00:00')
    expect(await shownIn(path)).toEqual(['1 CANCELLED', '3 CONFIRMED'])
    expect((await eventsOf(await makeCalendar({ detail: 'full' })))[0]).toEqual({
      ...eventOf('1', '4', '20310220T120000Z', 'CANCELLED'),
      ...inAthens('20310325T100000', '20310325T110000'),
      SUMMARY: 'Υπόδειξη RES-12',
    })
  })

  it('stay as they were when the user was taken off, whatever others make of them', async () => {
    await store(1, { users: [1, 2], listing_id: 1, sequence: 4 })
    await put('/api/appointments/1', { users: [2] })
    const [before] = await eventsOf(path)
    expect(before).toMatchObject({ SEQUENCE: '4', STATUS: 'CANCELLED', SUMMARY: 'Υπόδειξη RES-12' })
    const other = { external_listing_id: 1, listing_id: null, type: 'valuation' }
    const moved = { starts: '2031-05-05 10:00:00', ends: '2031-05-05 10:30:00', location: 'Σύνταγμα' }
    expect((await put('/api/appointments/1', { ...other, ...moved })).status).toBe(200)
    expect(await eventsOf(path)).toEqual([before])
    // Beyond what the calendar has.
    await put('/api/appointments/1', { starts: '2033-05-05 10:00:00', ends: '2033-05-05 10:30:00' })
    expect(await eventsOf(path)).toEqual([before])
    await put('/api/appointments/1', { users: [2, 1] })
    expect(await eventsOf(path)).toEqual([])
  })

  it('are not there if they become so while the file is made', async () => {
    await store(1, {})
    await store(2, {})
    const meanwhile = () => execute('delete from appointment_users where appointment_id = 1')
    const { text } = await readFeed(path, {}, { DB: failBefore(/left join/, meanwhile) })
    expect(text).toContain('-2@estia')
    expect(text).not.toContain('-1@estia')
  })
})

describe('tasks', () => {
  const common = {
    ...eventOf('task-31', '4', '20310301T083000Z', 'CONFIRMED'),
    ...{ 'DTSTART;VALUE=DATE': '20310331', 'DTEND;VALUE=DATE': '20310401', TRANSP: 'TRANSPARENT' },
  }
  const task = { due: '2031-03-31', listing_id: 1, contacts: [1, 4], version: 4 }
  const withTasks = (values: Values = {}) => makeCalendar({ tasks: true, ...values })

  it('are the days when they are due, in calendars that are to have them, and say no more than appointments', async () => {
    await storeTask(31, task)
    await store(31, { listing_id: 1 })
    expect(await shownIn(path)).toEqual(['31 CONFIRMED'])
    const [appointment, ...tasks] = await eventsOf(await withTasks())
    expect(appointment?.UID).toBe('20310115090000-31@estia')
    const place = 'Ερμού 5\\, Αθήνα'
    expect(tasks).toEqual([{ ...common, SUMMARY: 'Εργασία RES-12: Μαρία', LOCATION: place }])
    await speakEnglish()
    expect((await eventsOf(await withTasks({ detail: 'full' })))[1]).toEqual({
      ...common,
      SUMMARY: 'Task RES-12: Μαρία Παπά\\, ACME\\; ΑΕ',
      LOCATION: 'Ermou 5\\, Athens',
      DESCRIPTION: 'Μαρία Παπά: 6912345678\\, 2101234567',
    })
  })

  it('are those of the user that are due from 30 days before today to 400 after it', async () => {
    await storeTask(1, { due: '2032-04-23' })
    await storeTask(2, { due: '2032-04-22' })
    await storeTask(3, { due: '2031-02-18' })
    await storeTask(4, { due: '2031-02-17' })
    await storeTask(5, { due: null })
    await storeTask(6, { user_id: 2 })
    const shown = await shownIn(await withTasks())
    expect(shown).toEqual(['task-3 CONFIRMED', 'task-2 CONFIRMED'])
  })
})

describe('a calendar', () => {
  it('is private, and the same by HEAD', async () => {
    await store(1)
    const { status, headers, text } = await readFeed(path)
    expect([status, headers.get('Content-Type')]).toEqual([200, 'text/calendar; charset=utf-8'])
    expect(headers.get('Cache-Control')).toBe('private, max-age=300')
    expect(headers.get('ETag')).toMatch(/^"[0-9a-f]{32}"$/)
    expect(headers.get('Last-Modified')).toBeNull()
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    expect(text.split('\r\n').filter((line) => Buffer.byteLength(line) > 75)).toEqual([])
    const head = await send('HEAD', path)
    const own = (all: Headers) =>
      [...all].filter(([name]) => !['x-request-id', 'transfer-encoding', 'content-length'].includes(name))
    expect([head.status, own(head.headers), await textOf(head)]).toEqual([200, own(headers), ''])
    expect((await send('POST', path)).status).toBe(405)
  })

  it('is not found by any URL but its own, and all answer alike', async () => {
    const answers = async (...paths: string[]) => {
      const all = await Promise.all(paths.map((one) => readFeed(one)))
      return all.map(({ status, headers, text }) => {
        headers.delete('X-Request-Id')
        return JSON.stringify([status, text, [...headers]])
      })
    }
    const left = await makeCalendar({ user_id: 3 })
    const [rotated, deleted, own] = [await makeCalendar(), await makeCalendar(), path.slice(0, -4)]
    await importRecords([['users', { id: 3, name: 'User Three', is_active: false }]])
    const [, , second, third] = (await get('/admin/calendars')).body.data
    await post(`/admin/calendars/${second.id}/rotate`, {})
    await remove(`/admin/calendars/${third.id}`)
    const capitals = own.replace(/[0-9a-f]{32}/, 'A'.repeat(32))
    const unknown = await answers(
      ...[`/calendars/${'0'.repeat(32)}.ics`, left, rotated, deleted, '/calendars/1.ics'],
      ...[own, `${own}.ICS`, `${own}.ics.ics`, `${capitals}.ics`],
    )
    expect(new Set(unknown).size).toBe(1)
    expect(unknown[0]).toContain('[404,"{\\"status\\":404,\\"error_message\\":\\"Not found\\"}"')
    expect(unknown[0]).toContain('["cache-control","no-store"]')
    await importRecords([['users', { id: 3, name: 'User Three', is_active: true }]])
    expect((await readFeed(left)).status).toBe(200)
  })

  it('is an error as a whole if the database fails before its first byte', async () => {
    await store(1)
    const fail = () => Promise.reject(new Error('D1_ERROR: broken'))
    const failing = { prepare: () => ({ bind: () => ({ all: fail }) }), batch: fail } as unknown as D1Database
    const { status, headers } = await readFeed(path, {}, { DB: failing })
    expect([status, headers.get('ETag'), headers.get('Cache-Control')]).toEqual([500, null, 'no-store'])
  })
})

describe('a conditional call', () => {
  it('gets 304 in one round trip as long as nothing changes', async () => {
    await store(1)
    const tag = await tagOf(path)
    const { DB, batches } = counting()
    const { status, headers, text } = await readFeed(path, { 'If-None-Match': `"x", W/${tag}` }, { DB })
    expect([status, text, headers.get('ETag')]).toEqual([304, '', tag])
    expect(batches()).toBe(1)
    // Later today, in Athens.
    vi.setSystemTime(new Date('2031-03-20T21:59:59Z'))
    expect((await read(path, tag)).status).toBe(304)
    vi.setSystemTime(new Date('2031-03-20T22:00:00Z'))
    expect((await read(path, tag)).status).toBe(200)
  })

  it.each<[string, () => Promise<unknown>]>([
    ['a new appointment', () => store(2)],
    ['a task', () => put('/api/tasks/1', { due: '2031-03-26' })],
    ['a moved one', () => put('/api/appointments/1', { ends: '2031-03-25 09:30:00' })],
    ['one with other users', () => put('/api/appointments/1', { users: [2] })],
    ['one with other contacts', () => put('/api/appointments/1', { contacts: [2] })],
    ['a deleted one', () => remove('/api/appointments/1')],
    ['the code of a listing', () => importRecords([['listings', { id: 1, code: 'RES-13' }]])],
    ['the address of a listing', () => put('/api/listings/1', { location: { address: 'Ερμού 6' } })],
    [
      'the address of an external listing',
      () => importRecords([['external_listings', { ...EXTERNAL, location: { address: 'x' } }]]),
    ],
    ['the name of a contact', () => put('/api/contacts/1', { first_name: 'Μάρω' })],
    ['a telephone', () => put('/api/contacts/1', { phones: [{ number: '6900000000' }] })],
    ['a deleted contact', () => remove('/api/contacts/2')],
    ['the name of the user', () => importRecords([['users', { id: 1, name: 'User I' }]])],
    ['the name of a place', () => importRecords([['locations', PLACE]])],
    ['the time zone', () => importRecords([['settings', { key: 'time_zone', value: 'Europe/London' }]])],
    ['the language', speakEnglish],
    ['the calendar', () => execute("update calendars set detail = 'full', version = version + 1")],
    ['another database', () => execute("update change_feed set deployment = 'other'")],
  ])('gets 200 after a change of %s', async (_, change) => {
    await store(1, { listing_id: 1, contacts: [1, 2] })
    await storeTask(1)
    const tag = await tagOf(path)
    await change()
    const { status, headers } = await read(path, tag)
    expect([status, headers.get('ETag') === tag]).toEqual([200, false])
  })
})
