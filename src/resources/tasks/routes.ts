/** `/api/tasks`: list, read, create, update, delete, and `/done`. */
import { subjects } from '../../catalogue/subjects.ts'
import { database } from '../../db/client.ts'
import { selectCaller } from '../../db/default-creator.ts'
import { idList } from '../../db/references.ts'
import { tasks as table } from '../../db/tables/tasks.ts'
import { readInZone } from '../../db/time-zone.ts'
import { filledText } from '../../fields/values.ts'
import { Router } from '../../http/endpoint/router.ts'
import type { FilterValues } from '../plain/filters.ts'
import { writesOf } from '../plain/plain-writes.ts'
import { serveDeletion, serveWrites } from '../plain/writes.ts'
import { serveRecords } from '../records.ts'
import { completion, doneBody, finishTask, refuseLeft, selectLeft, statusChange } from './done.ts'
import { tasks } from './resource.ts'

export const taskRoutes = new Router(
  'Tasks',
  'What is to be done, by whom and by when, for contacts or about other records. A deleted task is hidden.',
)

const EDITED = [
  ...(['title', 'notes', 'due', 'user_id', 'contacts'] as const),
  ...(Object.keys(subjects) as (keyof typeof subjects)[]),
  ...(['appointment_id', 'store_id'] as const),
]

/** Only an erasure leaves a task without a title. Its type is that of the field. */
const REQUIRED: Record<never, never> = { title: filledText().describe('What is to be done') }

const writes = writesOf(tasks, {
  create: {
    takes: [...EDITED, 'created_by'],
    optional: ['user_id', 'created_by'],
    more: REQUIRED,
    description: 'It is open, and for the user of the key unless the body says otherwise.',
  },
  update: {
    takes: [...EDITED.slice(0, 4), 'status', ...EDITED.slice(4)],
    more: REQUIRED,
    description:
      'Only the keys sent change. The status `open` reopens a task: it loses `done_date` and `result`, which are ignored ' +
      'otherwise. The creator never changes.',
  },
  lookups: ({ user_id }, { db }) => ({ caller: selectCaller(db), left: selectLeft(idList(user_id)) }),
  decide(draft, { caller: [caller], left }, { current, changedKeys }) {
    const { values } = draft
    if (changedKeys.has('user_id')) refuseLeft(draft, 'user_id', left)
    if (current) return { set: statusChange(current, values.status) }
    const user_id = values.user_id ?? caller?.id
    if (user_id === undefined && !draft.isRefused('user_id')) draft.refuse('user_id', 'Missing user_id')
    return { set: { status: 'open' as const, ...(user_id != null && { user_id }) } }
  },
})

serveRecords(taskRoutes, {
  ...tasks,
  findPage: (db, filters: FilterValues) =>
    filters.overdue == null
      ? tasks.findPage(db, filters)
      : readInZone(db, (_, joined) => tasks.findPage(joined, filters)),
})
serveWrites(taskRoutes, writes)
serveDeletion(taskRoutes, {
  resource: 'tasks',
  table,
  description: 'The task is hidden; its tombstone is in the change feed.',
})

taskRoutes.post(
  '/api/tasks/{id}/done',
  {
    summary: 'Finish a task',
    operationId: 'finishTask',
    description:
      'The task is done now. `next` creates what is to be done next, for the same user unless it says otherwise, and about ' +
      'the same records. A task that is done already stays as it is, and nothing is created.',
    resource: 'Task',
    body: completion,
    reply: doneBody,
  },
  async (c, input) => {
    const draft = await input.body()
    return c.json(await finishTask(database(c.env), input.record(), draft))
  },
)
