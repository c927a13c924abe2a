import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { PIXEL } from '../../../fixtures/pictures.ts'
import { call, expectError, expectInvalid, get, keyWith, post } from '../../support/api.ts'
import { selectAll } from '../../support/database.ts'
import { createListing, minimalListing } from '../../support/factories/listing.ts'
import { bearer, endpoints, send } from '../send.ts'
import { Attempt, passTime, prepareRepeatable, REPEATABLE, resultOf } from './repeatable.ts'

let token = ''

prepareRepeatable((key) => {
  token = key
})

const contact = { first_name: 'A', last_name: 'B' }
const keyed = (key: string) => ({
  headers: { 'Idempotency-Key': key },
})
const countContacts = () => env.DB.prepare('select count(*) as n from contacts').first('n')

it('every POST under /api/ takes keys, nothing else does, and each is tried here', () => {
  const taking = endpoints.filter(({ contract }) => contract.headers?.shape['Idempotency-Key'])
  const posts = endpoints.filter(({ method, audience }) => method === 'post' && audience === 'api')
  // Those under /admin/: test/admin/definitions.test.ts.
  expect(taking.filter(({ contract }) => !contract.isTagged)).toEqual(posts)
  // A file as the body: test/resources/knowledge-base/upload.test.ts.
  const withJson = posts.filter(({ contract }) => !contract.bodyType)
  expect(new Set(REPEATABLE.map(({ pattern }) => pattern))).toEqual(new Set(withJson.map(({ path }) => path)))
})

describe.each(REPEATABLE)('POST $pattern', (kind) => {
  it('is done once, and answered the same', async () => {
    const attempt = await Attempt.of(kind, token)
    const first = await attempt.send()
    expect(first).toMatchObject({ status: 200, isReplayed: false })
    expect(first.told[0]).toMatch(/^"\d+-[0-9a-f]{12}"$/)
    expect(await attempt.timesDone()).toBe(1)
    for (let time = 0; time < 3; time++) {
      const again = await attempt.send()
      expect(resultOf(again)).toEqual(resultOf(first))
      expect(again.isReplayed).toBe(true)
    }
    expect(await attempt.timesDone()).toBe(1)
  })

  it('answers with a key as without one', async () => {
    const [plain, withKey] = [await Attempt.of(kind, token), await Attempt.of(kind, token)]
    const [without, first] = [await plain.send({}, {}), await withKey.send()]
    const anonymous = (text: string) =>
      text.replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d|[0-9a-f]{32}|_id":\d+|"id":\d+|"reference":"\w{10}"/g, '#')
    expect(anonymous(first.text)).toBe(anonymous(without.text))
    expect(first.told.slice(1)).toEqual(without.told.slice(1))
    // The tag is that of the next read, and a whole record in the reply is what it shows.
    const { data, created_id } = JSON.parse(first.text) as { data?: { id?: number }; created_id?: number }
    const isCreation = !kind.pattern.includes('{')
    const created = `${kind.pattern.replace('/office/', '/api/')}/${created_id ?? data?.id}`
    const read = await get(isCreation ? created : withKey.record)
    expect(first.told[0]).toBe(read.headers.get('ETag'))
    if (isCreation && data) expect(read.body.data).toEqual(data)
  })
})

describe('a key', () => {
  const OUT_OF_USE = 'Idempotency-Key was used for another request'

  it.each([
    ['another body', () => post('/api/contacts', { ...contact, notes: 'n' }, keyed('other'))],
    ['another body that is no JSON', () => post('/api/contacts', '{', keyed('other'))],
    ['another body that is not valid', () => post('/api/contacts', {}, keyed('other'))],
    [
      'the same body in other bytes',
      () => post('/api/contacts', `${JSON.stringify(contact)} `, keyed('other')),
    ],
    ['another path', () => post('/api/listings', contact, keyed('other'))],
    ['a record that is not there', () => post('/api/listings/99999/status', contact, keyed('other'))],
    ['a query', () => post('/api/contacts?a=1', contact, keyed('other'))],
  ])('stands for one request: %s is refused', async (_, sendOther) => {
    await post('/api/contacts', contact, keyed('other'))
    const before = await countContacts()
    await expectError(sendOther(), 422, OUT_OF_USE)
    expect(await countContacts()).toBe(before)
  })

  it.each([
    ['null and a number without end', 'null', '1e400'],
    ['zero and less than nothing', '0', '-0'],
    ['zero and less than any number', '0', '1e-400'],
    ['integers that are not exact', '9007199254740992', '9007199254740993'],
    ['half characters', '"\\ud800"', '"\\udfff"'],
    ['one of equal keys', '1', '2, "unknown": 1'],
    ['another prototype', '1', '1, "__proto__": {"unknown": 1}'],
  ])('tells apart what is the same once it is parsed: %s', async (_, first, second) => {
    const send = (value: string) =>
      post(
        '/api/contacts',
        `${JSON.stringify(contact).slice(0, -1)}, "unknown": ${value}}`,
        keyed(`same-${encodeURIComponent(JSON.stringify(first + second))}`),
      )
    const { status, body } = await send(first)
    expect(status).toBe(200)
    expect((await send(first)).body).toEqual(body)
    await expectError(send(second), 422, OUT_OF_USE)
  })

  it('is of one caller', async () => {
    const [first, second] = [await keyWith('contacts:write'), await keyWith('contacts:write')]
    const ids = []
    for (const key of [first, second, first])
      ids.push((await post('/api/contacts', contact, { ...keyed('mine'), key })).body.created_id)
    expect(ids[1]).not.toBe(ids[0])
    expect(ids[2]).toBe(ids[0])
  })

  it.each([
    ['abc', '"abc"'],
    ['a"b\\', '"a\\"b\\\\"'],
    ['x'.repeat(255), `"${'x'.repeat(255)}"`],
    ['!~;=1', '"!~;=1"'],
  ])('may be in quotes: %s', async (bare, quoted) => {
    const { body } = await post('/api/contacts', contact, keyed(bare))
    const again = await post('/api/contacts', contact, keyed(quoted))
    expect(again.body).toEqual(body)
    expect(again.headers.get('Idempotent-Replayed')).toBe('true')
  })

  it.each(['', '""', '"', 'a b', '"a b"', '"a', '"a"b', '"a\\b"', 'ä', 'x'.repeat(256), 'a, b'])(
    'is refused: %s',
    async (key) => {
      await expectInvalid(post('/api/contacts', contact, keyed(key)), 'Invalid Idempotency-Key')
      expect((await get('/api/contacts/1', keyed(key))).status).toBe(200)
    },
  )

  it('is checked after API key, path and scope, and before body and record', async () => {
    await post('/api/contacts', contact, keyed('order'))
    const at = async (path: string, key: string | null, value = 'order') =>
      (await post(path, '{', { ...keyed(value), key })).status
    expect(await at('/api/contacts', null)).toBe(401)
    expect(await at('/api/nothing', token)).toBe(404)
    expect(await at('/api/contacts', await keyWith('contacts:read'))).toBe(403)
    expect(await at('/api/contacts', token, '')).toBe(400)
  })

  it('stores no error: once the cause is corrected, the call is made', async () => {
    const body = { ...minimalListing, tags: [77] }
    await expectInvalid(post('/api/listings', body, keyed('later')), 'Unknown tags 77')
    expect((await post('/api/listings/99999/status', { to: 'active' }, keyed('gone'))).status).toBe(404)
    expect((await post('/api/listings', '{', keyed('later'))).status).toBe(400)
    expect(
      await env.DB.prepare('select count(*) as n from idempotency_keys where answer is null').first('n'),
    ).toBe(0)
    await env.DB.exec("insert into listing_tags (id, name) values (77, 'Late')")
    expect((await post('/api/listings', body, keyed('later'))).status).toBe(200)
  })

  it('is answered though the record was changed or deleted since', async () => {
    const { body, headers } = await post('/api/contacts', contact, keyed('past'))
    await call('DELETE', `/api/contacts/${body.created_id}`)
    const again = await post('/api/contacts', contact, keyed('past'))
    expect([again.body, again.headers.get('ETag')]).toEqual([body, headers.get('ETag')])
  })

  it('is kept neither itself nor with who sent it', async () => {
    await post('/api/contacts', contact, keyed('secret-of-mine'))
    const results = await selectAll('select * from idempotency_keys')
    expect(JSON.stringify(results)).not.toMatch(/secret-of-mine|estia_/)
  })

  it('is forgotten a day after the answer', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { body } = await post('/api/contacts', contact, keyed('day'))
    passTime(24 * 60 * 60 * 1000 - 1000)
    expect((await post('/api/contacts', contact, keyed('day'))).body).toEqual(body)
    passTime(2000)
    const anew = await post('/api/contacts', { ...contact, notes: 'other' }, keyed('day'))
    expect([anew.status, anew.headers.get('Idempotent-Replayed')]).toEqual([200, null])
    expect(anew.body.created_id).not.toBe(body.created_id)
  })
})

describe('bodies that are no JSON', () => {
  const PNG = Buffer.from(PIXEL, 'base64')
  const form = (bytes: Uint8Array, boundary = 'b', fileName = 'a.png') =>
    Buffer.concat([
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="note"\r\n\r\nn\r\n`),
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="a"; filename="${fileName}"\r\n\r\n`,
      ),
      bytes,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ])

  it.each(['image', 'form'])('are distinguished by every byte: %s', async (kind) => {
    const path = `/api/listings/${await createListing()}/photos`
    const type = kind === 'form' ? 'multipart/form-data; boundary=b' : 'image/png'
    const once = async (bytes: Uint8Array) => {
      const answer = await send('POST', path, {
        headers: { ...bearer(token), 'Idempotency-Key': kind + path, 'Content-Type': type },
        body: kind === 'form' ? form(bytes) : bytes,
      })
      return [answer.status, answer.headers.get('X-Ignored-Fields'), await answer.text()] as const
    }
    const [status, ignored, text] = await once(PNG)
    expect([status, ignored]).toEqual([200, kind === 'form' ? 'note' : null])
    expect(await once(PNG)).toEqual([status, ignored, text])
    const other = Uint8Array.from(PNG)
    other[other.length - 1] = 0
    expect((await once(other))[0]).toBe(422)
    expect((await get(path)).body.data).toHaveLength(1)
  })
})
