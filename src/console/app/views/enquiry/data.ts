/** What the view of enquiries reads, and what it looks up beside them. */
import type { RecordOf } from 'estia/client'
import { may, read } from '../../call.ts'
import { type Loaded, useConsole, useLoaded } from '../../state.ts'

/** An enquiry of a list that says in words what is sought. */
export type Enquiry = RecordOf<'/api/enquiries'> & Required<Pick<RecordOf<'/api/enquiries'>, 'criteria'>>

type User = RecordOf<'/api/users'>

type Store = RecordOf<'/api/stores'>

type Language = RecordOf<'/api/languages'>

export type Listing = RecordOf<'/api/listings'>

export type Contact = RecordOf<'/api/contacts'>

/** Names that every record of a page needs. What the caller may not read is empty. */
export interface Lookups {
  users: User[]
  stores: Store[]
  languages: Language[]
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
      list<Store>('stores', '/api/stores'),
      list<Language>('languages', '/api/languages'),
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

export type Duplicate = RecordOf<'/api/contacts/duplicates'>

/** Reads the contacts that may be a person of whom this is known. */
export const findDuplicates = (known: Record<string, string | null>) =>
  read<Duplicate[]>(
    `/api/contacts/duplicates?${new URLSearchParams(Object.entries(known).map(([name, value]) => [name, value ?? '']))}`,
  )
