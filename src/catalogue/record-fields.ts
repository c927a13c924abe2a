/**
 * The fields of the records of each resource, by its table. From it follow what the trail says of a changed record, and which
 * of its texts an erasure clears. The trail shows the values of fields with `history: true`, and of the lists named here; it
 * names a column that is not here as it is.
 */
import type { Field, Fields } from '../fields/field.ts'
import { activity } from './activity.ts'
import { appointment, feedback } from './appointment.ts'
import * as contact from './contact.ts'
import { contract } from './contract.ts'
import * as enquiry from './enquiry.ts'
import { expense } from './expense.ts'
import * as external from './external-listing.ts'
import { commission, income } from './income.ts'
import * as knowledge from './knowledge-base.ts'
import * as listing from './listing.ts'
import { offer } from './offer.ts'
import * as request from './request.ts'
import type { RecordTable } from './resources.ts'
import { task } from './task.ts'

export interface RecordFields {
  /** Fields with columns of their own, by what stands before their names. */
  columns: Record<string, Fields>
  /** Columns that hold an object: what stands before its keys, and the fields in it; null: all have their values shown. */
  objects?: Record<string, { prefix: string; fields: Fields | null }>
  /** Lists of rows with these fields; the trail shows their values. */
  rows?: Record<string, Fields>
  /** Other columns: their names, or null for what the service derives for itself. */
  names?: Record<string, string | null>
  /** Names that are shown with their values beside the fields that say so. */
  valued?: readonly string[]
  timeline?: readonly TimelineKind[]
}

/** A kind of entries on timelines. The columns are those of the record, or of `rows`. */
export interface TimelineKind {
  kind: string
  /** The column with the moment; without one, the record has no entry. */
  at: string
  /** The columns whose texts are shown. */
  text: readonly string[]
  /** The facts: columns, or SQL by name. `record` is the record itself. */
  data: Readonly<Record<string, string>>
  /** What a contact that it links to is in it. */
  role: 'buyer' | 'visitor' | 'other'
  /** SQL for which of the records about a listing its owner sees. */
  ofOwner?: string
  /** The column of the user who did it, unless `created_by`; null: a visitor of the website. */
  by?: string | null
  /** The column with who did it where no user did. */
  author?: string
  /** Set if the links to contacts have the moment as well. */
  hasDatedLinks?: true
  /** The table of rows of the record that are the entries. */
  rows?: string
}

/** Facts that are columns of the same name. */
const facts = (...columns: string[]) => Object.fromEntries(columns.map((column) => [column, column]))

const DELETED = 'is_deleted'
/** Ids of rows are no change: new ones get theirs when they are stored. */
const { id: _, ...share } = commission

/** Columns of any table that are not a change by themselves. */
export const UNNAMED: readonly string[] = [
  'id',
  'version',
  'date_updated',
  'search',
  'person_keys',
  'matched_version',
]

const FIELDS: Record<RecordTable, RecordFields> = {
  listings: {
    columns: { '': listing.core, 'location.': listing.location },
    objects: {
      details: { prefix: 'details.', fields: listing.details },
      extra: { prefix: 'the service.', fields: listing.extra },
    },
    names: {
      display_address: 'location.display_address',
      address_el: 'location.address',
      address_en: null,
      latitude: 'location.latitude',
      longitude: 'location.longitude',
      fake_address_el: 'location.fake_address_el',
      fake_latitude: 'location.fake_latitude',
      fake_longitude: 'location.fake_longitude',
      checked_latitude: null,
      checked_longitude: null,
      tour_token: null,
      // The date of the entry says when.
      status_date: null,
      panoramas: 'panorama_photos',
      area1: null,
      area2: null,
      area3: null,
    },
    valued: ['status', 'category', 'availability', 'store_id', 'users'],
  },
  external_listings: {
    columns: {
      '': {
        ...external.record,
        ...external.owner,
        ...external.texts,
        ...external.property,
        ...external.watchers,
      },
      'location.': external.place,
    },
    names: { photo_sources: null },
    valued: ['users', DELETED],
  },
  requests: {
    columns: {
      '': { ...request.record, ...request.work, ...request.kind, ...request.remarks, ...request.SCALARS },
    },
    objects: { criteria: { prefix: 'extra_fields.', fields: null } },
    names: { custom_fields: 'extra_fields' },
    valued: ['subcategories', 'subtypes', 'locations', 'users', DELETED],
    timeline: [
      {
        ...{ kind: 'request', at: 'date_created', text: ['title'], role: 'buyer' },
        data: facts('availability', 'category', 'status'),
      },
    ],
  },
  contacts: {
    columns: { '': { ...contact.record, ...contact.contact }, 'address.': contact.address },
    valued: ['users', 'is_lead', 'consents', DELETED, 'merged_into'],
  },
  enquiries: {
    columns: {
      '': {
        ...enquiry.record,
        ...enquiry.question,
        ...enquiry.sender,
        ...enquiry.content,
        ...enquiry.handling,
        ...enquiry.conversion,
      },
    },
    names: {
      sought: 'search',
      consents_to_marketing: 'consent',
      sent_by: null,
      bytes: null,
      status_date: null,
      notified: null,
    },
    valued: ['users'],
    timeline: [
      {
        ...{ kind: 'enquiry', at: 'date_created', text: ['message'], role: 'visitor', by: null },
        data: facts('type', 'status', 'listing_id'),
      },
    ],
  },
  offers: {
    columns: { '': offer },
    valued: ['listing_id'],
    timeline: [
      {
        ...{ kind: 'offer_round', rows: 'offer_rounds', at: 'date_created', text: ['notes'] },
        ...{ role: 'buyer', ofOwner: 'true' },
        data: {
          ...facts('offer_id', 'type', 'amount'),
          offer_status: 'record.status',
          listing_id: 'record.listing_id',
        },
      },
    ],
  },
  contracts: {
    columns: { '': contract },
    valued: ['listing_id'],
    timeline: [
      {
        ...{ kind: 'contract', at: 'date_created', text: ['notes'], role: 'buyer' },
        data: facts('offer_id', 'status_id', 'final_property_price', 'listing_id'),
      },
    ],
  },
  incomes: { columns: { '': income }, rows: { commissions: share }, valued: [DELETED] },
  expenses: { columns: { '': expense }, valued: [DELETED] },
  appointments: {
    columns: { '': appointment, 'feedback.': feedback },
    names: { status_date: null, sequence: null },
    valued: ['users', DELETED],
    timeline: [
      {
        ...{ kind: 'appointment', at: 'starts', text: ['title', 'notes'], role: 'visitor' },
        ...{ ofOwner: "type = 'viewing'", hasDatedLinks: true },
        data: facts('type', 'status', 'starts', 'listing_id'),
      },
      {
        ...{ kind: 'feedback', at: 'feedback_date', text: ['feedback_text'], role: 'visitor' },
        ...{ ofOwner: 'true', hasDatedLinks: true, by: 'feedback_user_id' },
        data: { interest: 'feedback_interest', price: 'feedback_price', listing_id: 'listing_id' },
      },
    ],
  },
  activities: {
    columns: { '': activity },
    names: { sent_by: null },
    valued: ['users', DELETED],
    timeline: [
      {
        ...{ kind: 'activity', at: 'date', text: ['subject', 'text'], role: 'other', hasDatedLinks: true },
        author: 'author',
        data: facts('type', 'direction', 'minutes', 'listing_id'),
      },
    ],
  },
  tasks: {
    columns: { '': task },
    valued: [DELETED],
    timeline: [
      {
        ...{ kind: 'task', at: 'done_date', text: ['title', 'result'], role: 'other', hasDatedLinks: true },
        data: facts('due', 'user_id', 'listing_id'),
      },
    ],
  },
  knowledge_base_categories: { columns: { '': knowledge.category } },
  knowledge_base_articles: {
    columns: { '': { ...knowledge.article, ...knowledge.body } },
    names: { title_search: null },
  },
}

/** The fields of records by the name of their table; absent for a table without records. */
export const RECORD_FIELDS: ReadonlyMap<string, RecordFields> = new Map(Object.entries(FIELDS))

/** The fields with columns of their own: the column, and the dotted name of the field. */
export function columnFields({ columns }: RecordFields): { column: string; name: string; field: Field }[] {
  return Object.entries(columns).flatMap(([prefix, fields]) =>
    Object.entries(fields).map(([name, field]) => ({
      column: field.storedAs ?? name,
      name: prefix + name,
      field,
    })),
  )
}
