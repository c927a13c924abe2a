/** Makes a contact of the sender of an enquiry, and a request of what is sought. */
import type { BodyOf, RecordOf } from 'estia/client'
import { useState } from 'hono/jsx/dom'
import { call, may, read } from '../../call.ts'
import { Check, Form, Result, Select, TextField, textOf } from '../../parts.tsx'
import { useConsole, useLoaded } from '../../state.ts'
import { type Duplicate, type Enquiry, findDuplicates, fullName, type Lookups } from './data.ts'
import { useEnquiryTexts } from './texts.ts'

/** What an enquiry has become. */
export type Converted = BodyOf<'post', '/api/enquiries/{id}/convert'>

interface Props {
  enquiry: Enquiry
  lookups: Lookups
  /** The office of its listing. */
  store: number | undefined
  onDone: (converted: Converted) => void
}

export function Conversion(props: Props) {
  const { self } = useConsole()
  const { id, email, phone } = props.enquiry
  const reads = may(self, 'contacts:read')
  const known = useLoaded(`known ${id}`, async () =>
    reads && (email || phone) ? findDuplicates({ email, phone }) : [],
  )
  return (
    <section>
      <Result loaded={known}>
        {(contacts) => <ConversionForm {...props} contacts={contacts} reads={reads} />}
      </Result>
    </section>
  )
}

function ConversionForm({
  enquiry,
  lookups,
  store,
  contacts,
  reads,
  onDone,
}: Props & { contacts: Duplicate[]; reads: boolean }) {
  const { self, fieldName } = useConsole()
  const words = useEnquiryTexts()
  const mayMake = may(self, 'contacts:write')
  const mayRequest = may(self, 'requests:write') && enquiry.criteria.length > 0
  const [withRequest, setWithRequest] = useState(mayRequest)
  const convert = async (form: HTMLFormElement) => {
    const contact = Number(textOf(form, 'contact'))
    const body = {
      ...(contact ? { contact_id: contact } : {}),
      ...(withRequest ? { create_request: requestOf(form) } : {}),
    }
    onDone(await call<Converted>('POST', `/api/enquiries/${enquiry.id}/convert`, { body }))
  }
  return (
    <Form title={words.confirm} work={convert}>
      <fieldset>
        <legend>{words.whichContact}</legend>
        <p class="quiet">{!reads ? words.unread : contacts.length > 0 ? words.known : words.unknown}</p>
        {contacts.map(({ contact_id, name, reasons }, index) => (
          <Check type="radio" name="contact" value={contact_id} checked={index === 0} required>
            <strong>{name}</strong>{' '}
            <span class="quiet">
              {[`${words.contact} ${contact_id}`, ...reasons.map((one) => fieldName(one))].join(' · ')}
            </span>
          </Check>
        ))}
        {mayMake && (
          <Check type="radio" name="contact" value="" checked={contacts.length === 0} required>
            {words.newContact}: {fullName(enquiry)}
          </Check>
        )}
      </fieldset>
      {mayRequest && (
        <Check checked={withRequest} onChange={() => setWithRequest(!withRequest)}>
          {words.makeRequest}
        </Check>
      )}
      {withRequest && <RequestFields enquiry={enquiry} lookups={lookups} store={store} />}
    </Form>
  )
}

/** What a request needs beside what is sought, and what is missing of that. */
function RequestFields({ enquiry, lookups, store }: Omit<Props, 'onDone'>) {
  const { namesOf } = useConsole()
  const words = useEnquiryTexts()
  const [agent, setAgent] = useState(enquiry.users[0])
  const [office, setOffice] = useState<number | undefined>()
  const { search } = enquiry
  const home = lookups.users.find(({ id }) => id === agent)?.store_id
  const only = lookups.stores.length === 1 ? lookups.stores[0]?.id : undefined
  return (
    <div class="notice">
      <Criteria enquiry={enquiry} />
      <div class="fields">
        {(['availability', 'category'] as const).map(
          (name) =>
            !search?.[name] && (
              <Select
                key={name}
                id={`${name}-${enquiry.id}`}
                label={words[name]}
                name={name}
                required
                options={namesOf(name)}
              />
            ),
        )}
        {!search?.locations && <PlaceField id={enquiry.id} />}
        <Select
          id={`request-agent-${enquiry.id}`}
          label={words.agent}
          name="agent"
          required
          value={agent}
          options={lookups.users.map(({ id, name }) => [String(id), name])}
          onChange={(value) => setAgent(Number(value))}
        />
        <Select
          id={`office-${enquiry.id}`}
          label={words.office}
          name="store"
          required
          value={office ?? store ?? home ?? only}
          options={lookups.stores.map(({ id, name }) => [String(id), name])}
          onChange={(value) => setOffice(Number(value))}
        />
      </div>
    </div>
  )
}

/** What is sought, in words. */
export function Criteria({ enquiry }: { enquiry: Enquiry }) {
  const { language } = useConsole()
  return (
    <ul>
      {enquiry.criteria.map((one) => (
        <li key={one.name}>
          <span class="quiet">{one[`name_${language}`]}:</span> {one[`value_${language}`]}
        </li>
      ))}
    </ul>
  )
}

type Place = RecordOf<'/api/locations'>

/** Places found by a part of their name. */
function PlaceField({ id }: { id: number }) {
  const { language } = useConsole()
  const words = useEnquiryTexts()
  const [part, setPart] = useState('')
  const isLong = part.trim().length > 1
  const places = useLoaded(`places ${part}`, async () =>
    isLong ? read<Place[]>(`/api/locations?${new URLSearchParams({ search: part })}`) : [],
  )
  return (
    <>
      <TextField
        label={words.placeSearch}
        name={`place-search-${id}`}
        maxlength={100}
        onInput={(event: Event) => setPart((event.target as HTMLInputElement).value)}
      />
      <Select
        id={`place-${id}`}
        label={words.place}
        name="location"
        required
        value={places.data?.length === 1 ? places.data[0]?.id : undefined}
        options={(places.data ?? [])
          .slice(0, 100)
          .map((one) => [String(one.id), one[`full_name_${language}`]])}
      />
    </>
  )
}

/** The body of the request, over what the enquiry seeks. */
function requestOf(form: HTMLFormElement): Record<string, unknown> {
  const [agent, store, location] = ['agent', 'store', 'location'].map((name) => Number(textOf(form, name)))
  const chosen = (name: string) => (textOf(form, name) ? { [name]: textOf(form, name) } : {})
  return {
    ...chosen('availability'),
    ...chosen('category'),
    ...(location ? { locations: [location] } : {}),
    users: [agent],
    created_by: agent,
    store_id: store,
  }
}
