/** The rounds of an offer: each is one step of its negotiation, by `TRANSITIONS`, in two round trips. */
import { type SQL, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { z } from 'zod'
import { round } from '../../catalogue/offer.ts'
import type { Database, Results } from '../../db/client.ts'
import { jsonWithNumber, recordReplyText } from '../../db/idempotency-store.ts'
import { mergeRecord } from '../../db/merge.ts'
import { idList, selectMissing } from '../../db/references.ts'
import { allOf, newestId, updateRow } from '../../db/rows.ts'
import { fragmentOf, sqlStatement } from '../../db/statements.ts'
import { offer_rounds, offers as table } from '../../db/tables/offers.ts'
import { changesOf, enterChanges } from '../../db/trail.ts'
import { inputs } from '../../fields/derive.ts'
import { formatDateTime, jsonBytes, named } from '../../fields/values.ts'
import { requireScope } from '../../http/caller/auth.ts'
import type { RecordRef } from '../../http/concurrency/entity-tags.ts'
import type { App } from '../../http/context.ts'
import { ApiError } from '../../http/errors.ts'
import type { Draft } from '../../http/request/check.ts'
import { reportUnknownFields } from '../../http/request/read.ts'
import * as listing from '../listings/schema.ts'
import { changeStatus } from '../listings/write.ts'
import { finishBegunMatching } from '../matching/run.ts'
import {
  contractsOf,
  type Property,
  requireOnlyAccepted,
  selectDealDefaults,
  selectOtherAccepted,
  selectProperty,
} from './property.ts'
import { type OfferRow, offers } from './resource.ts'
import { endOffers, insertRound, MAX_ROUNDS, type NewRound, requireRoom } from './rounds.ts'
import { isEnded, TRANSITIONS, UNDECIDED } from './transitions.ts'

export interface Permissions {
  /** Names keys that mean nothing for the record, in place of those that an attempt before has named. */
  ignore: (keys: readonly string[]) => void
  /** Throws 403 unless the caller may write listings. */
  requireListings: () => void
}

/** Those of a call with the body `draft`. */
export function permissionsOf(c: Context<App>, draft: Draft<unknown>): Permissions {
  return {
    ignore: (keys) => reportUnknownFields(c, draft, keys),
    requireListings: () => requireScope(c, { resource: 'listings', access: 'write' }),
  }
}

/** Maximum bytes of the rounds of an offer as JSON: they are read as one value, which D1 limits to 2 MB. */
const MAX_BYTES = 1_000_000

const { id: _, created_by, ...sent } = inputs(round)

/** The status that a listing gets with the deal. */
export const listingStatus = listing.changeStatus.shape.to
  .nullish()
  .describe('The status that the listing gets; needs `listings:write`')

export const newRound = named('OfferRoundInput', 'A step of a negotiation', {
  ...sent,
  created_by: created_by.nullish(),
  reject_others: z
    .boolean()
    .nullish()
    .describe('With `accepted`: rejects the other offers for the listing that are still open'),
  listing_status: listingStatus,
})

type Body = z.output<typeof newRound>

/** The keys that only the acceptance of an offer for an own listing has. */
const OF_ACCEPTANCE = ['reject_others', 'listing_status'] as const

/** The last rounds of an offer, as they are stored. */
type StoredRound = NewRound & { id: number }

const stored = (offer: OfferRow) => offer.rounds as unknown as StoredRound[]

function lastAmount(offer: OfferRow): number | null {
  return stored(offer).findLast((one) => one.amount !== null)?.amount ?? null
}

/** The amount that was accepted last. */
export function acceptedAmount(offer: OfferRow): number | null {
  return stored(offer).findLast(({ type }) => type === 'accepted')?.amount ?? lastAmount(offer)
}

/** What the rules of a round read. `id` is the offer. */
function lookupsOf(db: Database, { created_by, type, reject_others }: Partial<Body>, id: number) {
  const listing = sql`(select listing_id from offers where id = ${id})`
  const isAcceptance = type === 'accepted'
  return {
    missing: selectMissing([{ field: 'created_by', table: 'users', ids: idList(created_by) }]),
    defaults: selectDealDefaults(db, created_by),
    property: selectProperty(listing),
    accepted: isAcceptance ? selectOtherAccepted(listing, sql`${id}`) : null,
    others:
      isAcceptance && reject_others
        ? sqlStatement<{ json: string }>(sql`select ${undecided(listing, id)} as json`)
        : null,
    completed: sqlStatement<{ is: number }>(sql`select ${isCompleted(id)} as "is"`),
  }
}

/** SQL for whether an offer has a completed contract, which a round looks at again: one of an inactive offer leaves its version. */
const isCompleted = (offer: number) => sql`exists (${contractsOf(sql`${offer}`, 'is_completed = 1')})`

const UNDECIDED_NAMES = sql.raw(UNDECIDED.map((status) => `'${status}'`).join(', '))

/**
 * SQL for the other undecided offers for a listing, as JSON: their ids, and whether they take another round. As text, it is
 * compared in the transaction. `+` keeps SQLite from reading all offers for the listing in the order of their ids.
 */
const undecided = (listing: SQL, offer: number) => sql`(
  select json_group_array(json_array(id, (select count(*) from offer_rounds where offer_id = undecided.id) < ${MAX_ROUNDS}))
  from (select id from offers where listing_id = ${listing} and status in (${UNDECIDED_NAMES}) and id <> ${offer} order by +id) undecided)`

export interface RoundReply {
  status: number
  created_id: number
  data: object
  rejected?: number[]
}

/** Adds a round to an offer. Throws 404, 412, 400, 403, and 409 where its status does not allow the round. */
export async function addRound(
  db: Database,
  record: RecordRef,
  draft: Draft<Body>,
  permissions: Permissions,
  url: (key: string) => string,
): Promise<RoundReply> {
  const { id } = record
  let answer = (_: number): RoundReply => ({ status: 200, created_id: 0, data: {} })
  const reading = { current: offers.select({ id }), lookups: lookupsOf(db, draft.values, id) }
  const decide = (current: OfferRow, found: Results<ReturnType<typeof lookupsOf>>) => {
    const [property] = found.property
    const isJudged = draft.values.type === 'accepted' && property !== undefined
    if (!isJudged) permissions.ignore(OF_ACCEPTANCE.filter((key) => draft.values[key] != null))
    else if (draft.values.listing_status) permissions.requireListings()
    const [defaults] = found.defaults
    const made = resolveRound(draft, current, { ...found, property, creator: defaults?.creator ?? null })
    const { leadsTo } = TRANSITIONS[made.type]
    const status = leadsTo ?? current.status
    const completed = found.completed[0]?.is ?? 0
    const is_active = leadsTo ? !isEnded(leadsTo) && !completed : current.is_active
    const only = isJudged && is_active ? requireOnlyAccepted(property, id, found.accepted ?? []) : null
    const [others] = (isJudged && found.others) || []
    const rivals: [id: number, hasRoom: number][] = JSON.parse(others?.json ?? '[]')
    for (const [id, hasRoom] of rivals) requireRoom(`Offer ${id}`, hasRoom === 1)
    const rejected = rivals.map(([id]) => id)
    const { listing_status } = isJudged ? draft.values : {}

    const date_updated = formatDateTime(new Date())
    const after = { ...current, status, is_active, date_updated }
    answer = (created_id) => ({
      status: 200,
      created_id,
      data: offers.present(
        { ...after, rounds: [...stored(current), { id: created_id, ...made }] },
        url,
        false,
      ),
      ...(others ? { rejected } : {}),
    })
    const changes = changesOf('offers', current, { status, is_active })
    const before = lastAmount(current)
    if (made.amount !== null && made.amount !== before)
      changes.changed['rounds.amount'] = [before, made.amount]
    changes.others.push('rounds')
    return {
      row: updateRow(
        table,
        current,
        { status, is_active, date_updated },
        [],
        allOf(
          leadsTo ? fragmentOf(sql`${isCompleted(id)} = ${completed}`) : null,
          only,
          others && property ? fragmentOf(sql`${undecided(sql`${property.id}`, id)} = ${others.json}`) : null,
        ),
      ),
      trail: enterChanges('offers', [{ id, version: current.version + 1, changes }]),
      rejected:
        rejected.length > 0
          ? endOffers(rejected, {
              as: 'rejected',
              notes: `Offer ${id} was accepted`,
              created_by: made.created_by,
            })
          : null,
      listing: listing_status && property ? changeStatus(property.id, listing_status) : null,
      round: insertRound({ text: '?', params: [id] }, made),
      recording: recordReplyText(record.idempotentCall, record.resource, { text: '?', params: [id] }, () =>
        jsonWithNumber(answer, newestId(offer_rounds).text),
      ),
    }
  }
  const written = await mergeRecord(db, record, reading, decide, { isQueued: false })
  const { round, listing } = written?.results ?? {}
  if (listing) await finishBegunMatching(db, listing.matching)
  return answer(round?.[0]?.id ?? 0)
}

interface Found {
  missing: Results<ReturnType<typeof lookupsOf>>['missing']
  property: Property | undefined
  creator: number | null
}

/** The round that a body makes. Throws 400, and 409 where the status of the offer does not allow it. */
function resolveRound(draft: Draft<Body>, current: OfferRow, { missing, property, creator }: Found) {
  draft.refuseAll(missing)
  const { type, amount, notes, date_created } = draft.values
  const transition = type && TRANSITIONS[type]
  if (transition?.amount === 'none' && amount != null)
    draft.refuse('amount', `Invalid amount: a round ${type} has none`)
  if (transition?.amount === 'required' && amount == null && !draft.isRefused('amount'))
    draft.refuse('amount', 'Missing amount')
  if (type === 'note' && !notes?.trim() && !draft.isRefused('notes')) draft.refuse('notes', 'Missing notes')
  const created_by = draft.values.created_by ?? creator ?? 0
  if (created_by === 0 && !draft.isRefused('created_by')) draft.refuse('created_by', 'Missing created_by')
  const now = formatDateTime(new Date())
  const last = stored(current).at(-1)?.date_created ?? ''
  if (date_created && date_created < last)
    draft.refuse('date_created', `Invalid date_created: the last round is of ${last}`)
  if (date_created && date_created > now && date_created !== last)
    draft.refuse('date_created', 'Invalid date_created: must not be later than now')
  const sent = draft.complete()
  const { allowedIn, amount: needs } = TRANSITIONS[sent.type]
  if (!allowedIn.includes(current.status))
    throw new ApiError(409, `Offer is ${current.status}: ${sent.type} is not possible`)
  requireRoom('Offer', current.rounds.length < MAX_ROUNDS)
  const made = {
    type: sent.type,
    amount: sent.amount ?? (needs === 'last' ? lastAmount(current) : null),
    current_listing_price: sent.current_listing_price ?? priceNow(current, property),
    notes: sent.notes ?? null,
    created_by,
    // Clocks differ, and an import may have rounds that are still to come.
    date_created: sent.date_created ?? (now > last ? now : last),
  }
  if (needs === 'last' && made.amount === null) draft.refuse('amount', 'Missing amount')
  if (jsonBytes([...current.rounds, made]) > MAX_BYTES)
    draft.refuse('notes', `Invalid notes: rounds must be at most ${MAX_BYTES} bytes in all`)
  draft.complete()
  return made
}

function priceNow({ external_property }: OfferRow, property: Property | undefined): number | null {
  return property ? property.price : (external_property?.price ?? null)
}
