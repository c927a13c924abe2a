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

/** The fields of a record. */
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
}

const DELETED = 'is_deleted'
/** Ids of rows are no change: new ones get theirs when they are stored. */
const { id: _, ...share } = commission

/** Columns of any table that are not a change by themselves. */
export const UNNAMED: readonly string[] = ['id', 'version', 'date_updated', 'search', 'matched_version']

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
  },
  contacts: {
    columns: { '': { ...contact.record, ...contact.contact }, 'address.': contact.address },
    valued: ['users', 'is_lead', 'consents', DELETED],
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
  },
  offers: { columns: { '': offer }, valued: ['listing_id'] },
  contracts: { columns: { '': contract }, valued: ['listing_id'] },
  incomes: { columns: { '': income }, rows: { commissions: share }, valued: [DELETED] },
  expenses: { columns: { '': expense }, valued: [DELETED] },
  appointments: {
    columns: { '': appointment, 'feedback.': feedback },
    names: { status_date: null, sequence: null },
    valued: ['users', DELETED],
  },
  activities: { columns: { '': activity }, names: { sent_by: null }, valued: ['users', DELETED] },
  tasks: { columns: { '': task }, valued: [DELETED] },
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
