/** `/health`: whether the service can reach what it needs. */
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { database } from '../db/client.ts'
import { ApiError } from '../http/errors.ts'
import { Router } from '../http/router.ts'

export const healthRoutes = new Router('Health', 'For monitors; needs no key.')

healthRoutes.get(
  '/health',
  {
    summary: 'Check the database and the bucket',
    reply: z.object({
      status: z.literal(200),
      data: z.object({ database: z.literal('ok'), bucket: z.literal('ok') }),
    }),
    errors: [503],
  },
  async (c) => {
    const checks = await Promise.allSettled([
      // A table of ours, so that a database without migrations is not called healthy.
      database(c.env).run(sql`select 1 from settings limit 1`),
      c.env.PHOTOS.head('health'),
    ])
    const [database_, bucket] = checks.map(({ status }) => (status === 'fulfilled' ? 'ok' : 'unavailable'))
    if (database_ !== 'ok' || bucket !== 'ok') {
      throw new ApiError(503, `Database ${database_}, bucket ${bucket}`)
    }
    return c.json({ status: 200, data: { database: database_, bucket } })
  },
)
