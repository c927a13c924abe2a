/** Who deals with an enquiry, and what the agency notes about it. */
import { useState } from 'hono/jsx/dom'
import { read } from '../../call.ts'
import { type Failure, failureOf, Said } from '../../errors.tsx'
import { Action, Select, TextArea, textOf } from '../../parts.tsx'
import type { Enquiry, Lookups } from './data.ts'
import { useEnquiryTexts } from './texts.ts'

/** An enquiry as its parts are given it. */
export interface LetterProps {
  enquiry: Enquiry
  lookups: Lookups
  /** Called with what has changed. */
  onChange: (change: Partial<Enquiry>) => void
}

export function Handling({
  enquiry,
  lookups,
  write,
  onChange,
}: LetterProps & { write: (body: Partial<Enquiry>) => Promise<void> }) {
  const words = useEnquiryTexts()
  const [message, setMessage] = useState<{ text: Failure; isBad: boolean } | null>(null)
  const { id, notes, users } = enquiry
  const [first, ...others] = users
  const nameOfUser = (user: number) => lookups.users.find((one) => one.id === user)?.name ?? `#${user}`
  const save = async (event: Event) => {
    event.preventDefault()
    const form = event.target as HTMLFormElement
    const written = textOf(form, 'notes')
    const agent = Number(textOf(form, 'agent'))
    const change: Partial<Enquiry> = {
      ...(written === (notes ?? '').trim() ? {} : { notes: written || null }),
      ...(lookups.users.length === 0 || agent === (first ?? 0)
        ? {}
        : { users: [...(agent ? [agent] : []), ...others.filter((one) => one !== agent)] }),
    }
    setMessage(null)
    try {
      if (change.notes !== undefined) {
        const stored = await read<Enquiry>(`/api/enquiries/${id}`)
        if ((stored.notes ?? '') !== (notes ?? '')) {
          onChange({ notes: stored.notes })
          setMessage({ text: `${words.notesChanged} ${stored.notes ?? '–'}`, isBad: true })
          return
        }
      }
      if (Object.keys(change).length > 0) await write(change)
      setMessage({ text: words.saved, isBad: false })
    } catch (failure) {
      setMessage({ text: failureOf(failure), isBad: true })
    }
  }
  return (
    <form onSubmit={(event: Event) => void save(event)}>
      {lookups.users.length > 0 && (
        <Select
          id={`agent-${id}`}
          label={words.agent}
          name="agent"
          value={first}
          empty={words.noAgent}
          options={lookups.users.map((user) => [String(user.id), user.name])}
        />
      )}
      {others.length > 0 && (
        <p class="quiet">
          {words.alsoAgents} {others.map(nameOfUser).join(', ')}
        </p>
      )}
      <TextArea id={`notes-${id}`} name="notes" label={words.notes} rows={2} value={notes ?? ''} />
      <div class="actions">
        <Action title={words.save} isSubmit />
        {message && (
          <span class={message.isBad ? 'error' : 'quiet'} role={message.isBad ? 'alert' : 'status'}>
            <Said failure={message.text} />
          </span>
        )}
      </div>
    </form>
  )
}
