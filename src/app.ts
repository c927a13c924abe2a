/** The API on one page: middleware in order, routers, and the OpenAPI document. */
import type { Context } from 'hono'
import { cors } from 'hono/cors'
import { requestId } from 'hono/request-id'
import { z } from 'zod'
import { backupRoutes } from './admin/backups/routes.ts'
import { calendarAdminRoutes } from './admin/calendars/routes.ts'
import { definitionRoutes } from './admin/definitions/routes.ts'
import { screenOf } from './admin/erasure/screen.ts'
import { feedAdminRoutes } from './admin/feeds/routes.ts'
import { healthRoutes } from './admin/health.ts'
import { keyRoutes } from './admin/keys/routes.ts'
import { knowledgeBaseFileRoutes } from './admin/knowledge-base-files.ts'
import { peopleRoutes } from './admin/people/routes.ts'
import { findPerson, selfRoutes } from './admin/self.ts'
import { statsRoutes } from './admin/stats/routes.ts'
import { completeEntries, enterCall } from './admin/trail/enter.ts'
import { trailRoutes } from './admin/trail/routes.ts'
import { transferRoutes } from './admin/transfer/routes.ts'
import { watermarkRoutes } from './admin/watermarks.ts'
import { deliverWebhooks } from './admin/webhooks/after-write.ts'
import { webhookRoutes } from './admin/webhooks/routes.ts'
import { consoleRoutes } from './console/routes.ts'
import { databaseErrors } from './db/errors.ts'
import { idempotencyStore } from './db/idempotency-store.ts'
import { docsRoutes } from './docs/routes.ts'
import { calendarRoutes } from './feeds/calendars/routes.ts'
import { feedRoutes } from './feeds/routes.ts'
import { fileRoutes } from './files/routes.ts'
import { KEYED_AREAS } from './http/areas.ts'
import { BOOKMARK } from './http/bookmark.ts'
import { originOfPreflight } from './http/caller/website-keys.ts'
import { ifNoneMatch } from './http/concurrency/entity-tags.ts'
import { REPLAYED } from './http/concurrency/idempotency.ts'
import { onShortage } from './http/concurrency/room.ts'
import type { App } from './http/context.ts'
import { createApp, Router, registerRoutes, type Services } from './http/endpoint/router.ts'
import { MERGED_INTO } from './http/errors.ts'
import { logRequests } from './http/log.ts'
import { commonHeaders, isForOwnPages } from './http/reply/common-headers.ts'
import { drainBody } from './http/request/drain.ts'
import { serveDocument } from './openapi/serve.ts'
import { activityRoutes } from './resources/activities/routes.ts'
import { appointmentRoutes } from './resources/appointments/routes.ts'
import { changeRoutes } from './resources/changes/routes.ts'
import { contactRoutes } from './resources/contacts/routes.ts'
import { contractRoutes } from './resources/contracts/routes.ts'
import { enquiryRoutes } from './resources/enquiries/routes.ts'
import { expenseRoutes } from './resources/expenses/routes.ts'
import { externalListingRoutes } from './resources/external-listings/routes.ts'
import { incomeRoutes } from './resources/incomes/routes.ts'
import { knowledgeBaseRoutes } from './resources/knowledge-base/routes.ts'
import { listingRoutes } from './resources/listings/routes.ts'
import { releaseIndex } from './resources/listings/search/shared-index.ts'
import { agencyRoutes } from './resources/lookups/routes.ts'
import { offerRoutes } from './resources/offers/routes.ts'
import { requestRoutes } from './resources/requests/routes.ts'
import { taskRoutes } from './resources/tasks/routes.ts'
import { allowFraming, tourRoutes } from './tours/routes.ts'

const documentation = new Router(
  'Documentation',
  'This document, for tools that generate clients, mocks and reference pages from it. No key is required.',
)

export const routers = [
  listingRoutes,
  externalListingRoutes,
  contactRoutes,
  knowledgeBaseRoutes,
  requestRoutes,
  enquiryRoutes,
  offerRoutes,
  contractRoutes,
  incomeRoutes,
  expenseRoutes,
  appointmentRoutes,
  activityRoutes,
  taskRoutes,
  agencyRoutes,
  changeRoutes,
  selfRoutes,
  keyRoutes,
  webhookRoutes,
  feedAdminRoutes,
  calendarAdminRoutes,
  definitionRoutes,
  transferRoutes(screenOf),
  backupRoutes,
  peopleRoutes,
  trailRoutes,
  statsRoutes,
  watermarkRoutes,
  knowledgeBaseFileRoutes,
  fileRoutes,
  tourRoutes,
  feedRoutes,
  calendarRoutes,
  healthRoutes,
  documentation,
]

documentation.get(
  '/openapi.json',
  {
    summary: 'OpenAPI document',
    operationId: 'getOpenapiDocument',
    replyType: 'application/json',
    headers: z.object({
      'If-None-Match': ifNoneMatch
        .optional()
        .describe('Answers 304 if the document has one of these `ETag`s'),
    }),
    otherReplies: { 304: 'Not modified since the client last had it' },
  },
  (c, input) => serveDocument(c, routers, input.headers['If-None-Match']),
)

/** Bytes below which the index of listings need not make room, and what it may take together with what needs room. */
const [SMALL_INDEX, BUDGET] = [4 * 1024 * 1024, 80 * 1024 * 1024]
onShortage((needed) => releaseIndex(Math.max(SMALL_INDEX, BUDGET - needed)))

export const app = createApp()

app.use(drainBody)
app.use(requestId({ headerName: 'X-Request-Id' }))
app.use(logRequests)
const EXPOSED = [
  ...new Set([
    'Link',
    'ETag',
    'X-Total-Count',
    'X-Request-Id',
    'X-Ignored-Fields',
    'Preference-Applied',
    BOOKMARK,
    'RateLimit-Policy',
    'Retry-After',
    REPLAYED,
    'Deprecation',
    'Sunset',
    MERGED_INTO,
    ...routers.flatMap(({ endpoints }) =>
      endpoints.flatMap(({ contract }) => Object.keys(contract.replyHeaders ?? {})),
    ),
  ]),
]

const answerPreflight = cors({
  origin: async (origin, c) => {
    // First, because it also counts the call.
    const ofKey = await originOfPreflight(c)
    return allowedOrigin(c, origin) ?? ofKey
  },
  allowMethods: ['GET', 'HEAD', 'QUERY', 'POST', 'PUT', 'DELETE'],
  exposeHeaders: EXPOSED,
  maxAge: 86_400,
})
app.use((c, next) => (c.req.method === 'OPTIONS' ? answerPreflight(c, next) : next()))
app.use('/tours/*', allowFraming)
app.use(
  commonHeaders({
    allowedOrigin: (c) => allowedOrigin(c, c.req.header('Origin') ?? ''),
    exposed: EXPOSED,
  }),
)
for (const area of [...KEYED_AREAS, 'admin']) app.use(`/${area}/*`, deliverWebhooks, completeEntries)

/** What the routes use that http does not know. */
export const services: Services = { idempotencyStore, databaseErrors, findPerson, enterCall }

registerRoutes(app, [...routers, docsRoutes, consoleRoutes], services)

function allowedOrigin(c: Context<App>, origin: string): string | null {
  if (isForOwnPages(c.req.path)) return null
  const allowed = c.env.CORS_ORIGINS ?? '*'
  if (allowed.trim() === '*') return '*'
  const origins = allowed.split(',').map((entry) => entry.trim())
  return origins.includes(origin) ? origin : null
}
