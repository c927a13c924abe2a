/** The writes under test: what each sends, and what its success promises. */
import { PIXEL } from '../../fixtures/pictures.ts'
import type { Random } from '../../fixtures/random.ts'
import { ADMIN_TOKEN, KEY } from '../runtime/agency.ts'
import type { Acknowledged } from './record.ts'

export interface Write {
  method: string
  path: string
  body: BodyInit | null
  /** Records in `known` what follows from a reply. `data` is its body, `ok` whether it is a success. */
  note: (data: AnswerBody, ok: boolean, known: Acknowledged) => void
}

export interface AnswerBody {
  status?: number
  created_id?: number
  data?: unknown
}

/** Makes a new write of each kind, on records that `known` contains. */
export const FAULTY_WRITES: Record<string, (random: Random, known: Acknowledged) => Write> = {
  'create a listing': (random) => {
    const price = amount(random)
    return {
      ...post('/api/listings', { ...LISTING, price }),
      note: ({ created_id }, ok, known) => {
        if (ok && created_id) known.created('listings', created_id, 'price', price)
      },
    }
  },
  'update a listing': (random, known) => {
    const [path, price] = [pathOf('listings', random, known), amount(random)]
    return {
      ...put(path, { price, tags: [random.int(1, 4)], title: `Τίτλος ${price}` }),
      note: (_, ok) => known.wrote(path, 'price', price, ok),
    }
  },
  'set a status': (random, known) => {
    const path = pathOf('listings', random, known)
    const to = random.pick(['active', 'active', 'inactive', 'pending'])
    return { ...post(`${path}/status`, { to }), note: (_, ok) => known.wrote(path, 'status', to, ok) }
  },
  'add photos': (random, known) => ({
    ...post(`${pathOf('listings', random, known)}/photos`, {
      photos: [{ data: PIXEL }, { data: 'bm8=' }, { data: PIXEL }],
    }),
    note: notePictures,
  }),
  'add photos as files': (random, known) => ({
    method: 'POST',
    path: `${pathOf('listings', random, known)}/photos`,
    body: formOf([PIXEL, 'bm8=', PIXEL]),
    note: notePictures,
  }),
  'add panoramas': (random, known) => ({
    ...post(`${pathOf('listings', random, known)}/panorama-photos`, { photos: [{ data: PIXEL }] }),
    note: notePictures,
  }),
  'create an external listing': (random) => {
    const price = amount(random)
    const photos = ['https://photos.example/1.png', 'https://photos.example/2.png']
    return {
      ...post('/api/external-listings', { created_by: 1, store_id: 1, price, photos }),
      note: ({ data }, ok, known) => {
        if (!ok) return
        const record = data as { id: number; photos: string[] }
        known.wrote(`/api/external-listings/${record.id}`, 'price', price, true)
        for (const photo of record.photos) known.pictures.add(photo)
      },
    }
  },
  'create a request': (random) => {
    const price_max = amount(random)
    return {
      ...post('/api/requests', { ...REQUEST, price_max }),
      note: ({ data }, ok, known) => {
        if (ok) known.created('requests', (data as { id: number }).id, 'price_max', price_max)
      },
    }
  },
  'update a request': (random, known) => {
    const [path, price_max] = [pathOf('requests', random, known), amount(random)]
    return {
      ...put(path, { price_max, locations: [random.int(1, 3)] }),
      note: (_, ok) => known.wrote(path, 'price_max', price_max, ok),
    }
  },
  'delete a request': (random, known) => removal('requests', random, known),
  'create a contact': (random) => {
    const first_name = `Άννα ${amount(random)}`
    return {
      ...post('/api/contacts', { first_name, phones: [{ type: 'mobile', number: '6900000000' }] }),
      note: ({ created_id }, ok, known) => {
        if (ok && created_id) known.created('contacts', created_id, 'first_name', first_name)
      },
    }
  },
  'update a contact': (random, known) => {
    const [path, first_name] = [pathOf('contacts', random, known), `Μαρία ${amount(random)}`]
    return { ...put(path, { first_name }), note: (_, ok) => known.wrote(path, 'first_name', first_name, ok) }
  },
  'delete a contact': (random, known) => removal('contacts', random, known),
  'import lines': (random, known) => {
    const [path, price, price_max] = [pathOf('listings', random, known), amount(random), amount(random)]
    const request = pathOf('requests', random, known)
    const lines = [
      { entity: 'listings', data: { id: idIn(path), price } },
      { entity: 'requests', data: { id: idIn(request), price_max } },
      { entity: 'listing_tags', data: { id: 90, name: `Tag ${price}` } },
    ]
    return {
      ...admin('POST', '/admin/import', lines.map((line) => JSON.stringify(line)).join('\n')),
      note: ({ data }, ok) => {
        const whole = ok && (data as { rejected: number }).rejected === 0
        known.wrote(path, 'price', price, whole)
        known.wrote(request, 'price_max', price_max, whole)
      },
    }
  },
  'set a watermark': () => ({
    ...admin('PUT', '/admin/stores/1/watermark', Buffer.from(PIXEL, 'base64')),
    note: ({ data }, ok, known) => {
      // The next watermark replaces it.
      if (ok) known.wrote('watermark', 'url', (data as { watermark_url: string }).watermark_url, true)
    },
  }),
  'upload a file of an article': () => ({
    ...admin('PUT', '/admin/knowledge-base/files/1', Buffer.from(PIXEL, 'base64')),
    note: () => undefined,
  }),
  'make a key': () => ({
    ...admin('POST', '/admin/keys', JSON.stringify({ name: 'k', scopes: ['listings:read'] })),
    note: () => undefined,
  }),
}

const LISTING = {
  category: 'residential',
  subcategory: 'apartment',
  availability: 'sale',
  store_id: 1,
  created_by: 1,
  users: [1],
  location: { area_level1: 1 },
  tags: [1, 2],
  title: 'Διαμέρισμα',
}

const REQUEST = {
  availability: 'sale',
  category: 'residential',
  contacts: [2],
  locations: [1],
  users: [1],
  created_by: 1,
  store_id: 1,
}

function removal(kind: string, random: Random, known: Acknowledged): Write {
  const path = pathOf(kind, random, known)
  return {
    method: 'DELETE',
    path,
    body: null,
    note: (data, ok) => {
      known.removed(path, ok || data.status === 404)
      known.ids.set(kind, known.ids.get(kind)?.filter((id) => id !== idIn(path)) ?? [])
    },
  }
}

/** A multipart form with these files, each in base64. */
function formOf(files: string[]): FormData {
  const form = new FormData()
  for (const file of files) form.append('photos', new Blob([Buffer.from(file, 'base64')]), 'photo')
  return form
}

function notePictures({ data }: AnswerBody, ok: boolean, known: Acknowledged): void {
  if (!ok) return
  for (const entry of data as Record<string, unknown>[]) {
    for (const name of ['original_image', 'watermark_image', 'image', 'thumb']) {
      const address = entry[name]
      if (typeof address === 'string') known.pictures.add(address)
    }
  }
}

/** An id that no record has: a line of an import cannot change what was deleted, either. */
const UNKNOWN = 1_000_000

/** The path of a record that was created and not deleted; of none if there is none. */
function pathOf(kind: string, random: Random, known: Acknowledged): string {
  const ids = known.ids.get(kind) ?? []
  return `/api/${kind}/${ids.length > 0 ? random.pick(ids) : UNKNOWN}`
}

function idIn(path: string): number {
  return Number(path.split('/').at(-1))
}

function amount(random: Random): number {
  return random.int(1000, 900_000)
}

function post(path: string, body: unknown) {
  return { method: 'POST', path, body: JSON.stringify(body) }
}

function put(path: string, body: unknown) {
  return { method: 'PUT', path, body: JSON.stringify(body) }
}

function admin(method: string, path: string, body: BodyInit) {
  return { method, path, body }
}

/** The bearer token for a call to `path`: admin token or API key. */
export function credentials(path: string): Record<string, string> {
  return { Authorization: `Bearer ${path.startsWith('/admin/') ? ADMIN_TOKEN : KEY}` }
}
