/** Enquiries, by their status. */
import { useState } from 'hono/jsx/dom'
import { call, read } from '../call.ts'
import { Heading, Pages, Result } from '../parts.tsx'
import { useConsole, useLoaded } from '../state.ts'
import { type Enquiry, useLookups } from './enquiry/data.ts'
import { Letter, STATUSES } from './enquiry/letter.tsx'

interface Page {
  total_pages: number
  data: Enquiry[]
}

export function Enquiries() {
  const { texts, argument } = useConsole()
  return (
    <>
      <Heading title={texts.enquiries} />
      {argument ? <OneEnquiry id={argument} /> : <EnquiryList />}
    </>
  )
}

/** The enquiry that the address names. */
function OneEnquiry({ id }: { id: string }) {
  const loaded = useLoaded(id, () => readEnquiry(id))
  const [change, setChange] = useState<Partial<Enquiry>>({})
  return (
    <Result loaded={loaded}>
      {(enquiry) => (
        <Letters
          enquiries={[{ ...enquiry, ...change }]}
          onChange={(_, next) => setChange((before) => ({ ...before, ...next }))}
        />
      )}
    </Result>
  )
}

/** An enquiry as lists have it: they say in words what is sought. */
async function readEnquiry(id: string): Promise<Enquiry> {
  const { reference, ...enquiry } = await read<Enquiry>(`/api/enquiries/${encodeURIComponent(id)}`)
  const query = new URLSearchParams({ fields: 'all', search: reference })
  const { data } = await call<Page>('GET', `/api/enquiries?${query}`)
  return data.find((one) => one.id === enquiry.id) ?? { ...enquiry, reference, criteria: [] }
}

function EnquiryList() {
  const { texts } = useConsole()
  const [status, setStatus] = useState<(typeof STATUSES)[number]>('new')
  const [page, setPage] = useState(1)
  const path = `/api/enquiries?fields=all&status=${status}&page=${page}&per_page=20`
  const enquiries = useLoaded(path, () => call<Page>('GET', path))
  // What was changed here stays where it was until the list is read again, so that it can be taken back.
  const [changes, setChanges] = useState<Record<number, Partial<Enquiry>>>({})
  const show = (next: typeof status, number: number) => {
    setStatus(next)
    setPage(number)
    setChanges({})
    if (next === status && number === page) enquiries.reload()
  }
  return (
    <>
      <fieldset class="tabs">
        <legend class="hidden">{texts.status}</legend>
        {STATUSES.map((one) => (
          <button type="button" aria-pressed={one === status ? 'true' : 'false'} onClick={() => show(one, 1)}>
            {texts[one]}
          </button>
        ))}
      </fieldset>
      <Result loaded={enquiries}>
        {({ data, total_pages }) => (
          <>
            <Letters
              enquiries={data.map((one) => ({ ...one, ...changes[one.id] }))}
              onChange={(id, change) =>
                setChanges((before) => ({ ...before, [id]: { ...before[id], ...change } }))
              }
            />
            <Pages page={page} total={total_pages} onTurn={(number) => show(status, number)} />
          </>
        )}
      </Result>
    </>
  )
}

function Letters({
  enquiries,
  onChange,
}: {
  enquiries: Enquiry[]
  onChange: (id: number, change: Partial<Enquiry>) => void
}) {
  const { texts } = useConsole()
  const lookups = useLookups(enquiries)
  if (enquiries.length === 0) return <p class="quiet">{texts.none}</p>
  return (
    <Result loaded={lookups}>
      {(names) => (
        <ul class="cards">
          {enquiries.map((enquiry) => (
            <li class="card" key={enquiry.id}>
              <Letter enquiry={enquiry} lookups={names} onChange={(change) => onChange(enquiry.id, change)} />
            </li>
          ))}
        </ul>
      )}
    </Result>
  )
}
