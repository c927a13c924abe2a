/** `/api/enquiries`: create, also for visitors; list, read, update, convert. */
import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import { z } from 'zod'
import { record } from '../../catalogue/enquiry.ts'
import { ENQUIRY_STATUSES, ENQUIRY_TYPES } from '../../catalogue/office-enums.ts'
import { RATE_LIMITS } from '../../catalogue/rate-limits.ts'
import { CREATE_ENQUIRIES, WRITE_ENQUIRIES } from '../../catalogue/scopes.ts'
import { database } from '../../db/client.ts'
import { enquiries } from '../../db/tables/enquiries.ts'
import { outputs } from '../../fields/derive.ts'
import { named } from '../../fields/values.ts'
import { hasScope, requireScope } from '../../http/caller/auth.ts'
import { countCall, rateLimit } from '../../http/caller/rate-limits.ts'
import type { WriteContext } from '../../http/concurrency/entity-tags.ts'
import type { App } from '../../http/context.ts'
import { Router } from '../../http/endpoint/router.ts'
import { clientNetwork, clientSite } from '../../http/networks.ts'
import { createdBody, createdReply, status } from '../../http/reply/envelope.ts'
import { mailBehindReply } from '../mails/queue.ts'
import { DUPLICATES } from '../people/duplicates.ts'
import { enquirySearch } from '../people/search.ts'
import { dateTimes, filteredList, id, oneOf } from '../plain/filters.ts'
import { serveWrites } from '../plain/writes.ts'
import { serveRecords } from '../records.ts'
import { convertEnquiry } from './convert.ts'
import { ENQUIRY_MAILS } from './mail.ts'
import { enquiry, presentListedEnquiry } from './present.ts'
import { selectEnquiry, selectListed } from './queries.ts'
import { ANY_LISTING } from './rules.ts'
import * as schema from './schema.ts'
import { requireHuman } from './turnstile.ts'
import { type CreatedEnquiry, createEnquiry, enquiryWrites, type Screening } from './write.ts'

const { filters: enquiryFilters, findPage } = filteredList('enquiries', enquiries, {
  filters: {
    status: oneOf(enquiries.status, ENQUIRY_STATUSES, 'How far it is'),
    type: oneOf(enquiries.type, ENQUIRY_TYPES, 'What is asked for'),
    listing_id: id(enquiries.listing_id, 'The listing that it is about'),
    date_created: dateTimes(enquiries.date_created, 'When it was sent'),
    search: enquirySearch(),
  },
  sort: ['date_created', 'date_updated'],
  select: selectListed,
})

const PATH = '/api/enquiries'

export const enquiryRoutes = new Router(
  'Enquiries',
  'What visitors of websites write to the agency: questions about a listing, wishes to view it, offers, valuations and ' +
    'searches. An enquiry becomes a contact, and a request, when it is converted. Spam is removed after 90 days, and ' +
    'closed enquiries after 2 years, unless the settings say otherwise.',
)

serveRecords(enquiryRoutes, {
  resource: 'enquiries',
  list: {
    description: 'Newest first unless `sort` is set.',
    filters: enquiryFilters,
    record: enquiry,
  },
  read: { record: enquiry },
  findPage,
  select: selectEnquiry,
  present: presentListedEnquiry,
})

const { reference } = outputs(record)

/** The reply to visitors. An id would reveal how many enquiries there are. */
const receivedBody = named('EnquiryReceived', 'What the visitor may name the enquiry by', {
  status,
  reference,
})

const createdEnquiry = named('EnquiryCreated', 'What was created, and what the visitor may name it by', {
  ...createdBody.shape,
  reference,
})

enquiryRoutes.post(
  PATH,
  {
    body: schema.enquiryInput,
    reply: createdEnquiry,
    summary: 'Create an enquiry',
    description:
      'One of `email` and `phone` is required. `amount` and `dates` are dropped unless the type is `offer` or `viewing`. ' +
      'The reply is the same whatever the agency knows of the sender. A key without `listings:read` may name active ' +
      'listings only. Website keys need `enquiries:create` or `enquiries:write`; with `enquiries:create`, an address ' +
      'has five enquiries a minute, a network 50, and a key 5,000 that are `new`, past which it gets 429 ' +
      '`Too many enquiries`; and a token of Turnstile is checked if the deployment has its secret. With ' +
      '`X-Visitor-Address`, the limits of address and network hold for that visitor, with either scope.',
    errors: { 503: 'The check of turnstile_token gave no answer; try again' },
  },
  async (c, input) => {
    const readsListings = hasScope(c.get('key'), { resource: 'listings', access: 'read' })
    const listings = readsListings ? ANY_LISTING : { public: true, stores: null }
    const screening = { listings, sentBy: null, mail: () => mailBehindReply(c, ENQUIRY_MAILS) }
    const answer = ({ id, reference }: CreatedEnquiry) => ({ ...createdReply(id), reference })
    return c.json(await createEnquiry(database(c.env), await input.body(), input.call, screening, answer))
  },
)

enquiryRoutes
  .forVisitors([CREATE_ENQUIRIES, WRITE_ENQUIRIES], () => ({}))
  .post(PATH, { body: schema.enquiryInput, reply: receivedBody }, async (c, input, { stores }) => {
    const screening: Screening = {
      listings: { public: true, stores },
      sentBy: isForVisitors(c) ? c.get('key').id : null,
      admit: ({ turnstile_token }) => admitVisitor(c, input.call, turnstile_token),
      mail: () => mailBehindReply(c, ENQUIRY_MAILS),
    }
    const answer = ({ reference }: CreatedEnquiry) => ({ status: 200, reference })
    return c.json(await createEnquiry(database(c.env), await input.body(), input.call, screening, answer))
  })

/** Whether anybody may hold the key of the call; a website's server has its own means against programs. */
const isForVisitors = (c: Context<App>) => c.get('key').scopes.includes(CREATE_ENQUIRIES)

/** Counts a valid enquiry of a visitor whose address is known, and checks the token. Throws 429, 400 and 503. */
async function admitVisitor(
  c: Context<App>,
  { idempotentCall }: WriteContext,
  token: string | null | undefined,
): Promise<void> {
  const visitorAddress = c.get('visitorAddress')
  if (!isForVisitors(c) && visitorAddress === undefined) return
  const key = c.get('key')
  const address = clientNetwork(c)
  await countCall(rateLimit(c, RATE_LIMITS.enquiry), `${key.id} ${address}`)
  await countCall(rateLimit(c, RATE_LIMITS.network), `${key.id} ${clientSite(c)}`)
  const { TURNSTILE_SECRET: secret } = c.env
  if (!secret || !isForVisitors(c)) return
  const attempt = idempotentCall && uuidOf(idempotentCall.digest)
  const sender = visitorAddress ?? c.req.header('CF-Connecting-IP') ?? ''
  await requireHuman(c.env, secret, { token, address: sender, attempt })
}

/** A UUID that depends on `text` alone. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
}

serveWrites(enquiryRoutes, {
  ...enquiryWrites,
  update: {
    description: 'Only the keys sent change. What the sender has written never changes.',
    body: schema.enquiryUpdate,
  },
})

enquiryRoutes.post(
  `${PATH}/{id}/convert`,
  {
    summary: 'Convert an enquiry',
    operationId: 'convertEnquiry',
    description:
      'Makes a contact of the sender, unless `contact_id` names one, and with `create_request` a request for it, in one ' +
      'transaction. The status becomes `open`. An enquiry that is converted already stays as it is, and the reply has ' +
      'the same ids. Needs `enquiries:write`, `contacts:write` to make a contact, and `requests:write` to make a request.',
    resource: 'Enquiry',
    part: true,
    checksScopes: true,
    isIdempotent: true,
    query: DUPLICATES.query,
    replyHeaders: DUPLICATES.replyHeaders,
    errors: {
      403: 'This API key lacks the scope contacts:write',
      409: 'The sender of this enquiry was erased',
    },
    body: schema.enquiryConversion,
    reply: named('EnquiryConverted', 'What an enquiry has become', {
      status,
      contact_id: z.int().describe('The contact'),
      request_id: z.int().nullable().describe('The request; null if none was made'),
    }),
  },
  async (c, input) => {
    requireScope(c, { resource: 'enquiries', access: 'write' })
    const draft = await input.body()
    const { contact_id, create_request } = draft.values
    if (!contact_id) requireScope(c, { resource: 'contacts', access: 'write' })
    if (create_request) requireScope(c, { resource: 'requests', access: 'write' })
    return { status: 200, ...(await convertEnquiry(database(c.env), input.record(), draft, c)) }
  },
)
