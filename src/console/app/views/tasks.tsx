/** Tasks, which can be finished, and a form for another. */

import type { RecordOf } from 'estia/client'
import { useState } from 'hono/jsx/dom'
import { call, may } from '../call.ts'
import { UserField } from '../names.tsx'
import { Badge, Dialog, Form, Result, RowButton, Table, TextArea, TextField, textOf } from '../parts.tsx'
import { type Loaded, todayOf, useConsole, useLoaded } from '../state.ts'
import { Attendees } from './diary.tsx'

type Task = RecordOf<'/api/tasks'>

/** Open tasks, the first due first; none if the caller may not read tasks. */
export function useTasks(filters: Record<string, string>): Loaded<Task[]> {
  const { self } = useConsole()
  const query = new URLSearchParams({ status: 'open', sort: 'due', per_page: '100', ...filters })
  return useLoaded(`tasks ${query}`, async () =>
    may(self, 'tasks:read') ? (await call<{ data: Task[] }>('GET', `/api/tasks?${query}`)).data : [],
  )
}

interface Props {
  title: string
  tasks: Loaded<Task[]>
  onDone: () => void
}

export function Tasks({ title, tasks, onDone }: Props) {
  const { texts, self, formatDate, nameOf, fieldName } = useConsole()
  const [chosen, setChosen] = useState<Task | null>(null)
  const isLate = (due: string) => due < todayOf(self)
  return (
    <Result loaded={tasks}>
      {(rows) =>
        rows.length > 0 && (
          <section aria-labelledby="tasks">
            <h2 id="tasks">{title}</h2>
            <Table
              caption={title}
              rows={rows}
              columns={[
                {
                  title: fieldName('due'),
                  cell: ({ due }) => due && <Badge kind={isLate(due) ? 'bad' : ''}>{formatDate(due)}</Badge>,
                },
                {
                  title: nameOf('records', 'tasks'),
                  cell: (task) => <strong>{task.title}</strong>,
                },
                {
                  title: texts.actor,
                  cell: ({ user_id, contacts }) => <Attendees users={[user_id]} contacts={contacts} />,
                },
                {
                  title: texts.actions,
                  cell: (task) =>
                    may(self, 'tasks:write') && (
                      <RowButton title={texts.finish} of={task.title ?? ''} onPress={() => setChosen(task)} />
                    ),
                },
              ]}
            />
            {chosen && <Finish task={chosen} onDone={onDone} onClose={() => setChosen(null)} />}
          </section>
        )
      }
    </Result>
  )
}

/** How a task ended, and what is to be done next. */
function Finish({
  task: { id, title },
  onDone,
  onClose,
}: {
  task: Task
  onDone: () => void
  onClose: () => void
}) {
  const { texts, fieldName } = useConsole()
  const finish = async (form: HTMLFormElement) => {
    const [result, next, due] = ['result', 'next', 'next-due'].map((name) => textOf(form, name) || null)
    const body = { result, next: next || due ? { title: next, due } : null }
    await call('POST', `/api/tasks/${id}/done`, { body })
    onClose()
    onDone()
  }
  return (
    <Dialog title={`${texts.finish}: ${title ?? id}`} onClose={onClose}>
      <Form title={texts.finish} work={finish}>
        <TextArea id="result" name="result" label={fieldName('result')} maxlength={5000} />
        <div class="fields">
          <TextField label={texts.nextTask} hint={texts.nextTaskHint} name="next" />
          <TextField label={fieldName('due')} name="next-due" type="date" />
        </div>
      </Form>
    </Dialog>
  )
}

/** A new task for a contact. */
export function NewTask({ contact, onDone }: { contact: number; onDone: () => void }) {
  const { texts, self, fieldName } = useConsole()
  const make = async (form: HTMLFormElement) => {
    const [title, due, user] = ['title', 'due', 'user'].map((name) => textOf(form, name) || null)
    const body = { title, due, contacts: [contact], ...(user && { user_id: Number(user) }) }
    await call('POST', '/api/tasks', { body })
    onDone()
  }
  return (
    <Form title={texts.add} work={make}>
      <h3>{texts.newTask}</h3>
      <div class="fields">
        <TextField label={fieldName('title')} name="title" required />
        <TextField label={fieldName('due')} name="due" type="date" />
        <UserField label={fieldName('user_id')} value={self.user_id} />
      </div>
    </Form>
  )
}
