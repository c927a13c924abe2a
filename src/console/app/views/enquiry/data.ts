/** What the view of enquiries reads, and what it looks up beside them. */
import { may, read } from '../../call.ts'
import { type Loaded, useConsole, useLoaded } from '../../state.ts'

/** Something that is sought, as the service says it. */
interface Criterion {
  name: string
  name_el: string
  name_en: string
  value_el: string
  value_en: string
}

export interface Enquiry {
  id: number
  reference: string
  type: string
  listing_id: number | null
  first_name: string | null
  last_name: string | null
  email: string | null
  phone: string | null
  message: string
  language_id: number | null
  amount: number | null
  dates: string[]
  page_url: string | null
  search: Record<string, unknown> | null
  criteria: Criterion[]
  consent: { marketing: boolean }
  status: string
  notes: string | null
  users: number[]
  contact_id: number | null
  request_id: number | null
  date_created: string
}

/** A record with an id and a name. */
export interface Named {
  id: number
  name: string
}

interface User extends Named {
  store_id: number | null
}

export interface Listing {
  id: number
  store_id: number
  code: string | null
  status: string
  price: number | null
  photos: { original_image: string | null; watermark_image: string | null }[]
  translations: { language_id: number; title: string | null }[]
}

export interface Contact {
  id: number
  first_name: string
  last_name: string
  company_name: string | null
  phones: { number: string }[]
  emails: { email_address: string }[]
}

/** Names that every record of a page needs. What the caller may not read is empty. */
export interface Lookups {
  users: User[]
  stores: Named[]
  languages: (Named & { code: string })[]
  listings: Listing[]
}

/** Reads the lookups, and the listings that these records are about. */
export function useLookups(records: Pick<Enquiry, 'listing_id'>[]): Loaded<Lookups> {
  const { self } = useConsole()
  const ids = [...new Set(records.flatMap(({ listing_id }) => listing_id ?? []))].sort((a, b) => a - b)
  const list = async <T>(resource: string, path: string): Promise<T[]> =>
    may(self, `${resource}:read`) ? read<T[]>(path) : []
  const query = new URLSearchParams(ids.map((id) => ['ids', String(id)]))
  return useLoaded(`lookups ${ids}`, async () => {
    const [users, stores, languages, listings] = await Promise.all([
      list<User>('users', '/api/users'),
      list<Named>('stores', '/api/stores'),
      list<Named & { code: string }>('languages', '/api/languages'),
      ids.length > 0 ? list<Listing>('listings', `/api/listings?${query}&per_page=100`) : [],
    ])
    return { users, stores, languages, listings }
  })
}

export const fullName = ({ first_name, last_name }: Pick<Enquiry, 'first_name' | 'last_name'>): string =>
  [first_name, last_name].filter(Boolean).join(' ')

/** The title of a listing in a language, or else in any. */
export function titleOf(listing: Listing, { languages }: Lookups, code: string): string | null {
  const id = languages.find((one) => one.code === code)?.id
  const titles = listing.translations.filter(({ title }) => title)
  return (titles.find(({ language_id }) => language_id === id) ?? titles[0])?.title ?? null
}

/** A contact that may be the same person. */
export interface Duplicate {
  contact_id: number
  name: string
  /** What is the same: the e-mail, the telephone or the name. */
  reasons: string[]
}

/** Reads the contacts that may be a person of whom this is known. */
export const findDuplicates = (known: Record<string, string | null>) =>
  read<Duplicate[]>(
    `/api/contacts/duplicates?${new URLSearchParams(Object.entries(known).map(([name, value]) => [name, value ?? '']))}`,
  )
