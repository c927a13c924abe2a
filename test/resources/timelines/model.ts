/** Timelines as they follow from all stored rows, and random records for them. */
import { seeded } from '@estia/photo-codec/fixtures/random'
import type { Data, Line } from '../../support/api.ts'
import { selectAll } from '../../support/database.ts'
import { OFFER } from '../offers/seed.ts'

// biome-ignore lint/suspicious/noExplicitAny: rows of any table
type Row = Record<string, any>

/** The resource of each kind of entries, whose `:read` a key needs. */
export const SCOPES: Record<string, string> = {
  request: 'requests',
  enquiry: 'enquiries',
  offer_round: 'offers',
  contract: 'contracts',
  appointment: 'appointments',
  feedback: 'appointments',
  activity: 'activities',
  task: 'tasks',
}
/** At one moment, entries are in this order. */
export const KINDS = [...Object.keys(SCOPES), 'change']
export const SUBJECTS = [
  'contacts 1',
  'contacts 2',
  'contacts 4',
  'listings 1',
  'listings 2',
  'requests 1',
  'requests 2',
]

/** A few moments, so that many entries share one. */
export const moment = (n: number) => `2024-01-${String(1 + (n % 6)).padStart(2, '0')} 10:00:00`

/** Numbers that look random and are the same each time. */
export function numbers(seed: number) {
  const random = seeded(seed)
  return (below: number) => random.int(0, below - 1)
}

export function randomRecords(seed: number, from: number, count: number): Line[] {
  const any = numbers(seed)
  const one = <T>(...values: T[]): T => values[any(values.length)] as T
  const contacts = () => [1, 2, 4].filter(() => any(2) === 0)
  const links = () => ({ listing_id: one(1, 2, 3, null), request_id: one(1, 2, null) })
  const dates = () => ({ date_created: moment(any(6)), date_updated: moment(any(6)) })
  return Array.from({ length: count }, (_, index): Line[] => {
    const id = from + index
    const made = () => ({ id, created_by: one(1, 2), ...dates() })
    const about = () => ({ ...made(), ...links(), contacts: contacts(), is_deleted: any(6) === 0 })
    const deal = () => ({ ...made(), contacts: contacts(), request_id: one(1, 2, null) })
    const starts = moment(any(6))
    const listing = { external: false, listing_id: one(1, 2, 3) }
    const feedback = { date: moment(any(6)), text: one('F', null), user_id: one(1, null) }
    const rounds = [0, 1, 2].map((n) => ({
      ...{ id: id * 10 + n, type: 'note', amount: one(5, null), notes: `N${id}`, created_by: 1 },
      date_created: moment(any(6)),
    }))
    const records: Record<string, Data> = {
      activities: { ...about(), type: 'note', date: moment(any(6)), subject: one('S', null), text: `T${id}` },
      tasks: {
        ...{ ...about(), title: `T${id}`, user_id: 1 },
        ...{ status: 'done', done_date: one(moment(any(6)), null) },
      },
      appointments: {
        ...{ ...about(), type: one('viewing', 'meeting'), status: 'done', store_id: 1, users: [1] },
        ...{ starts, ends: starts.replace('10:00', '11:00') },
        feedback: one(null, { interest: 'interested', ...feedback }),
      },
      enquiries: {
        ...{ id, ...links(), ...dates(), contact_id: one(1, 2, 4, null) },
        ...{ type: 'information', message: `M${id}`, last_name: 'X', email: 'x@example.com' },
        consent: { privacy: true, marketing: false },
      },
      offers: { ...OFFER, ...deal(), listing, rounds },
      contracts: {
        ...{ ...deal(), offer_id: id, store_id: 1, status_id: 1, currency: 'EUR' },
        ...{ listing, notary_contact_id: one(1, 4, null) },
      },
    }
    return Object.entries(records)
  }).flat()
}

export interface Entry {
  kind: string
  date: string
  resource: string
  id: number
  role: string | null
  position: number
}

/** All entries of a timeline, by going over everything. */
export async function model(subject: string, owned: boolean): Promise<Entry[]> {
  const [resource = '', text] = subject.split(' ')
  const id = Number(text)
  const rows = async (table: string) => (await selectAll<Row>(`select * from ${table}`)) as Row[]
  const links = async (one: string) => {
    const all = await rows(`${one}_contacts`)
    return (record: number) => all.filter((row) => row[`${one}_id`] === record).map((row) => row.contact_id)
  }
  const [ofListing, listings] = [await links('listing'), await rows('listings')]
  const owns = (listing: number | null) => owned && listing !== null && ofListing(listing).includes(id)
  const entries: Entry[] = []
  const add = (
    kind: string,
    of: string,
    date: string | null,
    record: number,
    role: string | null,
    position = record,
  ) => {
    if (date !== null && (resource !== 'contacts' || role !== null))
      entries.push({
        kind,
        date,
        resource: of,
        id: record,
        role: resource === 'contacts' ? role : null,
        position,
      })
  }
  /** What links a record to the subject; the role of a contact in it. */
  const roleIn = (
    row: Row,
    contacts: number[],
    role: string,
    isOwners = false,
  ): string | null | undefined => {
    if (resource === 'listings') return row.listing_id === id ? '' : undefined
    if (resource === 'requests') return row.request_id === id ? '' : undefined
    if (role === 'visitor' && contacts.includes(id)) return owns(row.listing_id) ? 'owner' : 'visitor'
    if (contacts.includes(id)) return role
    if (row.notary_contact_id === id) return 'notary'
    return isOwners && owns(row.listing_id) ? 'owner' : undefined
  }
  for (const [kind, table, one, at, role] of [
    ['activity', 'activities', 'activity', 'date', 'other'],
    ['task', 'tasks', 'task', 'done_date', 'other'],
    ['appointment', 'appointments', 'appointment', 'starts', 'visitor'],
    ['feedback', 'appointments', 'appointment', 'feedback_date', 'visitor'],
    ['contract', 'contracts', 'contract', 'date_created', 'buyer'],
  ] as const) {
    const contacts = await links(one)
    for (const row of await rows(table)) {
      const isOwners = kind === 'feedback' || (kind === 'appointment' && row.type === 'viewing')
      const found = roleIn(row, contacts(row.id), role, isOwners)
      if (found !== undefined && !row.is_deleted) add(kind, table, row[at], row.id, found)
    }
  }
  for (const row of await rows('enquiries')) {
    const found = roleIn(row, [row.contact_id], 'visitor')
    if (found !== undefined) add('enquiry', 'enquiries', row.date_created, row.id, found)
  }
  const [buyers, offers] = [await links('offer'), await rows('offers')]
  for (const round of await rows('offer_rounds')) {
    const offer = offers.find((one) => one.id === round.offer_id)
    const found = offer && roleIn(offer, buyers(offer.id), 'buyer', true)
    if (found !== undefined) add('offer_round', 'offers', round.date_created, round.offer_id, found, round.id)
  }
  const seekers = await links('request')
  for (const row of await rows('requests')) {
    const isIt =
      resource === 'requests' ? row.id === id : resource === 'contacts' && seekers(row.id).includes(id)
    if (isIt && !row.is_deleted) add('request', 'requests', row.date_created, row.id, 'buyer')
  }
  for (const row of await rows('trail')) {
    if (row.changed === null || row.changed === '{}') continue
    const record = Number(row.record_id)
    const isTenant = listings.some(
      (one) => one.id === record && JSON.parse(one.extra).tenant_contact_id === id,
    )
    const role =
      row.resource === resource && record === id
        ? 'other'
        : resource === 'contacts' && row.resource === 'listings' && owned
          ? owns(record)
            ? 'owner'
            : isTenant
              ? 'tenant'
              : undefined
          : undefined
    if (role) add('change', row.resource, row.date, record, role, row.id)
  }
  const order = (entry: Entry) => KINDS.indexOf(entry.kind)
  return entries.toSorted(
    (a, b) =>
      (a.date < b.date ? 1 : a.date > b.date ? -1 : 0) || order(a) - order(b) || b.position - a.position,
  )
}

export const shown = ({ kind, date, resource, id, role }: Entry) => ({ kind, date, resource, id, role })
