/** `/admin/calendars`: calendars that phones subscribe to. */
import type { Context } from 'hono'
import { z } from 'zod'
import { idList, selectMissing } from '../../db/references.ts'
import { CALENDAR_DETAILS, calendars } from '../../db/tables/calendars.ts'
import { hashOf } from '../../feeds/calendars/stored.ts'
import { dateTime, id, named } from '../../fields/values.ts'
import type { App } from '../../http/context.ts'
import { Router } from '../../http/endpoint/router.ts'
import { publicUrlBuilder } from '../../http/urls.ts'
import { serveAddresses } from '../addresses.ts'
import { ADMINISTRATION } from '../tag.ts'

export const calendarAdminRoutes = new Router(...ADMINISTRATION)

const MAX_CALENDARS = 1000

const user_id = id().describe('Whose appointments it has')
const DETAIL =
  '`brief`: of contacts their first names; `full`: their names and telephones. Each has what an appointment is for, the ' +
  'code of its listing and its place, neither has titles, notes, feedback and e-mails'
const detail = z.enum(CALENDAR_DETAILS).describe(DETAIL)
const tasks = z.boolean().describe('Whether it has the tasks of the user that are due on a day, too')
const options = { detail: detail.nullish().describe(DETAIL), tasks: tasks.nullish() }

const input = named('CalendarInput', 'A new calendar', { user_id, ...options })
const update = named('CalendarUpdate', 'Changes of a calendar', { user_id: user_id.optional(), ...options })
const record = named('Calendar', 'A calendar for phones', {
  id: z.int().describe('Id of the calendar'),
  user_id: z.int().describe('Whose appointments it has'),
  detail,
  tasks,
  url: z
    .string()
    .optional()
    .describe(
      'Where phones subscribe to it. It needs no key: keep it secret. Only the call that makes or changes it shows it',
    ),
  date_created: dateTime().describe('When it was made'),
  date_updated: dateTime().describe('When its values or its URL last changed'),
})

serveAddresses(calendarAdminRoutes, {
  ...{ table: calendars, name: 'Calendar', maximum: MAX_CALENDARS, input, update, record },
  descriptions: {
    create:
      'Its URL shows the appointments of the user without a key. Only this response has it: the service stores its hash. ' +
      `At most ${MAX_CALENDARS}. See [The diary](/docs/diary.md).`,
    update: 'Keys that are not sent keep their values. The URL stays.',
  },
  reading: ({ values }) => ({
    missing: selectMissing([{ field: 'user_id', table: 'users', ids: idList(values.user_id) }]),
  }),
  decide(draft, { missing }, current) {
    draft.refuseAll(missing)
    const { user_id, detail, tasks } = draft.values
    return {
      user_id,
      detail: detail === null ? 'brief' : (detail ?? current?.detail ?? 'brief'),
      tasks: tasks === null ? false : (tasks ?? current?.tasks ?? false),
    }
  },
  keep: hashOf,
  present(c: Context<App>, { id, user_id, detail, tasks, date_created, date_updated }, token) {
    const url = token && publicUrlBuilder(c)(`calendars/${token}.ics`)
    return { id, user_id, detail, tasks, ...(url && { url }), date_created, date_updated }
  },
})
