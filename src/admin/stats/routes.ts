/** `/admin/stats`: figures for operators and their monitors. */
import { database } from '../../db/client.ts'
import { Router } from '../../http/endpoint/router.ts'
import { recordBody, replyWithRecord } from '../../http/reply/envelope.ts'
import { ADMINISTRATION } from '../tag.ts'
import { readFigures } from './figures.ts'
import { presentStats } from './present.ts'
import { stats } from './schema.ts'

export const statsRoutes = new Router(...ADMINISTRATION)

statsRoutes.get(
  '/admin/stats',
  {
    summary: 'Read figures for monitoring',
    scope: 'admin:stats',
    operationId: 'readStats',
    description:
      'How many records there are, what waits, how the jobs of cron went, and how large everything is. Cheap enough to ' +
      'be read every minute. Times are UTC.',
    reply: recordBody(stats),
  },
  async (c) => replyWithRecord(c, presentStats(await readFigures(database(c.env)))),
)
