/**
 * Writing listings: at most two round trips. One reads the record and everything the body refers to; one writes,
 * guarded by the version that was read, so that two merges at once never lose a key.
 */
import { eq, type SQL, sql } from 'drizzle-orm'
import { batch, type Database, replaceLinks, type Statement } from '../../db/client.ts'
import { createRecord, differs, mergeRecord, nextVersion } from '../../db/merge.ts'
import {
  listing_contacts,
  listing_tag_links,
  listing_users,
  listings,
  STAYS_MATCHED,
} from '../../db/tables/listings.ts'
import { formatDateTime } from '../../fields/values.ts'
import { notFound } from '../../http/errors.ts'
import { selectUnmatched, settleListing } from '../requests/match-store.ts'
import { matchListings } from '../requests/matches.ts'
import type { ListingRow } from './queries.ts'
import { selectListings } from './queries.ts'
import { type ListingChange, resolveListing } from './resolve.ts'
import { checkListing, type ListingDraft, readFound, referencesOf, selectFound } from './rules.ts'

/** Stores a new draft listing and returns its id. Throws 400. */
export async function createListing(db: Database, draft: ListingDraft): Promise<number> {
  // On create null means the same as nothing sent.
  const { values } = draft
  for (const key of Object.keys(values) as (keyof typeof values)[])
    if (values[key] === null) delete values[key]
  const references = referencesOf(draft.values)
  const [inserted] = await createRecord(db, async () => {
    const [missing, facts] = await batch(db, [...selectFound(db, [draft.values], references)])
    const found = readFound(missing, facts)
    checkListing(draft, references, found, null)
    const change = resolveListing(draft.complete(), found, null)
    const now = formatDateTime(new Date())
    // A draft meets no request.
    const columns = { ...change.columns, matched_version: 1, date_created: now, date_updated: now }
    return [
      db
        .insert(listings)
        .values(columns as typeof listings.$inferInsert)
        .returning({ id: listings.id }),
      // Ids only grow, so within this transaction the highest is the one just given.
      ...relationStatements(db, sql`(select max(id) from listings)`, change),
    ]
  })
  return (inserted as { id: number }[])[0]?.id ?? 0
}

/** Merges the keys of `draft` into a listing. Throws 404, 400, and 409 when others keep writing it. */
export async function updateListing(db: Database, id: number, draft: ListingDraft): Promise<void> {
  // The creator never changes, so it is not even looked at.
  delete draft.values.created_by
  const references = referencesOf(draft.values)
  const results = await mergeRecord(db, `listings ${id}`, async () => {
    const [[current], missing, facts] = await batch(db, [
      selectListings(db).where(eq(listings.id, id)),
      ...selectFound(db, [draft.values], references),
    ])
    if (!current) throw notFound('Listing')
    const found = readFound(missing, facts)
    // Each time: what others wrote meanwhile may no longer fit.
    checkListing(draft, references, found, current)
    const change = resolveListing(draft.complete(), found, current)
    if (!changesAnything(change, current)) return null
    const version = nextVersion(current.version)
    return [
      db
        .update(listings)
        .set({
          ...change.columns,
          date_updated: formatDateTime(new Date()),
          version,
          ...(current.status === 'active' ? {} : { matched_version: STAYS_MATCHED }),
        })
        .where(eq(listings.id, id)),
      ...relationStatements(db, sql`${id}`, change),
      settleListing(db, id),
      selectUnmatched(db, [id]),
    ]
  })
  if (results) await matchMarked(db, results)
}

/** Sets a listing's status; leaving draft for the first time gives it its code. Throws 404. */
export async function setStatus(db: Database, id: number, to: string): Promise<void> {
  const results = await batch(db, [
    db.select({ id: listings.id }).from(listings).where(eq(listings.id, id)),
    db.run(sql`update listings set
      status = ${to},
      status_date = datetime('now'),
      date_updated = datetime('now'),
      version = version + 1,
      code = coalesce(code, ${freeCode})
      where id = ${id} and status <> ${to}`),
    settleListing(db, id),
    selectUnmatched(db, [id]),
  ])
  if (results[0].length === 0) throw notFound('Listing')
  await matchMarked(db, results)
}

/** Finds the matches of the listings that the last statement of a write names; as a rule it names none. */
async function matchMarked(db: Database, results: unknown[]): Promise<void> {
  const marked = results.at(-1) as { id: number }[]
  await matchListings(
    db,
    marked.map(({ id }) => id),
  )
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

/** Whether storing `change` would change anything. */
function changesAnything({ translation, columns, ...lists }: ListingChange, current: ListingRow): boolean {
  const stored = current.translations.find(({ language_id }) => language_id === translation?.language_id)
  return (
    differs({ ...columns, ...lists }, current) ||
    differs(translation ?? {}, { language_id: translation?.language_id, ...EMPTY_TEXTS, ...stored })
  )
}

const EMPTY_TEXTS = { title: null, description: null }
