/** Calendars for phones, without a key, under unguessable names: the appointments of a user. */
import { z } from 'zod'
import { database } from '../../db/client.ts'
import { Router } from '../../http/endpoint/router.ts'
import { databaseBusy } from '../../http/errors.ts'
import { streamToAnyone } from '../../http/reply/stream.ts'
import { countReader, fileNotFound, isKnown, replyWithFile, TOKEN } from '../reply.ts'
import { digestOf } from '../stored.ts'
import { calendarText } from './events.ts'
import { findCalendar } from './stored.ts'

const TYPE = 'text/calendar; charset=utf-8'

export const calendarRoutes = new Router(
  'Calendars',
  'The diary of a user, for the calendars of phones and computers. Anyone who knows its URL may read it.',
)

calendarRoutes.get(
  '/calendars/{file}',
  {
    summary: 'A calendar',
    operationId: 'getCalendarFile',
    description:
      'The appointments of a user as iCalendar (RFC 5545), from 30 days ago to 400 ahead, 2,000 at most; with `tasks` also ' +
      'tasks, on the days when they are due. What was cancelled or deleted stays for 30 days as cancelled, and so does an ' +
      'appointment that is no longer theirs. After a fault the end of the file is missing. An ' +
      'unknown or former URL, and that of a user who has left, answer alike. See [The diary](/docs/diary.md).',
    params: z.object({ file: z.string().describe('32 hexadecimal digits, and `.ics`') }),
    headers: z.object({
      'If-None-Match': z.string().optional().describe('Answers 304 if the calendar has one of these `ETag`s'),
    }),
    replyType: 'text/calendar',
    replyHeaders: { ETag: 'Changes with everything that the calendar shows' },
    otherReplies: { 304: 'Not modified since the client last had it' },
    errors: { 503: databaseBusy().message },
  },
  async (c, input) => {
    await countReader(c, 'calendar ')
    const [token = '', ...rest] = input.params().file.split('.')
    const db = database(c.env)
    const isNamed = rest.join('.') === 'ics' && TOKEN.test(token)
    const calendar = isNamed ? await findCalendar(db, token) : null
    if (!calendar) throw fileNotFound()
    const version = { tag: digestOf(calendar.state), caches: 'private' as const }
    if (isKnown(version, input.headers)) return replyWithFile(c, version, null)
    // Nothing is made for it.
    const body = c.req.method === 'HEAD' ? '' : await streamToAnyone(c, calendarText(db, calendar))
    return replyWithFile(c, version, { type: TYPE, body })
  },
)
