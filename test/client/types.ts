/** What the compiler knows about the client. Never run: `test/tools/client.test.ts` has it checked. */
import {
  type BodyOf,
  type Change,
  type components,
  createClient,
  createVisitorClient,
  type InputOf,
  orThrow,
  type RecordOf,
  type Resource,
  verifyWebhook,
  type visitorPaths,
  type WebhookPayload,
} from 'estia/client'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

const same = <_Expected extends true>() => undefined
const estia = createClient({ baseUrl: 'https://agency.example', key: 'estia_' })

export async function answers() {
  const { data, error, response } = await estia.get('/api/listings', { query: { status: 'active', page: 2 } })
  same<Equal<typeof response, Response>>()
  if (error) {
    same<Equal<typeof data, undefined>>()
    same<Equal<typeof error.status, number>>()
    same<Equal<(typeof error.problems)[number]['field'], string>>()
    return
  }
  same<Equal<typeof data.total_pages, number>>()
  const listing = data.data.at(0)
  same<Equal<typeof listing, RecordOf<'/api/listings'> | undefined>>()
  // @ts-expect-error there may be no first record
  listing.price
}

export async function records() {
  const { data: listing } = await orThrow(estia.get('/api/listings/{id}', { path: { id: 1 } }))
  same<Equal<typeof listing, RecordOf<'/api/listings/{id}'>>>()
  same<Equal<typeof listing.price, number | null>>()
  same<Equal<typeof listing.availability, 'sale' | 'rent' | 'auction' | 'shortterm'>>()
  same<Equal<(typeof listing.photos)[number]['original_image'], string | null>>()
  // @ts-expect-error a misspelt field
  listing.prize
  const { data: tags } = await orThrow(estia.get('/api/listings/tags'))
  same<Equal<(typeof tags)[number]['name'], string>>()
}

/** What was read can be sent back. */
export async function roundTrips() {
  const path = { id: 1 }
  const { data: listing } = await orThrow(estia.get('/api/listings/{id}', { path }))
  await estia.put('/api/listings/{id}', { path, body: listing })
  await estia.put('/api/listings/{id}', { path, body: { location: listing.location } })
  const { data: request } = await orThrow(estia.get('/api/requests/{id}', { path }))
  await estia.put('/api/requests/{id}', { path, body: request })
}

export async function filters() {
  await estia.get('/api/listings', { query: { status: ['active', 'draft'], date_updated: { min: null } } })
  // @ts-expect-error a misspelt filter
  await estia.get('/api/listings', { query: { stauts: 'active' } })
  // @ts-expect-error a misspelt filter beside a right one
  await estia.get('/api/listings', { query: { status: 'active', prize: { min: 1 } } })
  // @ts-expect-error no such status
  await estia.get('/api/listings', { query: { status: 'gone' } })
  // @ts-expect-error one value, not several
  await estia.get('/api/offers', { query: { status: ['draft'] } })
  // @ts-expect-error no such path
  await estia.get('/api/listing')
  // @ts-expect-error no such method of this path
  await estia.delete('/api/listings/{id}', { path: { id: 1 } })
  // @ts-expect-error which listing?
  await estia.get('/api/listings/{id}')
  // @ts-expect-error admin calls take no API key
  await estia.get('/admin/keys')
}

export async function bodies() {
  const body: InputOf<'post', '/api/listings'> = {
    category: 'land',
    availability: 'sale',
    store_id: 1,
    created_by: 1,
    users: [1],
  }
  const created = await orThrow(estia.post('/api/listings', { body, headers: { Prefer: 'handling=strict' } }))
  same<Equal<typeof created, BodyOf<'post', '/api/listings'>>>()
  same<Equal<typeof created.created_id, number>>()
  // @ts-expect-error a create needs a category, an update does not
  const incomplete: typeof body = { availability: 'sale', store_id: 1, created_by: 1, users: [1] }
  await estia.put('/api/listings/{id}', { path: { id: 1 }, body: incomplete })
  await estia.put('/api/listings/{id}', { path: { id: 1 }, body: { price: null } })
  // @ts-expect-error a misspelt field
  await estia.put('/api/listings/{id}', { path: { id: 1 }, body: { prize: 1 } })
  // @ts-expect-error a misspelt field of a group
  await estia.put('/api/listings/{id}', { path: { id: 1 }, body: { details: { kitchen: 1 } } })
  // @ts-expect-error text is no number
  await estia.put('/api/listings/{id}', { path: { id: 1 }, body: { price: '1' } })
  const { deleted_id } = await orThrow(estia.delete('/api/contacts/{id}', { path: { id: 1 } }))
  same<Equal<typeof deleted_id, number>>()
}

export async function lists() {
  for await (const listing of estia.pages('/api/listings', { query: { category: 'land' } })) {
    same<Equal<typeof listing, RecordOf<'/api/listings'>>>()
  }
  for await (const match of estia.pages('/api/requests/{id}/matches', { path: { id: 1 } })) {
    same<Equal<typeof match.score, number>>()
  }
  // @ts-expect-error a misspelt filter
  estia.pages('/api/listings', { query: { category: 'land', stauts: 'active' } })
  // @ts-expect-error a lookup has no pages
  estia.pages('/api/listings/tags')
  // @ts-expect-error a record has no pages
  estia.pages('/api/listings/{id}', { path: { id: 1 } })
}

/** Pictures may go as they are. */
export async function pictures() {
  const path = { id: 1 }
  await estia.post('/api/listings/{id}/photos', { path, body: { photos: ['https://example.com/1.jpg'] } })
  await estia.post('/api/listings/{id}/photos', { path, body: new Uint8Array(1) })
  await estia.post('/api/listings/{id}/panorama-photos', { path, body: new Blob([]) })
  await estia.post('/api/listings/{id}/panorama-photos', { path, body: new FormData() })
  // @ts-expect-error text is no picture
  await estia.post('/api/listings/{id}/photos', { path, body: 'house.jpg' })
  // @ts-expect-error a listing is no form
  await estia.post('/api/listings', { body: new FormData() })
  await estia.put('/api/listings/{id}/photos', { path, body: { order: [2, 1] } })
  await estia.delete('/api/listings/{id}/photos/{ordernum}', { path: { id: 1, ordernum: 2 } })
}

export async function changes() {
  for await (const page of estia.changes({
    after: null,
    resources: ['listings', 'knowledge-base/articles'],
  })) {
    same<Equal<typeof page.next, string>>()
    for (const { resource, id, change } of page.changes) {
      same<Equal<typeof resource, 'listings' | 'knowledge-base/articles'>>()
      same<Equal<typeof change, 'changed' | 'deleted'>>()
      await estia.get(`/api/${resource}/{id}`, { path: { id } })
    }
  }
  for await (const page of estia.changes()) {
    const all: Resource | undefined = page.changes[0]?.resource
    // @ts-expect-error it may be the matches of a request, or another record
    const one: 'listings' | undefined = all
    return one
  }
  // @ts-expect-error a misspelt resource
  estia.changes({ resources: ['listing'] })
}

export async function webhooks(request: Request) {
  const payload = await verifyWebhook(request.headers, await request.arrayBuffer(), ['whsec_a', 'whsec_b'])
  same<Equal<typeof payload, WebhookPayload>>()
  same<Equal<(typeof payload.data)[number], Change>>()
}

export async function headers(tag: string | null) {
  const call = { path: { id: 1 }, body: { price: 1 } }
  const guard = new Headers({ 'If-Match': '"a"' })
  createClient({ baseUrl: '', key: '', headers: guard })
  await estia.put('/api/listings/{id}', { ...call, headers: guard })
  await estia.put('/api/listings/{id}', { ...call, headers: [['If-Match', '"a"']] })
  // @ts-expect-error an edit without its guard
  await estia.put('/api/listings/{id}', { ...call, headers: { 'If-Match': tag } })
}

export async function retries() {
  createClient({ baseUrl: '', key: '', retries: false })
  createClient({ baseUrl: '', key: '', retries: { tries: 2 } })
  await estia.get('/api/stores', { retries: { seconds: 5 } })
  // @ts-expect-error once is false
  createClient({ baseUrl: '', key: '', retries: true })
}

/** Whatever may be left out may be undefined, in projects with `exactOptionalPropertyTypes`, too. */
export async function undefinedIsNothing() {
  const nothing = undefined
  const options = { bookmark: nothing, fetch: nothing, headers: nothing, retries: nothing }
  const client = createClient({ baseUrl: '', key: '', ...options })
  const call = { headers: nothing, signal: nothing, retries: { tries: nothing, seconds: nothing } }
  await client.get('/api/listings', {
    query: { status: nothing, date_created: { min: nothing, max: null } },
    ...call,
  })
  await client.get('/api/listings', { query: nothing })
  const path = { id: 1 }
  await client.put('/api/listings/{id}', {
    path,
    body: { price: nothing, location: { area_level1: nothing } },
  })
  for await (const _ of client.changes({ after: nothing, resources: nothing, limit: nothing }));
}

/** A website key knows the calls of visitors alone, with the form that they see. */
export async function visitors() {
  const website = createVisitorClient({ baseUrl: '', key: 'estia_pub_', retries: { tries: 2 } })
  const query = {
    price: { max: 300_000 },
    near: { latitude: 37.98, longitude: 23.73, radius: 2_000 },
    sort: '-date_listed',
  } as const
  await website.get('/api/listings', { query: { ...query, fields: ['id', 'price'] } })
  const { data: page, error } = await website.get('/api/listings', {
    query: { ...query, fields: 'id,price' },
  })
  if (error) return
  same<Equal<typeof page.total_results, number>>()
  const { data: listing } = await orThrow(website.get('/api/listings/{id}', { path: { id: 1 } }))
  same<Equal<typeof listing, RecordOf<'/api/listings', visitorPaths>>>()
  same<Equal<typeof listing, components['schemas']['PublicListing']>>()
  same<Equal<typeof listing.location.precision, 'exact' | 'circle' | 'area'>>()
  // @ts-expect-error what visitors do not see
  listing.min_price
  for await (const one of website.pages('/api/listings', { query: { sort: 'distance' } })) {
    same<Equal<typeof one, typeof listing>>()
  }
  const { data: stores } = await orThrow(website.get('/api/stores', { signal: AbortSignal.timeout(5000) }))
  same<Equal<(typeof stores)[number]['phone'], string | null>>()
  await website.get('/api/locations', { query: { level: 2 } })
  await website.get('/api/languages')
  // @ts-expect-error no call of visitors
  await website.get('/api/contacts')
  // @ts-expect-error a filter by what visitors do not see
  await website.get('/api/listings', { query: { tags: 1 } })
  // @ts-expect-error an order by what visitors do not see
  await website.get('/api/listings', { query: { sort: 'date_created' } })
  // @ts-expect-error headers would cost a preflight
  await website.get('/api/stores', { headers: { Prefer: 'handling=strict' } })
  const sent = await website.post('/api/enquiries', {
    body: {
      type: 'information',
      last_name: 'Larsen',
      email: 'emma.larsen@example.com',
      message: 'Is it still available?',
      consent: { privacy: true, marketing: false },
    },
  })
  sent.data?.reference.toUpperCase()
  // @ts-expect-error visitors write nothing but enquiries
  await website.post('/api/contacts', { body: { last_name: 'Larsen' } })
  // @ts-expect-error an enquiry needs the consent of its sender
  await website.post('/api/enquiries', { body: { type: 'offer', last_name: 'A', message: 'b' } })
  // @ts-expect-error visitors change nothing
  website.put
  // @ts-expect-error a lookup has no pages
  website.pages('/api/stores')
}
