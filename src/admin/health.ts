/** `/health`: whether the service can reach what it needs. */

import { z } from 'zod'
import { database } from '../db/client.ts'
import { isSchemaBehind } from '../db/migrations.ts'
import { named } from '../fields/values.ts'
import { Router } from '../http/endpoint/router.ts'
import { ApiError } from '../http/errors.ts'
import { recordBody } from '../http/reply/envelope.ts'
import { API_VERSION } from '../http/version.ts'

/** The message of 503 while the database lacks a migration. */
const SCHEMA_BEHIND = 'schema behind'

export const healthRoutes = new Router(
  'Health',
  'For monitors. Needs no key, and shows only whether the service can reach its database and bucket.',
)

healthRoutes.get(
  '/health',
  {
    summary: 'Check the database and the bucket',
    operationId: 'checkHealth',
    description:
      'Answers 503 when the database or the bucket cannot be reached, and 503 `schema behind` while the database lacks ' +
      'a migration that this version needs.',
    reply: recordBody(
      named('Health', 'State of what the service depends on', {
        database: z.literal('ok').describe('The database answers'),
        bucket: z.literal('ok').describe('The bucket answers'),
        version: z.string().describe('Version of the contract, as in `/openapi.json`'),
      }),
    ),
    errors: { 503: SCHEMA_BEHIND },
  },
  async (c) => {
    const [schema, head] = await Promise.allSettled([
      isSchemaBehind(database(c.env)),
      c.env.PHOTOS.head('health'),
    ])
    const [database_, bucket] = [schema, head].map(({ status }) =>
      status === 'fulfilled' ? 'ok' : 'unavailable',
    )
    if (database_ !== 'ok' || bucket !== 'ok') {
      throw new ApiError(503, `Database ${database_}, bucket ${bucket}`)
    }
    if (schema.status === 'fulfilled' && schema.value) throw new ApiError(503, SCHEMA_BEHIND)
    return { database: database_, bucket, version: API_VERSION }
  },
)
