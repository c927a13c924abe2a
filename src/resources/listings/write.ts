/**
 * Writing listings: at most two round trips. One reads the record and everything the body refers to; one writes,
 * guarded by the version that was read, so that two merges at once never lose a key.
 */
import { eq, type SQL, sql } from 'drizzle-orm'
import { batch, type Database, replaceLinks, type Statement } from '../../db/client.ts'
import { listing_contacts, listing_tag_links, listing_users, listings } from '../../db/tables/listings.ts'
import { formatDateTime } from '../../fields/values.ts'
import { conflict, notFound, violatedConstraint } from '../../http/errors.ts'
import type { ListingRow } from './queries.ts'
import { selectListings } from './queries.ts'
import {
  checkListing,
  type ListingChange,
  type ListingDraft,
  readFound,
  referencesOf,
  resolveListing,
  selectFound,
} from './rules.ts'

/** How often a merge is tried again when somebody else wrote first. */
const ATTEMPTS = 12
/** Longest pause before the next try, in milliseconds per try so far. */
const PAUSE = 10

/** Stores a new draft listing and returns its id. Throws 400. */
export async function createListing(db: Database, draft: ListingDraft): Promise<number> {
  // On create null means the same as nothing sent.
  const { values } = draft
  for (const key of Object.keys(values) as (keyof typeof values)[])
    if (values[key] === null) delete values[key]
  const references = referencesOf(draft.values)
  const [missing, facts] = await batch(db, [...selectFound(db, [draft.values], references)])
  const found = readFound(missing, facts)
  checkListing(draft, references, found, null)
  const change = resolveListing(draft.complete(), found, null)
  const now = formatDateTime(new Date())
  const columns = { ...change.columns, date_created: now, date_updated: now }
  const [inserted] = await batch(db, [
    db
      .insert(listings)
      .values(columns as typeof listings.$inferInsert)
      .returning({ id: listings.id }),
    // Ids only grow, so within this transaction the highest is the one just given.
    ...relationStatements(db, sql`(select max(id) from listings)`, change),
  ])
  return (inserted as { id: number }[])[0]?.id ?? 0
}

/** Merges the keys of `draft` into a listing. Throws 404, 400, and 409 when others keep writing it. */
export async function updateListing(db: Database, id: number, draft: ListingDraft): Promise<void> {
  // The creator never changes, so it is not even looked at.
  delete draft.values.created_by
  const references = referencesOf(draft.values)
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const [[current], missing, facts] = await batch(db, [
      selectListings(db).where(eq(listings.id, id)),
      ...selectFound(db, [draft.values], references),
    ])
    if (!current) throw notFound('Listing')
    const found = readFound(missing, facts)
    // Again on every try: what was read may not be what was judged before.
    checkListing(draft, references, found, current)
    const change = resolveListing(draft.complete(), found, current)
    if (!changesAnything(change, current) || (await write(db, current, change))) return
    await pause(attempt + 1)
  }
  throw conflict()
}

/** Sets a listing's status; leaving draft for the first time gives it its code. Throws 404. */
export async function setStatus(db: Database, id: number, to: string): Promise<void> {
  const [[current]] = await batch(db, [
    db.select({ status: listings.status }).from(listings).where(eq(listings.id, id)),
    db.run(sql`update listings set
      status = ${to},
      status_date = datetime('now'),
      date_updated = datetime('now'),
      version = version + 1,
      code = coalesce(code, ${freeCode})
      where id = ${id} and status <> ${to}`),
  ])
  if (!current) throw notFound('Listing')
}

/** `RES-00042`; with the id once more behind it when an imported listing holds that code already. */
const freeCode = sql.raw(`(
  select case when exists (select 1 from listings other where other.code = wanted.code)
    then wanted.code || '-' || listings.id else wanted.code end
  from (select upper(substr(case listings.category when 'other' then 'oth' else listings.category end, 1, 3))
    || '-' || printf('%05d', listings.id) as code) wanted)`)

/** The statements that store a listing's lists and translation; `id` is its id as SQL. */
export function relationStatements(db: Database, id: SQL, change: ListingChange): Statement[] {
  const { tags, contacts, users, translation } = change
  return [
    ...(tags ? replaceLinks(db, listing_tag_links, ['listing_id', 'tag_id'], id, tags) : []),
    ...(contacts ? replaceLinks(db, listing_contacts, ['listing_id', 'contact_id'], id, contacts) : []),
    ...(users ? replaceLinks(db, listing_users, ['listing_id', 'user_id'], id, users) : []),
    ...(translation ? translationStatements(db, id, translation) : []),
  ]
}

function translationStatements(
  db: Database,
  id: SQL,
  { language_id, title, description }: NonNullable<ListingChange['translation']>,
): Statement[] {
  const texts = [
    ...(title === undefined ? [] : [sql`title = excluded.title`]),
    ...(description === undefined ? [] : [sql`description = excluded.description`]),
  ]
  return [
    db.run(sql`insert into listing_translations (listing_id, language_id, title, description)
      values (${id}, ${language_id}, ${title ?? null}, ${description ?? null})
      on conflict do update set ${sql.join(texts, sql`, `)}`),
    db.run(sql`delete from listing_translations
      where listing_id = ${id} and title is null and description is null`),
  ]
}

/** Waits a random while, longer after each try, so that writers who met do not meet again. */
function pause(tries: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * PAUSE * tries))
}

/** False when the listing was written since `current` was read; then nothing at all is stored. */
async function write(db: Database, current: ListingRow, change: ListingChange): Promise<boolean> {
  try {
    await batch(db, [
      db
        .update(listings)
        .set({
          ...change.columns,
          date_updated: formatDateTime(new Date()),
          version: nextVersion(current.version),
        })
        .where(eq(listings.id, current.id)),
      ...relationStatements(db, sql`${current.id}`, change),
    ])
    return true
  } catch (error) {
    if (violatedConstraint(error) === 'NOTNULL') return false
    throw error
  }
}

/** Null unless the row is still at version `read`: NOT NULL then undoes the whole batch. */
function nextVersion(read: number): SQL<number> {
  return sql<number>`case when version = ${read} then version + 1 end`
}

function changesAnything(
  { columns, tags, contacts, users, translation }: ListingChange,
  current: ListingRow,
): boolean {
  const stored = current.translations.find(({ language_id }) => language_id === translation?.language_id)
  const text = (key: 'title' | 'description') =>
    translation?.[key] !== undefined && translation[key] !== (stored?.[key] ?? null)
  const before = new Map<string, unknown>(Object.entries(current))
  const lists = Object.entries({ tags, contacts, users }).filter(([, value]) => value !== undefined)
  return (
    text('title') ||
    text('description') ||
    [...Object.entries(columns), ...lists].some(([key, value]) => !isSame(value, before.get(key)))
  )
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
