/** A contact before the next call: who it is, what is to be done, what was said, and all that happened. */
import { useEffect, useState } from 'hono/jsx/dom'
import { call, may, read } from '../call.ts'
import { Form, Result, Select, TextArea, textOf } from '../parts.tsx'
import { useConsole, useLoaded } from '../state.ts'
import { Duplicates, type Merged, MergedNotice } from './duplicates.tsx'
import { type Contact, fullName } from './enquiry/data.ts'
import { NewTask, Tasks, useTasks } from './tasks.tsx'
import { Timeline } from './timeline.tsx'

export function ContactView({ id }: { id: string }) {
  const { self, texts } = useConsole()
  const path = `/api/contacts/${encodeURIComponent(id)}`
  const contact = useLoaded(path, () => read<Contact>(path))
  const tasks = useTasks({ contact_id: id })
  const [merged, setMerged] = useState<Merged | null>(null)
  // Raised by what is written, so that the rest is read anew.
  const [version, setVersion] = useState(0)
  const onDone = () => {
    tasks.reload()
    setVersion((before) => before + 1)
  }
  const onMerge = (next: Merged) => {
    setMerged(next)
    contact.reload()
    onDone()
  }
  // What had the focus may be gone with what was done.
  useEffect(() => {
    if (document.activeElement === document.body)
      document.getElementById('main')?.focus({ preventScroll: true })
  })
  const into = contact.error?.mergedInto
  const shown = merged ?? (into ? { id: Number(id), into: Number(into) } : null)
  return (
    <>
      {shown && <MergedNotice merged={shown} onUndone={onMerge} />}
      {!into && (
        <Result loaded={contact}>
          {({ id: contactId, emails, phones, company_name, ...names }) => (
            <article>
              <h2>{[fullName(names), company_name].filter(Boolean).join(', ')}</h2>
              <p>
                {[
                  ...phones.map(({ number }) => ['tel', number]),
                  ...emails.map(({ email_address }) => ['mailto', email_address]),
                ].map(([scheme, text]) => (
                  <a class="part" href={`${scheme}:${text}`}>
                    {text}
                  </a>
                ))}
              </p>
              <Duplicates key={`duplicates ${version}`} contact={contactId} onMerged={onMerge} />
              <Tasks title={texts.openTasks} tasks={tasks} onDone={onDone} />
              {may(self, 'activities:write') && <Note contact={contactId} onDone={onDone} />}
              {may(self, 'tasks:write') && <NewTask contact={contactId} onDone={onDone} />}
              <h2>{texts.timeline}</h2>
              <Timeline key={`timeline ${version}`} contact={contactId} />
            </article>
          )}
        </Result>
      )}
    </>
  )
}

/** What was said, now. */
function Note({ contact, onDone }: { contact: number; onDone: () => void }) {
  const { texts, namesOf, fieldName } = useConsole()
  const note = async (form: HTMLFormElement) => {
    const [type, direction, text] = ['type', 'direction', 'text'].map((name) => textOf(form, name) || null)
    await call('POST', '/api/activities', { body: { type, direction, text, contacts: [contact] } })
    onDone()
  }
  return (
    <Form title={texts.save} work={note}>
      <h3>{texts.note}</h3>
      <div class="fields">
        {['type', 'direction'].map((name) => (
          <Select
            id={`note-${name}`}
            name={name}
            label={fieldName(name)}
            value={name === 'type' ? 'call' : ''}
            required={name === 'type'}
            options={namesOf(`activity_${name}`)}
          />
        ))}
      </div>
      <TextArea id="note-text" name="text" label={texts.text} required />
    </Form>
  )
}
