/** Whatever the search box finds: contacts, listings, enquiries and keys, each by the API's own search. */

import type { RecordOf } from 'estia/client'
import { foldText } from '../../../db/fold.ts'
import type { Admin } from '../admin.ts'
import { call, may, read, type Self } from '../call.ts'
import { Heading, RecordLink, Result, Table } from '../parts.tsx'
import { type Console, useConsole, useLoaded } from '../state.ts'
import { type Contact, type Enquiry, fullName } from './enquiry/data.ts'

const PER_KIND = 10

type Listing = RecordOf<'/api/listings'>

type Key = Admin<'/admin/keys'>

interface Found {
  contacts: Contact[]
  listings: Listing[]
  enquiries: Enquiry[]
  keys: Key[]
}

/** Which scope each kind needs. */
const SCOPES = {
  contacts: 'contacts:read',
  listings: 'listings:read',
  enquiries: 'enquiries:read',
  keys: 'admin:keys',
} as const satisfies Record<keyof Found, string>

/** Whether the caller may search for anything. */
export const maySearch = (self: Self) => Object.values(SCOPES).some((scope) => may(self, scope))

async function find(text: string, self: Self): Promise<Found> {
  if (!text) return { contacts: [], listings: [], enquiries: [], keys: [] }
  const search = async <T,>(kind: keyof Found) => {
    if (!may(self, SCOPES[kind])) return []
    const query = new URLSearchParams({ search: text, per_page: String(PER_KIND) })
    return (await call<{ data: T[] }>('GET', `/api/${kind}?${query}`)).data
  }
  const [contacts, listings, enquiries, keys] = await Promise.all([
    search<Contact>('contacts'),
    search<Listing>('listings'),
    search<Enquiry>('enquiries'),
    may(self, SCOPES.keys) ? read<Key[]>('/admin/keys') : [],
  ])
  const plain = foldText(text)
  const named = keys
    .filter(({ id, name }) => id === text || foldText(name).includes(plain))
    .slice(0, PER_KIND)
  return { contacts, listings, enquiries, keys: named }
}

export function Search() {
  const state = useConsole()
  const { texts, self, argument } = state
  const found = useLoaded(argument, () => find(argument, self))
  return (
    <>
      <Heading title={`${texts.search}: ${argument}`} />
      <Result loaded={found}>
        {(results) =>
          Object.values(results).every((rows: unknown[]) => rows.length === 0) ? (
            <p class="quiet">{texts.nothingFound}</p>
          ) : (
            Object.entries(inWords(results, state)).map(
              ([kind, rows]) => rows.length > 0 && <Kind key={kind} kind={kind} rows={rows} />,
            )
          )
        }
      </Result>
    </>
  )
}

interface Row {
  id: number | string
  title: string
  details: (string | false)[]
}

/** What is shown of what was found. */
function inWords(
  { contacts, listings, enquiries, keys }: Found,
  { nameOf, formatDate, formatNumber }: Console,
): Record<keyof Found, Row[]> {
  return {
    contacts: contacts.map((contact) => ({
      id: contact.id,
      title: personName(contact),
      details: [
        ...contact.emails.map(({ email_address }) => email_address),
        ...contact.phones.map(({ number }) => number),
      ],
    })),
    listings: listings.map(({ id, code, category, subcategory, availability, status, price }) => ({
      id,
      title: code ?? String(id),
      details: [
        subcategory ? nameOf('subcategory', subcategory) : nameOf('category', category),
        nameOf('availability', availability),
        price !== null && `${formatNumber(price)} €`,
        nameOf('listing_status', status),
      ],
    })),
    enquiries: enquiries.map((enquiry) => ({
      id: enquiry.id,
      title: personName(enquiry),
      details: [formatDate(enquiry.date_created), nameOf('enquiry_status', enquiry.status)],
    })),
    keys: keys.map(({ id, name }) => ({ id, title: name, details: [id] })),
  }
}

function Kind({ kind, rows }: { kind: string; rows: Row[] }) {
  const { texts, nameOf } = useConsole()
  const title = nameOf('resources', kind)
  return (
    <section>
      <h2>{title}</h2>
      <Table
        caption={title}
        rows={rows}
        columns={[
          {
            title: texts.record,
            cell: ({ id, title }) => <RecordLink resource={kind} id={id} title={title} />,
          },
          { title: texts.details, cell: ({ details }) => details.filter(Boolean).join(' · ') },
        ]}
      />
    </section>
  )
}

const personName = (person: Contact | Enquiry) =>
  fullName(person) || ('company_name' in person && person.company_name) || String(person.id)
