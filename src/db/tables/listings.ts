/** Listings with their photos, texts, links and documents, and the counters for totals. */
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { core, type details, type extra, location } from '../../catalogue/listing.ts'
import type {
  AddressDisplay,
  Availability,
  Category,
  ListingStatus,
  PhotoKind,
} from '../../catalogue/property-enums.ts'
import { columns } from '../../fields/derive.ts'
import type { Values } from '../../fields/field.ts'
import { languages, stores, users } from './agency.ts'
import { contacts } from './contacts.ts'
import { idOf, linkTable } from './links.ts'
import { listing_sources, listing_subtypes, listing_tags } from './lookups.ts'

/**
 * The condition for records that are still to be matched. Partial indexes use it, so queries must contain exactly this
 * text.
 */
export const UNMATCHED = sql.raw('matched_version <> version')

/**
 * The new `matched_version`, beside `version = version + 1`, for a change that cannot affect matches, such as a new
 * photo. A listing that was matched stays so.
 */
export const STAYS_MATCHED = sql.raw(
  'case when matched_version = version then version + 1 else matched_version end',
)

/**
 * The condition for listings whose public point was stored by earlier code, before or after an upgrade. A partial index
 * uses it.
 */
export const UNCHECKED_POINT = sql.raw(
  '(fake_latitude, fake_longitude) is not (checked_latitude, checked_longitude)',
)

/** The contact who is the tenant. A partial index uses it, which a broken `extra` must not stop from being made. */
export const TENANT = sql.raw("(case when json_valid(extra) then extra ->> 'tenant_contact_id' end)")

export const listings = sqliteTable(
  'listings',
  {
    id: integer().primaryKey(),
    /** Raised by every write. A merge that read an older version is refused. */
    version: integer().notNull().default(1),
    /** The version for which its matches were found, whatever its status. A new draft counts as matched. */
    matched_version: integer().notNull().default(0),
    store_id: idOf(stores),
    code: text(),
    category: text().$type<Category>().notNull(),
    availability: text().$type<Availability>().notNull(),
    ...columns(core, { listing_subtypes, listing_sources }),
    status: text().$type<ListingStatus>().notNull().default('draft'),
    status_date: text(),
    created_by: idOf(users),
    date_created: text().notNull(),
    date_updated: text().notNull(),
    notes: text(),
    ...columns(location, { locations: null }),
    display_address: text().$type<AddressDisplay>().notNull().default('none'),
    address_el: text(),
    /** ELOT 743 transliteration of `address_el`. */
    address_en: text(),
    latitude: real(),
    longitude: real(),
    fake_address_el: text(),
    fake_latitude: real(),
    fake_longitude: real(),
    /** The public point as `publicPoint` gave it. */
    checked_latitude: real(),
    checked_longitude: real(),
    details: text({ mode: 'json' }).$type<Partial<Values<typeof details>>>().notNull().default({}),
    extra: text({ mode: 'json' }).$type<Partial<Values<typeof extra>>>().notNull().default({}),
    features: text({ mode: 'json' }).$type<string[]>().notNull().default([]),
    positioning: text({ mode: 'json' }).$type<string[]>().notNull().default([]),
    view: text({ mode: 'json' }).$type<string[]>().notNull().default([]),
    flooring: text({ mode: 'json' }).$type<string[]>().notNull().default([]),
    floor_configuration: text({ mode: 'json' }).$type<Record<string, unknown>[]>(),
    /** Random, unguessable name of the 360° tour; null until there is a panorama. */
    tour_token: text(),
  },
  (table) => [
    // Partial, as most listings have none, and each index entry is one more row to write.
    uniqueIndex('listings_with_code').on(table.code).where(sql`code is not null`),
    index('listings_by_code').on(sql`lower(code)`).where(sql`code is not null`),
    uniqueIndex('listings_with_tour').on(table.tour_token).where(sql`tour_token is not null`),
    index('listings_unmatched').on(table.id).where(UNMATCHED),
    index('listings_with_unchecked_point').on(table.id).where(UNCHECKED_POINT),
    index('listings_by_tenant').on(TENANT).where(sql`${TENANT} is not null`),
    // One index for each depth of the type filters. Equality on all columns leaves the rows in the order of ids, so a
    // page reads no more than it shows (see resources/listings/queries.ts).
    index('listings_by_category').on(table.category, table.status, table.availability),
    index('listings_with_subcategory')
      .on(table.subcategory, table.category, table.status, table.availability)
      .where(sql`subcategory is not null`),
    index('listings_with_subtype')
      .on(table.subtype, table.subcategory, table.category, table.status, table.availability)
      .where(sql`subtype is not null`),
    // Covers every filter, as the total of a date range has to examine each row.
    index('listings_by_date_created').on(
      table.date_created,
      table.category,
      table.status,
      table.availability,
      table.subcategory,
      table.subtype,
    ),
    index('listings_by_date_updated').on(
      table.date_updated,
      table.category,
      table.status,
      table.availability,
      table.subcategory,
      table.subtype,
    ),
  ],
)

/** Number of listings of each kind, counted by triggers. Absent values are '' or 0, as keys contain no nulls. */
export const listing_counts = sqliteTable(
  'listing_counts',
  {
    category: text().notNull(),
    status: text().notNull(),
    availability: text().notNull(),
    subcategory: text().notNull(),
    subtype: integer().notNull(),
    listings: integer().notNull(),
  },
  (table) => [
    primaryKey({
      columns: [table.category, table.status, table.availability, table.subcategory, table.subtype],
    }),
  ],
)

export const listing_tag_links = linkTable('listing_tag_links', {
  listing_id: listings,
  tag_id: listing_tags,
})

export const listing_contacts = linkTable(
  'listing_contacts',
  { listing_id: listings, contact_id: contacts },
  [['contact_id', 'listing_id']],
)

export const listing_users = linkTable('listing_users', { listing_id: listings, user_id: users })

export const listing_translations = sqliteTable(
  'listing_translations',
  {
    listing_id: idOf(listings),
    language_id: idOf(languages),
    title: text(),
    description: text(),
  },
  (table) => [primaryKey({ columns: [table.listing_id, table.language_id] })],
)

/** A text under a picture, in one language. */
export interface Caption {
  language_id: number
  caption: string
}

const described = () => ({
  /** By language, in the order of their ids. */
  captions: text({ mode: 'json' }).$type<Caption[]>().notNull().default([]),
  /** In pixels; null until cron has measured the picture, 0 if it cannot be measured. */
  width: integer(),
  height: integer(),
})

const UNMEASURED = sql`width is null`

/** Photos in order. Images are keys in the bucket, or external URLs from an import. */
export const listing_photos = sqliteTable(
  'listing_photos',
  {
    listing_id: idOf(listings),
    ordernum: integer().notNull(),
    original_image: text(),
    watermark_image: text(),
    kind: text().$type<PhotoKind>().notNull().default('photo'),
    ...described(),
  },
  (table) => [
    primaryKey({ columns: [table.listing_id, table.ordernum] }),
    index('listing_photos_unmeasured').on(table.listing_id).where(UNMEASURED),
  ],
)

/**
 * Photos of imported addresses that the service downloads, or has downloaded. A row that is done says where the photo
 * came from, so that importing its address again changes nothing.
 */
export const photo_downloads = sqliteTable(
  'photo_downloads',
  {
    listing_id: idOf(listings),
    address: text().notNull(),
    /** Attempts that have begun. */
    attempts: integer().notNull(),
    /** When the next one may begin; null if there is none. */
    due: text(),
    /** The key of the photo; null until it is stored. */
    image: text(),
  },
  (table) => [
    primaryKey({ columns: [table.listing_id, table.address] }),
    index('photo_downloads_due').on(table.due).where(sql`image is null`),
  ],
)

export const listing_panoramas = sqliteTable(
  'listing_panoramas',
  {
    listing_id: idOf(listings),
    ordernum: integer().notNull(),
    image: text().notNull(),
    thumb: text(),
    ...described(),
  },
  (table) => [
    primaryKey({ columns: [table.listing_id, table.ordernum] }),
    index('listing_panoramas_unmeasured').on(table.listing_id).where(UNMEASURED),
  ],
)

/** The documents of listings (see `resources/listings/documents/documents.ts`). */
export const listing_documents = sqliteTable('listing_documents', {
  listing_id: integer()
    .primaryKey()
    .references(() => listings.id),
  /** Version of the listing from which the document was made. */
  version: integer().notNull(),
  /** Digest of the representation in which the document was made. */
  form: text().notNull(),
  /** The count of `location_renames` when the document was made. */
  renames: integer().notNull(),
  document: text().notNull(),
})
