/** Contacts that may be the same person: they are merged, and taken apart again. */
import { useState } from 'hono/jsx/dom'
import { call, may, read } from '../call.ts'
import { isEmpty, Value } from '../fields.tsx'
import { Action, Check, Dialog, Form, RecordLink, Result, RowButton, textOf } from '../parts.tsx'
import { useConsole, useLoaded } from '../state.ts'
import { type Duplicate, findDuplicates } from './enquiry/data.ts'

/** A contact that is part of another. */
export interface Merged {
  id: number
  into: number
  /** Once it is a contact of its own again: what has changed meanwhile, and is still of the other. */
  stayed?: { resource: string; id: number }[]
}

/** Fields of which one value stays, and which one is for the person to say. Of all others, both stay. */
const CHOSEN = [
  ...['first_name', 'last_name', 'company_name', 'source_id', 'is_lead', 'is_company'],
  ...['address', 'custom_fields'],
]

interface Props {
  contact: number
  onMerged: (merged: Merged) => void
}

/** The possible duplicates of a contact, if there are any. */
export function Duplicates({ contact, onMerged }: Props) {
  const { texts, self, fieldName } = useConsole()
  const [chosen, setChosen] = useState<Duplicate | null>(null)
  const found = useLoaded(`duplicates ${contact}`, () => findDuplicates({ contact_id: String(contact) }))
  return (
    <Result loaded={found}>
      {(rows) =>
        rows.length > 0 && (
          <section class="notice warm" aria-labelledby="duplicates">
            <h2 id="duplicates">{texts.duplicates}</h2>
            <ul>
              {rows.map((one) => (
                <li class="actions">
                  <RecordLink
                    resource="contacts"
                    id={one.contact_id}
                    title={`${one.name} (${one.contact_id})`}
                  />
                  <span class="quiet">{one.reasons.map((reason) => fieldName(reason)).join(', ')}</span>
                  {may(self, 'contacts:write') && (
                    <RowButton title={texts.merge} of={one.name} onPress={() => setChosen(one)} />
                  )}
                </li>
              ))}
            </ul>
            {chosen && <Merge {...{ contact, onMerged, chosen }} onClose={() => setChosen(null)} />}
          </section>
        )
      }
    </Result>
  )
}

/** What would move, before it does. */
function Merge({ contact, onMerged, chosen, onClose }: Props & { chosen: Duplicate; onClose: () => void }) {
  const { texts, formatNumber, nameOf, fieldName } = useConsole()
  const id = chosen.contact_id
  const path = `/api/contacts/${contact}/merge`
  const body = { contacts: [id] }
  const tried = useLoaded(`${path} ${id}`, async () => {
    const [{ moved }, one, other] = await Promise.all([
      call<{ moved: Record<string, number> }>('POST', `${path}?dry_run=true`, { body }),
      ...[contact, id].map((each) => read<Record<string, unknown>>(`/api/contacts/${each}`)),
    ])
    const different = CHOSEN.map((name) => ({ name, values: [one?.[name], other?.[name]] })).filter(
      ({ values: [its, others] }) =>
        [its, others].every((value) => value === false || !isEmpty(value)) &&
        JSON.stringify(its) !== JSON.stringify(others),
    )
    return { moved, different }
  })
  const merge = async (form: HTMLFormElement) => {
    const fields = Object.fromEntries(
      CHOSEN.flatMap((name) => (textOf(form, name) === String(id) ? [[name, id]] : [])),
    )
    await call('POST', path, { body: { ...body, fields } })
    onMerged({ id, into: contact })
  }
  return (
    <Dialog title={`${texts.merge}: ${chosen.name} (${id})`} onClose={onClose}>
      <p>{texts.mergeAsk}</p>
      <Result loaded={tried}>
        {({ moved, different }) => (
          <Form title={texts.merge} work={merge}>
            {different.length > 0 && <h3>{texts.whoseWins}</h3>}
            {different.map(({ name, values }) => (
              <fieldset>
                <legend>{fieldName(name)}</legend>
                {values.map((value, index) => (
                  <Check type="radio" name={name} value={[contact, id][index]} checked={index === 0}>
                    <Value resource="contacts" field={name} value={value} />
                  </Check>
                ))}
              </fieldset>
            ))}
            <h3>{texts.moves}</h3>
            <ul>
              <li>{texts.itsDetails}</li>
              {Object.entries(moved).map(([resource, count]) => (
                <li>
                  {nameOf('resources', resource)}: {formatNumber(count)}
                </li>
              ))}
            </ul>
          </Form>
        )}
      </Result>
    </Dialog>
  )
}

/** Says that a contact is part of another, and makes it one of its own again. */
export function MergedNotice({ merged, onUndone }: { merged: Merged; onUndone: (merged: Merged) => void }) {
  const { texts, self } = useConsole()
  const { id, into, stayed } = merged
  const undo = async () => {
    const body = { contact_id: id }
    onUndone({ ...merged, ...(await call<Merged>('POST', `/api/contacts/${into}/unmerge`, { body })), id })
  }
  return (
    <div class={`notice ${stayed ? 'good' : 'warm'}`} role="status">
      <RecordLink resource="contacts" id={id} /> {stayed ? texts.isUndone : texts.isMerged}{' '}
      {!stayed && <RecordLink resource="contacts" id={into} />}{' '}
      {!stayed && may(self, 'contacts:write') && <Action title={texts.undoMerge} work={undo} />}
      {stayed?.length ? texts.stayed : ''}
      {stayed?.map((one) => (
        <span class="part">
          <RecordLink {...one} />
        </span>
      ))}
    </div>
  )
}
