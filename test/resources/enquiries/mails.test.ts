/** Tells offices of enquiries: by the call that stores one, and by cron. */
import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Allowance } from '../../../src/db/allowance.ts'
import { ENQUIRY_MAILS } from '../../../src/resources/enquiries/mail.ts'
import { sendMails } from '../../../src/resources/mails/queue.ts'
import { EVERY_MINUTE, runScheduled } from '../../../src/scheduled.ts'
import { silenceLog } from '../../http/send.ts'
import { type CallOptions, get, importRecords, keyWith, post, put } from '../../support/api.ts'
import { execute, selectAll, selectFirst, watching } from '../../support/database.ts'
import { DATE_TIME } from '../../support/factories/dates.ts'
import { bindingsOf, FROM, Mailbox } from '../../support/mailbox.ts'
import { entriesOf } from '../../support/trail.ts'
import { expectSameAfterReimport, importLine } from '../../support/transfer.ts'
import { FULL, MINIMAL, readEnquiry, seedEnquiries } from './seed.ts'

const OFFICE = 'office@agency.example'
const AGENCY = 'agency@agency.example'
const MINUTE = 60_000
const HOUR = 60 * MINUTE

let keys: Awaited<ReturnType<typeof seedEnquiries>>
let mailbox: Mailbox
/** What is logged. */
let log: string[]

beforeAll(async () => {
  keys = { ...(await seedEnquiries()), writer: await keyWith('*:read', '*:write') }
})

beforeEach(async () => {
  mailbox = new Mailbox()
  log = silenceLog()
  for (const table of ['enquiry_mails', 'enquiry_users', 'enquiries']) await execute(`delete from ${table}`)
  await importRecords([
    ['stores', { id: 1, name: 'One', email: OFFICE }],
    ['settings', { key: 'enquiry_email', value: AGENCY }],
    ['settings', { key: 'mail_language', value: 'en' }],
  ])
})

/** Sends an enquiry to a deployment that sends mails, and waits for what runs behind the reply. */
async function submit(body: Record<string, unknown> = {}, options: CallOptions = {}) {
  const bindings = { ...bindingsOf(mailbox), ...options.bindings }
  const sent = { ...MINIMAL, ...body }
  const reply = await post('/api/enquiries', sent, { key: keys.writer, ...options, bindings })
  return { ...reply, etag: reply.headers.get('ETag'), id: reply.body.created_id }
}

const waiting = async () =>
  (await selectFirst<{ mails: number }>('select count(*) as mails from enquiry_mails'))?.mails
const marks = () => selectAll('select enquiry_id, tries from enquiry_mails order by enquiry_id')
/** Runs cron so long after now. */
const cron = (later: number, bindings: Partial<Env> = {}) =>
  sendMails({ ...env, ...bindingsOf(mailbox), ...bindings }, [ENQUIRY_MAILS], () => Date.now() + later)

/** What cron answers that finds nothing to do. */
const NOTHING = { sent: 0, failed: 0, dropped: 0 }

describe('a new enquiry', () => {
  it('is mailed to the office of its listing', async () => {
    const { body, etag } = await submit(FULL)
    expect(mailbox.mails).toEqual([
      {
        from: FROM,
        to: OFFICE,
        replyTo: 'anna@example.com',
        subject: `New enquiry ${body.reference}: Viewing, RES-00001, Άννα Ρήγα`,
        text: `New enquiry ${body.reference}

Type: Viewing
Listing: RES-00001
Name: Άννα Ρήγα
E-mail: anna@example.com
Phone: +30 690 000 0001
Language: Ελληνικά
Page: https://www.example.com/listings/1?a=b
Agrees to marketing: yes

Times proposed (Europe/Athens):
- Tuesday, 1 December 2026 at 12:00
- Wednesday, 2 December 2026 at 20:30

What is sought:
- Offered: For sale
- Category: Residential
- Kind of property: Apartment
- Area: Athens
- Price: up to 300,000
- Bedrooms: from 2
- Features: Elevator
- Plot (m²): from 5

Message:

Θα ήθελα να το δω.
"Αύριο"; 🏠

--
Your answer to this mail goes to the sender.`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      },
    ])
    const { notified, date_created, date_updated } = await readEnquiry(body.created_id)
    expect(notified).toMatch(DATE_TIME)
    expect(date_updated).toBe(date_created)
    expect(await marks()).toEqual([])
    // Copies get the date, too.
    const { data } = (await get('/api/changes?resources=enquiries&limit=1000')).body
    expect(data.at(-1)).toMatchObject({ id: body.created_id, change: 'changed' })
    const { headers } = await get(`/api/enquiries/${body.created_id}`)
    expect(headers.get('ETag')).not.toBe(etag)
  })

  it('is mailed in Greek, unless the settings say otherwise', async () => {
    await execute(`delete from settings where key = 'mail_language'`)
    const offer = { type: 'offer', listing_id: 1, amount: 0 }
    const { body } = await submit({ ...offer, email: null, phone: '210' })
    expect(mailbox.mails).toEqual([
      {
        from: FROM,
        to: OFFICE,
        subject: `Νέα επικοινωνία ${body.reference}: Προσφορά, RES-00001, Ρήγα`,
        text: `Νέα επικοινωνία ${body.reference}

Είδος: Προσφορά
Ακίνητο: RES-00001
Όνομα: Ρήγα
Τηλέφωνο: 210
Ποσό: 0
Δέχεται ενημερώσεις: όχι

Μήνυμα:

Is it still available?

--
Δεν δόθηκε e-mail: απαντήστε τηλεφωνικά.`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      },
    ])
  })

  it('shows times in the zone of the settings, and what is sought, in Greek', async () => {
    const body = { ...FULL, dates: ['2026-03-28 23:30:00', '2026-03-29 16:30:00'] }
    await execute(`delete from settings where key = 'mail_language'`)
    await submit(body)
    await importRecords([['settings', { key: 'time_zone', value: 'America/New_York' }]])
    await submit(body)
    await execute(`delete from settings where key = 'time_zone'`)
    const [athens, york] = mailbox.mails.map(({ text }) => text)
    // Clocks are put forward in the night between these two.
    expect(athens).toContain(`
Προτεινόμενες ώρες (Europe/Athens):
- Κυριακή 29 Μαρτίου 2026 στις 01:30
- Κυριακή 29 Μαρτίου 2026 στις 19:30

Ζητείται:
- Διάθεση: Πώληση
`)
    expect(york).toContain(`(America/New_York):
- Σάββατο 28 Μαρτίου 2026 στις 19:30
- Κυριακή 29 Μαρτίου 2026 στις 12:30
`)
  })

  it.each<[string, Record<string, unknown>, 'page' | 'store' | 'server' | 'writer', string | null]>([
    ['of a visitor', { listing_id: 1 }, 'page', OFFICE],
    ['of a website with a server', { listing_id: 1 }, 'server', OFFICE],
    ['about a listing whose office has no address', { listing_id: 3 }, 'store', AGENCY],
    ['about a draft without a code', { listing_id: 2 }, 'writer', OFFICE],
    ['about no listing', {}, 'page', AGENCY],
    ['with the field of the trap', { website: 'https://spam.example' }, 'page', null],
    ['with the field of the trap, of a key that nobody else holds', { website: 'x' }, 'writer', AGENCY],
    ['that is refused', { listing_id: 99 }, 'writer', null],
  ])('%s', async (_, body, key, to) => {
    await submit(body, { key: keys[key] })
    expect(mailbox.mails.map((mail) => mail.to)).toEqual(to === null ? [] : [to])
    expect(await marks()).toEqual([])
    if (body.listing_id === 2) expect(mailbox.mails[0]?.subject).toContain(', #2, ')
  })

  it.each<[string, Partial<Env>]>([
    ['without a binding', { MAIL: undefined }],
    ['without an address to send from', { MAIL_FROM: undefined }],
    ['with an empty one', { MAIL_FROM: '' }],
  ])('is not marked %s', async (_, bindings) => {
    const { notified } = await readEnquiry((await submit({ listing_id: 1 }, { bindings })).id)
    expect([mailbox.tries, await marks(), notified]).toEqual([0, [], null])
  })

  it('is not marked if nobody is to be told, also once the setting is unset', async () => {
    expect(await importLine('settings', { key: 'enquiry_email', value: null })).toBeNull()
    await submit({ listing_id: 3 })
    await submit()
    expect([mailbox.tries, await marks()]).toEqual([0, []])
  })

  it('is not mailed again by a repeated call', async () => {
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    for (const key of [keys.writer, keys.page]) {
      const replies = await Promise.all([1, 2, 3].map(() => submit({}, { key, headers })))
      expect(replies.map(({ status }) => status)).toContain(200)
      expect((await submit({}, { key, headers })).status).toBe(200)
    }
    expect(mailbox.mails).toHaveLength(2)
  })

  it('keeps what visitors write out of the headers', async () => {
    const evil = 'A\r\nBcc: x@evil.example\r\n\r\n<b>\u202e\u2028"B" <c@evil.example>, d@evil.example\u0007'
    await execute(`update listings set code = 'X' || char(13, 10) || 'Bcc: y@evil.example' where id = 1`)
    const { body } = await submit({
      listing_id: 1,
      first_name: evil,
      last_name: '😀'.repeat(255),
      message: `\r\n.\r\nBcc: z@evil.example\r\n${evil}`,
    })
    await execute(`update listings set code = 'RES-00001' where id = 1`)
    const { subject, text = '', ...rest } = mailbox.mails[0] ?? { subject: '' }
    const start = `New enquiry ${body.reference}: Information, X Bcc: y@evil.example, A Bcc: x@evil.example  <b> "B" `
    expect(subject).toMatch(new RegExp(`^${start}<c@evil\\.example>, d@evil\\.example 😀*…$`, 'u'))
    expect([...subject]).toHaveLength(150)
    expect(text).toContain('\n\n\n.\nBcc: z@evil.example\nA\nBcc: x@evil.example\n\n<b>\n"B" <c')
    const headers = { 'Auto-Submitted': 'auto-generated' }
    expect(rest).toEqual({ from: FROM, to: OFFICE, replyTo: 'anna@example.com', headers })
  })

  it('sends answers to no address that cannot be, nor back to the agency', async () => {
    const [tooLong, longest] = [65, 64].map((length) => `${'a'.repeat(length)}@b.example`)
    for (const email of [tooLong, OFFICE.toUpperCase(), FROM, longest])
      expect((await submit({ listing_id: 1, email })).status).toBe(200)
    expect(mailbox.mails.map(({ replyTo }) => replyTo)).toEqual([...Array(3), longest])
  })

  it('has no encoded words in its subject, which mail programs would decode', async () => {
    await submit({ listing_id: 1, last_name: '=?UTF-8?B?4oCuZXZpbA==?=' })
    expect(mailbox.mails[0]?.subject).toContain('= ?UTF-8?B?4oCuZXZpbA== ?=')
  })
})

describe('a mail that fails', () => {
  it('is tried at 0, 1, 10 minutes, 1 and 6 hours, and no more', async () => {
    mailbox.failures = Number.POSITIVE_INFINITY
    const { status, id } = await submit()
    expect(status).toBe(200)
    const done: number[] = []
    // Each minute in which something may be done, and those around it.
    const minutes = [0, 1, 10, 60, 360, 24 * 60].flatMap((at) => [at - 1, at, at + 1, at + 2])
    for (const minute of new Set(minutes.filter((at) => at >= 0))) {
      const { failed, dropped } = await cron(minute * MINUTE + 1000)
      if (failed + dropped > 0) done.push(minute)
    }
    expect([mailbox.tries, done]).toEqual([5, [1, 10, 60, 360]])
    expect([await marks(), (await readEnquiry(id)).notified]).toEqual([[], null])
    const refused = {
      level: 'error',
      work: 'mailing an enquiry',
      enquiry: id,
      error: 'E_RATE_LIMIT_EXCEEDED',
    }
    expect(log.filter((line) => line.includes('mailing')).map((line) => JSON.parse(line))).toEqual(
      [1, 2, 3, 4, 5].map((tries) => ({ ...refused, tries })),
    )
  })

  it('a failed mail is sent once by the next try, of a call or of cron', async () => {
    mailbox.failures = 1
    const { id } = await submit()
    expect([await marks(), await waiting()]).toEqual([[{ enquiry_id: id, tries: 1 }], 1])
    // A try keeps the others away for a minute.
    expect(await cron(0)).toEqual(NOTHING)
    mailbox.meanwhile = () => cron(MINUTE + 2000)
    const runs = await Promise.all([1, 2, 3].map(() => cron(MINUTE + 1000)))
    expect(runs.map(({ sent }) => sent).toSorted()).toEqual([0, 0, 1])
    expect(mailbox.mails).toHaveLength(1)
    expect([await marks(), await waiting()]).toEqual([[], 0])
    expect((await readEnquiry(id)).notified).toMatch(DATE_TIME)
    expect(await cron(HOUR)).toEqual(NOTHING)
  })

  it('is sent by cron if the call is cut off before it', async () => {
    const DB = watching((text) => {
      if (text.includes('from "enquiry_mails"')) throw new Error('cut off')
    })
    const { status, id } = await submit({}, { bindings: { DB } })
    expect([status, mailbox.tries, await marks()]).toEqual([200, 0, [{ enquiry_id: id, tries: 0 }]])
    // The clock of cron itself.
    await execute('update enquiry_mails set next_try = 0')
    await runScheduled({ cron: EVERY_MINUTE }, { ...env, ...bindingsOf(mailbox) })
    expect(mailbox.mails).toHaveLength(1)
  })

  it('is not sent again where it is known to have been sent', async () => {
    let failures = 3
    const DB = watching((text) => {
      if (text.startsWith('delete from enquiry_mails where enquiry_id') && failures-- > 0)
        throw new Error('Network connection lost')
    })
    const { id } = await submit({}, { bindings: { DB } })
    expect([failures, await marks()]).toEqual([-1, []])
    await cron(MINUTE + 1000)
    expect(mailbox.mails).toHaveLength(1)
    // Cut off before that could be noted, it is sent once more: twice is better than never.
    await execute('insert into enquiry_mails values (?, 0, 1, 0)', id)
    await execute('update enquiry_mails set created = ?', Date.now())
    await execute('update enquiries set notified = null where id = ?', id)
    await cron(0)
    expect(mailbox.mails).toHaveLength(2)
  })

  it('is dropped after a day without cron, and after a last try that was cut off', async () => {
    mailbox.failures = 2
    const [first, second] = [await submit(), await submit()]
    await execute('update enquiry_mails set tries = 5 where enquiry_id = ?', second.id)
    expect(await cron(MINUTE + 1000, { MAIL: undefined })).toEqual({ ...NOTHING, dropped: 1 })
    expect(await marks()).toEqual([{ enquiry_id: first.id, tries: 1 }])
    expect(await cron(24 * HOUR - 1000, { MAIL: undefined })).toMatchObject({ dropped: 0 })
    expect(await cron(24 * HOUR + 1000, { MAIL: undefined })).toMatchObject({ dropped: 1 })
    expect([mailbox.tries, await marks()]).toEqual([2, []])
    expect(log.filter((line) => line.includes('Not sent, and tried no more'))).toHaveLength(2)
  })

  it('keeps no others from being sent, within the limits of a run', async () => {
    await execute(`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 60)
      insert into enquiries (id, type, last_name, email, message, consents_to_marketing, status, date_created, date_updated, status_date)
      select 1000 + n, 'information', 'X', 'x@example.com', 'x', 0, 'new', '2026-01-01 00:00:00', '2026-01-01 00:00:00', '2026-01-01 00:00:00' from numbers`)
    await execute('insert into enquiry_mails select id, ?, 1, id from enquiries', Date.now())
    mailbox.failures = 3
    expect(await cron(0)).toEqual({ sent: 27, failed: 3, dropped: 0 })
    expect(await waiting()).toBe(33)
    // Where the other jobs need more calls to D1, it does with fewer.
    const ALLOWANCE = new Allowance(21, { left: 0 })
    const { sent } = await cron(0, { ALLOWANCE })
    expect([sent, await waiting(), ALLOWANCE.used <= 21]).toEqual([expect.any(Number), 33 - sent, true])
    expect(sent).toBeGreaterThan(3)
    await cron(0)
    expect([mailbox.mails.length, await waiting()]).toEqual([57, 3])
    expect(await cron(10 * MINUTE)).toEqual({ sent: 3, failed: 0, dropped: 0 })
  })
})

describe('a mail that is still to be sent', () => {
  const ERASED = `update enquiries set first_name = null, last_name = '', email = null, phone = null, message = '',
    page_url = null, is_erased = true where id = ?`

  /** The mail of an enquiry whose first try failed, after `change`. */
  async function afterChange(change: (id: number) => Promise<unknown>) {
    mailbox.failures = 1
    const { id } = await submit({ listing_id: 1 })
    await change(id)
    const counts = await cron(MINUTE + 1000)
    expect(await marks()).toEqual([])
    return { counts, mail: mailbox.mails[0], id }
  }

  it.each<[string, (id: number) => Promise<unknown>]>([
    ['was taken for spam', (id) => put(`/api/enquiries/${id}`, { status: 'spam' })],
    ['was removed', (id) => execute('delete from enquiries where id = ?', id)],
    ['was erased', (id) => execute(ERASED, id)],
    [
      'has nobody any more who is to be told',
      async () => {
        await importLine('stores', { id: 1, email: null })
        await importLine('settings', { key: 'enquiry_email', value: null })
      },
    ],
  ])('is not sent if the enquiry %s', async (_, change) => {
    const { counts, mail } = await afterChange(change)
    expect([counts, mail]).toEqual([{ ...NOTHING, dropped: 1 }, undefined])
  })

  it('goes where the office is reached now, and says what the enquiry says now', async () => {
    const { mail, id } = await afterChange(async (id) => {
      await importLine('stores', { id: 1, email: 'new@agency.example' })
      await importLine('settings', { key: 'mail_language', value: 'el' })
      await put(`/api/enquiries/${id}`, { status: 'open', notes: 'Seen' })
    })
    const subject = expect.stringContaining('Νέα επικοινωνία')
    expect(mail).toMatchObject({ to: 'new@agency.example', subject })
    expect(mail?.text).not.toContain('Seen')
    const seen = { status: 'open', notes: 'Seen', notified: expect.any(String) }
    expect(await readEnquiry(id)).toMatchObject(seen)
  })

  it('and an edit at the same moment do not disturb each other', async () => {
    mailbox.meanwhile = async () => {
      const [{ id } = { id: 0 }] = await selectAll<{ id: number }>('select max(id) as id from enquiries')
      expect((await put(`/api/enquiries/${id}`, { notes: 'Called' })).status).toBe(200)
    }
    const { id } = await submit()
    const notified = expect.stringMatching(DATE_TIME)
    expect(await readEnquiry(id)).toMatchObject({ notes: 'Called', notified })
    expect((await entriesOf('enquiries', id)).slice(0, -1)).toEqual([
      { version: 3, changed: {}, others: ['notified'] },
      { version: 2, changed: {}, others: ['notes'] },
    ])
  })
})

describe('import and export', () => {
  const LINE = { id: 700, ...MINIMAL, listing_id: 1, notified: '2026-11-01 10:00:00' }

  it('never mail, and carry the date', async () => {
    expect(await importLine('enquiries', LINE)).toBeNull()
    expect(await importLine('enquiries', { ...LINE, id: 701, notified: null })).toBeNull()
    const today = { ...LINE, id: 702, notified: 'today' }
    expect(await importLine('enquiries', today)).toMatch(/^Invalid notified: /)
    mailbox.failures = 1
    await submit()
    expect(await waiting()).toBe(1)
    await expectSameAfterReimport(['stores', 'settings', 'enquiries'], async () => {
      for (const table of ['enquiries', 'settings', 'enquiry_mails']) await execute(`delete from ${table}`)
    })
    const read = await Promise.all([700, 701].map(readEnquiry))
    expect(read.map(({ notified }) => notified)).toEqual([LINE.notified, null])
    expect(await marks()).toEqual([])
    await cron(HOUR)
    expect(mailbox.mails).toEqual([])
  })

  it.each<[string, unknown[]]>([
    ['enquiry_email', ['office', '', 'a@b.example\nBcc: c@d.example', 5]],
    ['mail_language', ['de']],
    ['time_zone', ['Europe/Nowhere', '+02:00', '', 2]],
    ['enquiry_closed_days', [0, -5, 36_501, true]],
    ['books_closed_until', ['2024-02-30']],
  ])('refuse what is no %s: %j', async (key, values) => {
    for (const value of values)
      expect(await importLine('settings', { key, value })).toBe(`Invalid value: not one for ${key}`)
  })
})
