/** `/health`: whether the service can reach what it needs. */
import { z } from 'zod'
import { database, runStatement } from '../db/client.ts'
import { textStatement } from '../db/statements.ts'
import { Router } from '../http/endpoint/router.ts'
import { ApiError } from '../http/errors.ts'
import { recordBody, replyWithRecord } from '../http/reply/envelope.ts'
import { API_VERSION } from '../http/version.ts'

export const healthRoutes = new Router(
  'Health',
  'For monitors. Needs no key, and shows only whether the service can reach its database and bucket.',
)

healthRoutes.get(
  '/health',
  {
    summary: 'Check the database and the bucket',
    operationId: 'checkHealth',
    description: 'Answers 503 when the database (with its migrations) or the bucket cannot be reached.',
    reply: recordBody(
      z
        .object({
          database: z.literal('ok').describe('The database answers'),
          bucket: z.literal('ok').describe('The bucket answers'),
          version: z.string().describe('Version of the contract, as in `/openapi.json`'),
        })
        .meta({ id: 'Health', description: 'State of what the service depends on' }),
    ),
    errors: { 503: 'Database unavailable, bucket ok' },
  },
  async (c) => {
    const checks = await Promise.allSettled([
      // Reads a table of ours, so that a database without migrations is not reported as healthy.
      runStatement(database(c.env), textStatement('select 1 from settings limit 1')),
      c.env.PHOTOS.head('health'),
    ])
    const [database_, bucket] = checks.map(({ status }) => (status === 'fulfilled' ? 'ok' : 'unavailable'))
    if (database_ !== 'ok' || bucket !== 'ok') {
      throw new ApiError(503, `Database ${database_}, bucket ${bucket}`)
    }
    return replyWithRecord(c, { database: database_, bucket, version: API_VERSION })
  },
)
