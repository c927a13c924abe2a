/** Notifies people of appointments by mail. */
import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { NOTICE_MAILS } from '../../../src/resources/appointments/notice-mail.ts'
import { sendMails } from '../../../src/resources/mails/queue.ts'
import { silenceLog } from '../../http/send.ts'
import { type CallOptions, call, type Data, get, importRecords, keyOf } from '../../support/api.ts'
import { databaseAround, execute, selectAll } from '../../support/database.ts'
import { DATE } from '../../support/factories/dates.ts'
import { bindingsOf, FROM, Mailbox } from '../../support/mailbox.ts'
import { lastEntry } from '../../support/trail.ts'
import { expectSameAfterReimport, importLine } from '../../support/transfer.ts'
import { MINIMAL } from '../enquiries/seed.ts'
import { seedDeals } from '../offers/seed.ts'
import { emptyDiary } from './seed.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const ONE = 'one@example.com'
const TWO = 'two@example.com'
const VISITOR = 'visitor@example.com'
const OWNER = 'owner@example.com'
/** Far enough that no run of the tests reaches it. Summer in Athens. */
const BODY = {
  type: 'viewing',
  starts: '2099-07-01 09:00:00',
  ends: '2099-07-01 09:30:00',
  listing_id: 1,
  users: [2],
  contacts: [2],
}

let mailbox: Mailbox
/** The key of user 1. */
let key: string

beforeAll(async () => {
  await seedDeals()
  key = await keyOf(1)
})

beforeEach(async () => {
  silenceLog()
  mailbox = new Mailbox()
  await emptyDiary()
  await importRecords([
    ['stores', { id: 1, name: 'Center', phone: '210 1' }],
    ['users', { id: 1, name: 'User One', email: ONE, store_id: 1 }],
    ['users', { id: 2, name: 'User Two', email: TWO, store_id: 2, phone: null, is_active: true }],
    ['contacts', contact(1, OWNER)],
    ['contacts', contact(2, VISITOR)],
    ['listings', { id: 1, contacts: [1], code: 'RES-00001' }],
    ['settings', { key: 'mail_language', value: 'en' }],
    ['settings', { key: 'appointment_mails', value: true }],
  ])
})

const contact = (id: number, email: string | null): Data => ({
  id,
  emails: email === null ? [] : [{ type: '', email_address: email, notes: '' }],
  created_by: 1,
})

/** Calls as user 1, of a deployment that sends mails. */
const as1 = (method: string, path: string, body?: Data, options: CallOptions = {}) =>
  call(method, path, { body, key, bindings: bindingsOf(mailbox), ...options })
const book = (body: Data = {}, options?: CallOptions) =>
  as1('POST', '/api/appointments', { ...BODY, ...body }, options)
/** Stores an appointment without any mail, and returns its path. */
async function stored(body: Data = {}): Promise<string> {
  const { body: reply } = await book(body, { bindings: {} })
  return `/api/appointments/${reply.created_id}`
}
/** Books, and returns the path of the appointment. */
const booked = async (body?: Data) => `/api/appointments/${(await book(body)).body.created_id}`
const cron = (later = 0) =>
  sendMails({ ...env, ...bindingsOf(mailbox) }, [NOTICE_MAILS], () => Date.now() + later)
const notified = async (path: string) => (await get(path)).body.data.notified
/** What went out, to whom: the first line and the time of each mail. */
const sent = () =>
  mailbox.mails.map(({ to, text = '' }) => [to, text.split('\n')[0], /^Time: \D+(.*) \(/m.exec(text)?.[1]])
const sorted = <T>(list: readonly T[]) =>
  list.toSorted((one, other) => (String(one) < String(other) ? -1 : 1))
const waiting = () =>
  selectAll(
    'select party, recipient_id, event, tries from appointment_notices where next_try is not null order by notice_id',
  )
/** The attached calendar, unfolded. */
const calendarOf = ({ attachments = [] }: EmailMessageBuilder) =>
  new TextDecoder().decode(attachments[0]?.content as ArrayBuffer).replaceAll('\r\n ', '')

/** What an appointment says of mails about an event: to user 2, and to visitor and owner. */
const toAgent = (event: string) => ({ party: 'agent', id: 2, event, date: DATE })
const toAll = (event: string) => [
  toAgent(event),
  { party: 'visitor', id: 2, event, date: DATE },
  { party: 'owner', id: 1, event, date: DATE },
]

const MOVED_ONCE = { starts: '2099-07-01 10:00:00', ends: '2099-07-01 10:30:00' }
const MOVED_TWICE = { starts: '2099-07-02 10:00:00', ends: '2099-07-02 10:30:00' }
const PAST = { starts: '2020-01-01 10:00:00', ends: '2020-01-01 11:00:00' }
const ALL = { notify: ['visitor', 'owner'] }
const CANCELLED = { to: 'cancelled' }

describe('the mail', () => {
  it('says when and where, and whom to call, with a calendar for mail programs', async () => {
    const { body, headers } = await book({ ...ALL, location: 'Ερμού 5', title: 'Secret', notes: 'Secret' })
    expect(headers.get('X-Not-Notified')).toBeNull()
    const mail = mailbox.mails.find(({ to }) => to === VISITOR)
    const { attachments, ...rest } = mail ?? {}
    expect(rest).toEqual({
      from: FROM,
      to: VISITOR,
      replyTo: TWO,
      subject: 'New appointment: Viewing, RES-00001, Wednesday, 1 July 2099 at 12:00',
      text: `New appointment

Type: Viewing
Time: Wednesday, 1 July 2099 at 12:00 – 12:30 (Europe/Athens)
Listing: RES-00001
Place: Ερμού 5
Agent: User Two
Phone: 210 1`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    })
    expect(attachments).toEqual([
      {
        disposition: 'attachment',
        filename: 'appointment.ics',
        type: 'text/calendar; charset=utf-8; method=REQUEST',
        content: expect.any(ArrayBuffer),
      },
    ])
    const { date_created } = (await get(`/api/appointments/${body.created_id}`)).body.data
    const lines = calendarOf(mail as EmailMessageBuilder).split('\r\n')
    expect(lines).toEqual(
      expect.arrayContaining([
        'METHOD:REQUEST',
        `UID:${date_created.replace(/\D/g, '')}-${body.created_id}@estia`,
        'SEQUENCE:0',
        'STATUS:TENTATIVE',
        'DTSTART;TZID=Europe/Athens:20990701T120000',
        'DTEND;TZID=Europe/Athens:20990701T123000',
        'SUMMARY:Viewing\\, RES-00001',
        'LOCATION:Ερμού 5',
        `ORGANIZER;CN="User Two":mailto:${FROM}`,
        `ATTENDEE;CN="Owner Two":mailto:${VISITOR}`,
      ]),
    )
    // Of the others who come, and of what the agency notes, nothing.
    const whole = JSON.stringify([rest, lines])
    expect(whole).not.toMatch(/Secret|owner@|Owner One/)
  })

  it('is in Greek unless the settings say otherwise, with the phone of the user, and for users without an address for answers', async () => {
    await execute(`delete from settings where key = 'mail_language'`)
    await importLine('users', { id: 2, phone: '690 2' })
    await book({ type: 'meeting', listing_id: null, ends: '2099-07-02 09:30:00' })
    expect(mailbox.mails).toMatchObject([
      {
        to: TWO,
        subject: 'Νέο ραντεβού: Συνάντηση, Τετάρτη 1 Ιουλίου 2099 στις 12:00',
        text: `Νέο ραντεβού

Είδος: Συνάντηση
Ώρα: Τετάρτη 1 Ιουλίου 2099 στις 12:00 – Πέμπτη 2 Ιουλίου 2099 στις 12:30 (Europe/Athens)
Συνεργάτης: User Two
Τηλέφωνο: 690 2`,
      },
    ])
    expect(mailbox.mails[0]).not.toHaveProperty('replyTo')
  })

  it('keeps names, codes and places out of the headers and lines of mail and calendar', async () => {
    const evil = 'A"\r\nBcc: x@evil.example\r\nEND:VEVENT\r\n=?UTF-8?B?eA==?=\u202e'
    await execute(`update listings set code = ? where id = 1`, evil)
    await execute(`update contacts set last_name = ? where id = 2`, evil)
    await execute(`update users set name = ?, phone = ? where id = 2`, evil, evil)
    await book({ ...ALL, location: evil })
    expect(mailbox.mails).toHaveLength(3)
    for (const mail of mailbox.mails) {
      const { subject, to, from, replyTo, headers, attachments } = mail
      expect(subject).not.toMatch(/[\r\n\u202e]|=\?/)
      expect([to, from, replyTo ?? TWO, headers]).toEqual([
        expect.stringMatching(/^\w+@example\.com$/),
        FROM,
        TWO,
        { 'Auto-Submitted': 'auto-generated' },
      ])
      expect(attachments).toMatchObject([{ filename: 'appointment.ics' }])
      const lines = calendarOf(mail).split('\r\n')
      expect(lines.filter((line) => /^(?:END:VEVENT|Bcc)/.test(line))).toEqual(['END:VEVENT'])
      expect(lines.filter((line) => /^ATTENDEE|^ORGANIZER/.test(line)).join()).not.toMatch(/""|A"(?!:)/)
    }
    expect(mailbox.mails.every(({ text = '' }) => !/^END:VEVENT/m.test(text))).toBe(true)
  })

  it.each<[string, string | null, string | null]>([
    ['among others', 'Anna <anna@example.com>; other@example.com', 'anna@example.com'],
    [
      'that cannot be',
      `a@b\r\nBcc: x@evil.example, ${'a'.repeat(65)}@b.example, .a@b.example`,
      'x@evil.example',
    ],
    ['that is none', 'none', null],
    ['at all', null, null],
  ])('goes to the first address of a contact: one %s', async (_, address, to) => {
    await importLine('contacts', contact(2, address))
    const { headers } = await book({ notify: ['visitor'], users: [1] })
    expect([mailbox.mails.map((mail) => mail.to), headers.get('X-Not-Notified')]).toEqual(
      to === null ? [[], 'visitor'] : [[to], null],
    )
  })
})

describe('a booking, moved twice and cancelled', () => {
  const STEPS: [method: string, path: string, body: Data][] = [
    ['PUT', '', MOVED_ONCE],
    ['PUT', '', MOVED_TWICE],
    ['POST', '/status', CANCELLED],
  ]

  it('is mailed step by step, to users, visitor and owner', async () => {
    const path = await booked(ALL)
    for (const [method, end, step] of STEPS) await as1(method, path + end, { ...step, ...ALL })
    const mails = [
      ['New appointment', '1 July 2099 at 12:00 – 12:30'],
      ['Appointment changed', '1 July 2099 at 13:00 – 13:30'],
      ['Appointment changed', '2 July 2099 at 13:00 – 13:30'],
      ['Appointment cancelled', '2 July 2099 at 13:00 – 13:30'],
    ]
    expect(sorted(sent())).toEqual(
      sorted(mails.flatMap((mail) => [OWNER, TWO, VISITOR].map((to) => [to, ...mail]))),
    )
    expect(await notified(path)).toEqual(['booked', 'moved', 'moved', 'cancelled'].flatMap(toAll))
    const ofVisitor = mailbox.mails.filter(({ to }) => to === VISITOR).map(calendarOf)
    const facts = ofVisitor.map((text) => /METHOD:(\w+).*SEQUENCE:(\d).*STATUS:(\w+)/s.exec(text)?.slice(1))
    expect(facts).toEqual([
      ['REQUEST', '0', 'TENTATIVE'],
      ['REQUEST', '1', 'TENTATIVE'],
      ['REQUEST', '2', 'TENTATIVE'],
      ['CANCEL', '2', 'CANCELLED'],
    ])
    expect(new Set(ofVisitor.map((text) => /^UID:.*/m.exec(text)?.[0])).size).toBe(1)
  })

  it.each<[string, number, string[][]]>([
    ['booked', 0, [['New appointment', '1 July 2099 at 12:00 – 12:30']]],
    ['moved once', 1, [['New appointment', '1 July 2099 at 13:00 – 13:30']]],
    ['moved twice', 2, [['New appointment', '2 July 2099 at 13:00 – 13:30']]],
    ['cancelled', 3, []],
  ])(
    'while the mail service refuses mails: only the newest state goes out, once %s',
    async (_, steps, mails) => {
      mailbox.failures = Number.POSITIVE_INFINITY
      const path = await booked()
      for (const [method, end, step] of STEPS.slice(0, steps)) await as1(method, path + end, step)
      mailbox.failures = 0
      await cron(DAY / 2)
      await cron(DAY / 2)
      expect(sent()).toEqual(mails.map((mail) => [TWO, ...mail]))
      expect(await notified(path)).toEqual(mails.map(() => toAgent('booked')))
      expect(await waiting()).toEqual([])
    },
  )

  it('is cancelled by mail where the booking may have been sent', async () => {
    mailbox.meanwhile = async () => {
      throw new Error('Network connection lost')
    }
    const path = await booked()
    mailbox.meanwhile = async () => undefined
    await as1('POST', `${path}/status`, CANCELLED)
    expect(sent()).toEqual([[TWO, 'Appointment cancelled', '1 July 2099 at 12:00 – 12:30']])
  })

  it('while a mail is under way: that is sent, and then the newest', async () => {
    mailbox.meanwhile = async () => {
      mailbox.meanwhile = async () => undefined
      const [row] = await selectAll<{ id: number }>('select max(id) as id from appointments')
      await as1('PUT', `/api/appointments/${row?.id}`, MOVED_ONCE)
    }
    const path = await booked()
    await cron()
    expect(sorted(sent())).toEqual([
      [TWO, 'Appointment changed', '1 July 2099 at 13:00 – 13:30'],
      [TWO, 'New appointment', '1 July 2099 at 12:00 – 12:30'],
    ])
    expect(await notified(path)).toEqual([toAgent('moved')])
  })
})

describe('who is notified', () => {
  const unwanted = { key: 'appointment_mails', value: false }
  const toBook = (body: Data, bindings?: Partial<Env>) =>
    book({ ...MOVED_TWICE, ...body }, bindings && { bindings })
  const toMove = async (user: Data) => {
    const path = await stored()
    await importLine('users', { id: 2, ...user })
    await as1('PUT', path, MOVED_ONCE)
  }

  it.each<[string, () => Promise<unknown>]>([
    ['the user who writes', () => toBook({ users: [1] })],
    [
      'users of an agency that does not want it',
      () => importLine('settings', unwanted).then(() => toBook({})),
    ],
    ['users who have left', () => toMove({ is_active: false })],
    ['users without an address', () => toMove({ email: null })],
    ['of what is past', () => toBook(PAST)],
    ['by a deployment that sends no mails', () => toBook({}, {})],
    ['by one without a sender', () => toBook({}, { ...bindingsOf(mailbox), MAIL_FROM: '' })],
  ])('not %s', async (_, write) => {
    await write()
    expect([mailbox.tries, await selectAll('select * from appointment_notices')]).toEqual([0, []])
  })

  it('by a program: all its users', async () => {
    const body = { ...BODY, users: [1, 2] }
    await call('POST', '/api/appointments', { body, bindings: bindingsOf(mailbox) })
    expect(sorted(sent().map(([to]) => to))).toEqual([ONE, TWO])
  })

  it.each<[string, string, string, Data | undefined, string[][]]>([
    ['taken off', 'PUT', '', { users: [1] }, [[TWO, 'Appointment cancelled']]],
    ['put on', 'PUT', '', { users: [1, 2, 4] }, [['four@example.com', 'New appointment']]],
    ['on one that is deleted', 'DELETE', '', undefined, [[TWO, 'Appointment cancelled']]],
    ['on one that is confirmed', 'POST', '/status', { to: 'confirmed' }, []],
    ['on one that has other notes', 'PUT', '', { notes: 'N', title: 'T' }, []],
    ['on one at another place', 'PUT', '', { location: 'P' }, [[TWO, 'Appointment changed']]],
  ])('users %s', async (_, method, end, body, mails) => {
    await importLine('users', { id: 4, name: 'Four', email: 'four@example.com' })
    const path = await stored({ users: [1, 2] })
    expect((await as1(method, path + end, body)).status).toBe(200)
    expect(sent().map((mail) => mail.slice(0, 2))).toEqual(mails)
  })

  it('visitors and owners who are taken off, put on, or whose listing it is no more', async () => {
    await importRecords([
      ['contacts', { ...contact(4, 'four@example.com'), first_name: 'Four' }],
      ['listings', { id: 2, contacts: [4] }],
    ])
    const path = await stored()
    await as1('PUT', path, { contacts: [4], listing_id: 2, ...ALL })
    expect(sorted(sent().map((mail) => mail.slice(0, 2)))).toEqual([
      ['four@example.com', 'New appointment'],
      ['four@example.com', 'New appointment'],
      [OWNER, 'Appointment cancelled'],
      [TWO, 'Appointment changed'],
      [VISITOR, 'Appointment cancelled'],
    ])
  })

  it.each<[string, Data, string | null]>([
    ['an owner without an address', { ...ALL }, 'owner'],
    ['an owner where there is no listing', { ...ALL, type: 'meeting', listing_id: null }, 'owner'],
    ['nobody who is not asked for', {}, null],
    ['both of what is past', { ...ALL, ...PAST }, 'visitor, owner'],
  ])('names %s, also when the call is repeated', async (_, body, named) => {
    await importLine('contacts', contact(1, null))
    const repeated = { headers: { 'Idempotency-Key': crypto.randomUUID() } }
    const replies = [await book(body, repeated), await book(body, repeated)]
    expect(
      replies.map(({ status, headers }) => [
        ...[status, headers.get('X-Not-Notified'), headers.get('Idempotent-Replayed')],
      ]),
    ).toEqual([null, 'true'].map((replayed) => [200, named, replayed]))
    expect(mailbox.mails.filter(({ to }) => to === TWO)).toHaveLength('starts' in body ? 0 : 1)
  })

  it('visitor and owner of the enquiry that it comes from', async () => {
    const enquiry = { ...MINIMAL, id: 900, type: 'viewing', listing_id: 1, contact_id: 2 }
    expect(await importLine('enquiries', enquiry)).toBeNull()
    const { type, listing_id, contacts, ...rest } = BODY
    const { status, headers } = await as1('POST', '/api/appointments', { ...rest, ...ALL, enquiry_id: 900 })
    expect([status, headers.get('X-Not-Notified')]).toEqual([200, null])
    expect(sorted(sent().map(([to]) => to))).toEqual([OWNER, TWO, VISITOR])
  })

  it('names all where no mails are sent', async () => {
    const { headers } = await book(ALL, { bindings: {} })
    expect(headers.get('X-Not-Notified')).toBe('visitor, owner')
  })
})

describe('a mail that waits', () => {
  /** Books with everybody notified, while no mail gets out; then changes something, and lets cron work. */
  async function afterChange(change: (path: string) => Promise<unknown>) {
    mailbox.failures = 3
    const path = await booked(ALL)
    expect(await waiting()).toHaveLength(3)
    await change(path)
    const counts = await cron(5 * MINUTE)
    expect(await waiting()).toEqual([])
    return { counts, mails: sent(), path }
  }

  const ERASED = `update contacts set emails = '[]', is_erased = 1, is_deleted = 1 where id = 2`
  const OVER = `update appointments set starts = '2020-01-01 10:00:00', ends = '2020-01-01 10:30:00'`
  const cancel = (path: string) => as1('POST', `${path}/status`, CANCELLED)

  it.each<[string, (path: string) => Promise<unknown>, string[]]>([
    ['of an erased contact', () => execute(ERASED), [OWNER, TWO]],
    ['of a deleted contact', () => execute('update contacts set is_deleted = 1 where id = 2'), [OWNER, TWO]],
    ['of a user who has left', () => importLine('users', { id: 2, is_active: false }), [OWNER, VISITOR]],
    ['of a contact who was taken off', (path) => as1('PUT', path, { contacts: [] }), [OWNER, TWO]],
    ['of one that a call cancelled which notifies users only', cancel, []],
    ['of a deleted appointment', (path) => as1('DELETE', path), []],
    ['of one that is over by then', () => execute(OVER), []],
  ])('is dropped %s', async (_, change, left) => {
    const { counts, mails } = await afterChange(change)
    await execute('update contacts set is_deleted = 0, is_erased = 0 where id = 2')
    expect([counts.failed, sorted(mails.map(([to]) => to))]).toEqual([0, left])
  })

  it('says what is stored then, and goes to the address that is stored then', async () => {
    const { mails, path } = await afterChange(async (at) => {
      await as1('PUT', at, MOVED_ONCE, { bindings: {} })
      await importLine('contacts', contact(2, 'new@example.com'))
    })
    expect(mails).toContainEqual(['new@example.com', 'New appointment', '1 July 2099 at 13:00 – 13:30'])
    expect(await notified(path)).toEqual(toAll('booked'))
  })

  it.each<['before' | 'after', number]>([
    ['before', 0],
    ['after', 1],
  ])('is sent once if the write was stored: D1 fails %s it', async (when, mails) => {
    let isDone = false
    const DB = databaseAround(async (run, texts) => {
      if (isDone || !texts.some((text) => text.startsWith('insert into appointments'))) return run()
      isDone = true
      if (when === 'after') await run()
      throw new Error('Network connection lost')
    })
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const options = { headers, bindings: { ...bindingsOf(mailbox), DB } }
    const reply = await book({}, options)
    await cron()
    expect([reply.status, sent().length, (await selectAll('select * from appointments')).length]).toEqual([
      when === 'before' ? 503 : 200,
      mails,
      mails,
    ])
    await book({}, options)
    await cron()
    expect([sent().length, await waiting()]).toEqual([1, []])
  })

  it('raises the version of the appointment when it is sent, which the trail and copies show', async () => {
    const path = await booked()
    const { data } = (await get('/api/changes?resources=appointments&limit=1000')).body
    const { id, date_created, date_updated } = (await get(path)).body.data
    expect(data.at(-1)).toMatchObject({ id, change: 'changed' })
    expect(date_updated).toBe(date_created)
    expect(await lastEntry('appointments', id)).toMatchObject({ changed: {}, others: ['notified'] })
  })

  it('is none of an import, which carries what was sent', async () => {
    mailbox.failures = 1
    const path = await booked({ notify: ['visitor'] })
    await expectSameAfterReimport(['appointments'], emptyDiary)
    expect((await notified(path)).map(({ date }: Data) => date)).toContain(null)
    await cron(DAY / 2)
    expect([mailbox.mails.length, await waiting()]).toEqual([1, []])
  })

  it('still goes out, once, where an import changes its appointment meanwhile', async () => {
    const { mails, path } = await afterChange(async (at) => {
      const id = Number(at.split('/').at(-1))
      expect(await importLine('appointments', { id, notes: 'N' })).toBeNull()
      const { data } = (await get(at)).body
      const sentBefore = { party: 'agent', id: 3, event: 'booked', date: '2026-01-01 00:00:00' }
      expect(await importLine('appointments', { id, notified: [sentBefore, ...data.notified] })).toBeNull()
    })
    expect(sorted(mails.map(([to]) => to))).toEqual([OWNER, TWO, VISITOR])
    const events = (await notified(path)).map(
      ({ party, id, date }: Data) => `${party} ${id} ${date !== null}`,
    )
    expect(sorted(events)).toEqual(['agent 2 true', 'agent 3 true', 'owner 1 true', 'visitor 2 true'])
  })

  it('of an appointment that is moved again and again leaves 500 at most', async () => {
    const path = await booked()
    await execute(`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 600)
      insert into appointment_notices (appointment_id, party, recipient_id, event, date)
      select ${path.split('/').at(-1)}, 'agent', 2, 'moved', '2026-01-01 00:00:00' from numbers`)
    await as1('PUT', path, MOVED_ONCE)
    const found = await notified(path)
    expect([found.length, found.at(-1)]).toEqual([500, toAgent('moved')])
  })
})
