import { type Data, get, importRecords, post } from '../../support/api.ts'
import { execute, selectFirst } from '../../support/database.ts'
import { named } from '../../support/factories/named.ts'

/** One custom field of contacts of every type, by its id. */
export const FIELDS = {
  text: 1,
  textarea: 2,
  wysiwyg: 3,
  number: 4,
  formatted_number: 5,
  select: 6,
  select_multi: 7,
  checkbox: 8,
  file: 9,
  image: 10,
  file_multi: 11,
  image_multi: 12,
  address: 13,
  url: 14,
  date: 15,
  datetime: 16,
  currency: 17,
  user: 18,
  user_multi: 19,
  contact: 20,
  contact_multi: 21,
  phone: 22,
} as const

/** A custom field of listings, so unknown to contacts. */
export const LISTING_FIELD = 90

/** Users 1–3, sources 1–2, tags 1–4, `FIELDS` with options 61–63 and 71–73, contacts 1, 2 and the deleted 3. */
export async function seedContacts(): Promise<void> {
  await importRecords([
    ...named('users', 'User 1', 'User 2', 'User 3'),
    ...named('contact_sources', 'Website', 'Σύσταση'),
    ...named('contact_tags', 'Tag 1', 'Tag 2', 'Tag 3', 'Tag 4'),
    ...Object.entries(FIELDS).map(([type, id]) => ['custom_fields', definition(id, type)] as [string, Data]),
    ['custom_fields', { id: LISTING_FIELD, resource: 'listings', name: 'Of listings', type: 'text' }],
    ['contacts', { id: 1, first_name: 'Άννα', last_name: 'Παπαδάκη' }],
    ['contacts', { id: 2, first_name: 'Βασίλης', last_name: 'Ρήγας' }],
    ['contacts', { id: 3, first_name: 'Gone', is_deleted: true }],
  ])
}

/** Creates a contact over the API and returns its id. */
export async function createContact(body: Data = {}): Promise<number> {
  const reply = await post('/api/contacts', { first_name: 'New', ...body })
  return reply.body.created_id
}

/** A contact as the API reads it back, with everything that is stored. */
export async function readContact(id: number) {
  return (await get(`/api/contacts/${id}?fields=all`)).body.data
}

/** A contact's row. */
export async function storedContact(id: number): Promise<Data | null> {
  return selectFirst('select * from contacts where id = ?', id)
}

/** Puts the dates of a contact into the past. */
export async function backdate(id: number): Promise<void> {
  await execute(
    'update contacts set date_created = ?1, date_updated = ?1 where id = ?2',
    '2020-01-01 00:00:00',
    id,
  )
}

function definition(id: number, type: string): Data {
  const options = [1, 2, 3].map((option) => ({ id: id * 10 + option, name: `Option ${option}` }))
  return {
    id,
    resource: 'contacts',
    name: `A ${type}`,
    type,
    ...(type.startsWith('select') ? { options } : {}),
  }
}
