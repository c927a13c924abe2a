/** Whatever the search box finds: contacts, listings, enquiries and keys, each by the API's own search. */
import { foldText } from '../../../db/fold.ts'
import { call, may, read, type Self } from '../call.ts'
import { Heading, RecordLink, Result, Table } from '../parts.tsx'
import { type ConsoleState, formatDate, useConsole, useLoaded } from '../state.ts'
import { nameOf } from '../words.ts'
import { type Contact, type Enquiry, fullName } from './enquiry/data.ts'

const PER_KIND = 10

interface Listing {
  id: number
  code: string
  category: string
  subcategory: string | null
  availability: string
  status: string
  price: number | null
}

interface Key {
  id: string
  name: string
}

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
            <Lists {...results} state={state} />
          )
        }
      </Result>
    </>
  )
}

function Lists({ contacts, listings, enquiries, keys, state }: Found & { state: ConsoleState }) {
  const { texts, language } = state
  const column = <Row extends { id: number | string }>(
    resource: string,
    title: (row: Row) => string,
    more: (row: Row) => string,
  ) => [
    {
      title: texts.record,
      cell: (row: Row) => <RecordLink resource={resource} id={row.id} title={title(row)} />,
    },
    { title: texts.details, cell: more },
  ]
  const lists = [
    <Kind
      name="contacts"
      rows={contacts}
      columns={column<Contact>('contacts', personName, ({ emails, phones }) =>
        [...emails.map(({ email_address }) => email_address), ...phones.map(({ number }) => number)].join(
          ', ',
        ),
      )}
    />,
    <Kind
      name="listings"
      rows={listings}
      columns={column(
        'listings',
        ({ code }) => code,
        ({ category, subcategory, availability, status, price }: Listing) =>
          [
            subcategory
              ? nameOf('subcategory', subcategory, language)
              : nameOf('category', category, language),
            nameOf('availability', availability, language),
            price === null ? '' : `${new Intl.NumberFormat(language).format(price)} €`,
            nameOf('listing_status', status, language),
          ]
            .filter(Boolean)
            .join(' · '),
      )}
    />,
    <Kind
      name="enquiries"
      rows={enquiries}
      columns={column<Enquiry>('enquiries', personName, ({ date_created, status }) =>
        [formatDate(date_created, state), nameOf('enquiry_status', status, language)].join(' · '),
      )}
    />,
    <Kind
      name="keys"
      rows={keys}
      columns={column(
        'keys',
        ({ name }) => name,
        ({ id }: Key) => String(id),
      )}
    />,
  ]
  return <>{lists}</>
}

type KindProps<Row> = { name: keyof Found; rows: Row[]; columns: Parameters<typeof Table<Row>>[0]['columns'] }

function Kind<Row extends { id: number | string }>({ name, rows, columns }: KindProps<Row>) {
  const { language } = useConsole()
  if (rows.length === 0) return null
  const title = nameOf('resources', name, language)
  return (
    <section>
      <h2>{title}</h2>
      <Table caption={title} rows={rows} keyOf={({ id }) => id} columns={columns} />
    </section>
  )
}

const personName = (person: Contact | Enquiry) =>
  fullName(person) || ('company_name' in person && person.company_name) || String(person.id)
