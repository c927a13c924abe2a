/** `…/{id}/timeline`: all that happened with a contact, a listing or a request. */
import { z } from 'zod'
import { oneOf, resourceNamed } from '../../catalogue/resources.ts'
import { database } from '../../db/client.ts'
import { textStatement } from '../../db/statements.ts'
import { int, named, text } from '../../fields/values.ts'
import { hasScope } from '../../http/caller/auth.ts'
import type { ApiKey } from '../../http/context.ts'
import type { Router } from '../../http/endpoint/router.ts'
import { status } from '../../http/reply/envelope.ts'
import { namesFilter } from '../../http/request/filters.ts'
import { KINDS, type Kind, MAX_PARENTS, type Subject } from './kinds.ts'
import { entry, formatCursor, KIND_NAMES, parseCursor, presentTimeline, readTimeline } from './read.ts'

const DEFAULT_LIMIT = 30
const MAX_LIMIT = 100
const LEFT_OUT = 'X-Left-Out'

const filters = named('TimelineFilters', 'Which entries of a timeline to read', {
  before: text()
    .nullish()
    .transform((value, context) => {
      const cursor = value ? parseCursor(value, KIND_NAMES) : null
      if (value && !cursor) context.addIssue('must be `next` of an earlier reply')
      return cursor
    })
    .describe('`next` of an earlier reply; from the newest entry when omitted'),
  limit: int()
    .min(1)
    .max(MAX_LIMIT)
    .nullish()
    .describe(`Maximum entries, up to ${MAX_LIMIT}; ${DEFAULT_LIMIT} when omitted`),
  kinds: namesFilter(KIND_NAMES).describe('Only entries of these kinds, with commas between them'),
})

const body = named('Timeline', 'A part of a timeline', {
  status,
  data: z.array(entry).describe('Entries, newest first'),
  next: z.string().nullable().describe('Value of `before` for the next call; null at the end'),
})

const mayRead = (key: ApiKey, resource: string) => {
  const [segment = ''] = resource.split('/')
  return hasScope(key, { resource: segment, access: 'read' })
}

/** Adds the timeline of the records of a resource to `router`. */
export function serveTimeline(router: Router, subject: Subject): void {
  const facts = resourceNamed(subject)
  const isThere = facts.deletedIf === 'is_deleted' ? ' and is_deleted = 0' : ''
  router.get(
    `/api/${subject}/{id}/timeline`,
    {
      summary: `Read the timeline of ${oneOf(facts)}`,
      operationId: `read${facts.one}Timeline`,
      description:
        'All that happened, newest first: activities, appointments, feedback and tasks that are done; and, derived when ' +
        'read, enquiries, requests, rounds of offers, contracts and changes of values. Kinds that the key may not read are ' +
        `absent and named in \`${LEFT_OUT}\`. An owner's timeline has viewings, feedback, offers and changes of the owned ` +
        'listings, for keys that may read listings. Of the offers, requests, contracts and listings of a contact, the ' +
        `${MAX_PARENTS} newest count. Follow \`next\` to miss nothing, whatever is written meanwhile.`,
      resource: facts.one,
      part: true,
      filters,
      list: true,
      reply: body,
      replyHeaders: { [LEFT_OUT]: 'Kinds that the key may not read, as `offer_round, contract`' },
    },
    async (c, input) => {
      const id = input.id()
      const { before, limit, kinds } = input.filters().complete()
      const key = c.get('key')
      const asked = KINDS.filter(({ kind }) => kinds?.includes(kind) ?? true)
      const isLeftOut = ({ facts: own }: Kind) => own !== null && !mayRead(key, own.resource)
      const leftOut = asked.filter(isLeftOut).map(({ kind }) => kind)
      const page = await readTimeline(
        database(c.env),
        {
          subject,
          id,
          before,
          limit: limit ?? DEFAULT_LIMIT,
          kinds: asked.filter((kind) => !isLeftOut(kind)),
          hasListings: mayRead(key, 'listings'),
        },
        textStatement(`select 1 from ${facts.table} where id = ?${isThere}`, [id]),
      )
      if (leftOut.length > 0) c.header(LEFT_OUT, leftOut.join(', '))
      const data = await presentTimeline(c.env, { subject }, page)
      return c.json({ status: 200, data, next: page.next && formatCursor(page.next) })
    },
  )
}
