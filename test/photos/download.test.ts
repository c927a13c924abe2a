import { MAX_PHOTO_BYTES, PhotoError } from '@estia/photo-codec'
import { describe, expect, it, vi } from 'vitest'
import { isRefusedHost } from '../../src/net/address.ts'
import { downloadPhoto } from '../../src/photos/download.ts'
import { PHOTO_ERRORS } from '../../src/photos/errors.ts'

const PUBLIC = { env: {} }

/** Lets each address answer as listed; an address that is not listed must not be asked. */
function answer(answers: Record<string, () => Response | Promise<Response>>) {
  return vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
    const make = answers[String(input)]
    if (!make) throw new Error(`${input} was asked`)
    return make()
  })
}

const redirect = (location: string | null, status = 302) => {
  return () => new Response('moved', { status, headers: location === null ? {} : { location } })
}

async function reason(
  address: string,
  options: Parameters<typeof downloadPhoto>[1] = PUBLIC,
): Promise<string> {
  const error = await downloadPhoto(address, options).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(PhotoError)
  const { message } = error as PhotoError
  if (address) expect(message).not.toContain(address)
  return message
}
describe('downloadPhoto', () => {
  it('gives the bytes of an answer', async () => {
    const fetched = answer({ 'https://example.com/a.jpg?x=1': () => new Response(new Uint8Array([1, 2, 3])) })
    expect(await downloadPhoto(' https://EXAMPLE.com/a.jpg?x=1', PUBLIC)).toEqual(new Uint8Array([1, 2, 3]))
    expect(fetched).toHaveBeenCalledTimes(1)
    expect(fetched.mock.calls[0]?.[1]).toMatchObject({ redirect: 'manual' })
  })

  it.each([
    '',
    'house.jpg',
    'ftp://example.com/a.jpg',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:image/png;base64,AAAA',
    'https://user@example.com/a.jpg',
    'https://user:secret@example.com/a.jpg',
  ])('refuses the address %j', async (address) => {
    const fetched = answer({})
    expect(await reason(address)).toBe(PHOTO_ERRORS.badUrl)
    expect(await reason(address, { env: { ALLOW_PRIVATE_PHOTO_URLS: 'true' } })).toBe(PHOTO_ERRORS.badUrl)
    expect(fetched).not.toHaveBeenCalled()
  })

  const hostile = [
    'localhost',
    'localhost.',
    'a.localhost',
    'db.local',
    'printer.local.',
    'db',
    'metadata.google.internal',
    'api.internal',
    'nas.lan',
    'x.home.arpa',
    '127.0.0.1',
    '127.1',
    '127.255.255.254',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '１２７.0.0.1',
    '127。0。0。1',
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '100.64.0.1',
    '100.127.255.255',
    '169.254.169.254',
    '168.63.129.16',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '192.0.0.1',
    '192.0.2.1',
    '192.88.99.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '[::]',
    '[::1]',
    '[::127.0.0.1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:169.254.169.254]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b:1::1]',
    '[2002:7f00:1::]',
    '[2001::1]',
    '[2001:db8::1]',
    '[2001:10::1]',
    '[3fff::1]',
    '[100::1]',
    '[fc00::1]',
    '[fd12:3456::1]',
    '[fe80::1]',
    '[febf::1]',
    '[fec0::1]',
    '[ff02::1]',
    '[5f00::1]',
    '[fd00:ec2::254]',
  ]
  it.each(hostile)('refuses the host %s unless private addresses are allowed', async (host) => {
    const fetched = answer({})
    expect(await reason(`http://${host}/a.jpg`)).toBe(PHOTO_ERRORS.badUrl)
    expect(await reason(`https://${host}:8443/a.jpg`)).toBe(PHOTO_ERRORS.badUrl)
    expect(fetched).not.toHaveBeenCalled()
    fetched.mockImplementation(async () => new Response('private'))
    expect(
      new TextDecoder().decode(
        await downloadPhoto(`http://${host}/`, { env: { ALLOW_PRIVATE_PHOTO_URLS: 'true' } }),
      ),
    ).toBe('private')
  })

  it.each([
    'example.com',
    'localhost.example.com',
    'local.gr',
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.1.1.1',
    '128.0.0.1',
    '169.253.1.1',
    '172.15.1.1',
    '172.32.0.1',
    '192.167.1.1',
    '198.17.1.1',
    '223.255.255.255',
    '[2606:4700::1111]',
    '[2a00:1450:4017:80e::200e]',
    '[2002:808:808::1]',
    '[2001:4860::8888]',
  ])('allows the host %s', (host) => {
    expect(isRefusedHost(new URL(`http://${host}/`).hostname)).toBe(false)
  })

  it('follows redirects, relative ones too', async () => {
    answer({
      'https://example.com/1': redirect('https://cdn.example.com/2', 301),
      'https://cdn.example.com/2': redirect('/3', 307),
      'https://cdn.example.com/3': redirect('4?x', 308),
      'https://cdn.example.com/4?x': redirect('//example.org/5', 303),
      'https://example.org/5': redirect('http://example.org/6'),
      'http://example.org/6': () => new Response('photo'),
    })
    expect(new TextDecoder().decode(await downloadPhoto('https://example.com/1', PUBLIC))).toBe('photo')
  })

  it.each([
    ['http://127.0.0.1/', PHOTO_ERRORS.badUrl],
    ['http://[::ffff:10.0.0.1]/', PHOTO_ERRORS.badUrl],
    ['//localhost/', PHOTO_ERRORS.badUrl],
    ['file:///etc/passwd', PHOTO_ERRORS.badUrl],
    ['https://me@example.org/', PHOTO_ERRORS.badUrl],
    ['http://', PHOTO_ERRORS.notDownloaded],
    [null, PHOTO_ERRORS.notDownloaded],
    ['https://example.com/1', PHOTO_ERRORS.notDownloaded],
  ])('does not follow a redirect to %j', async (location, message) => {
    const fetched = answer({ 'https://example.com/1': redirect(location) })
    expect(await reason('https://example.com/1')).toBe(message)
    // The last one leads back to itself: the first request and five redirects.
    expect(fetched).toHaveBeenCalledTimes(location === 'https://example.com/1' ? 6 : 1)
  })

  it.each([300, 304, 400, 401, 404, 418, 500, 503])('fails on the answer %i', async (status) => {
    answer({ 'https://example.com/1': () => new Response(null, { status }) })
    expect(await reason('https://example.com/1')).toBe(PHOTO_ERRORS.notDownloaded)
  })

  it('fails when the network does', async () => {
    answer({ 'https://example.com/1': () => Promise.reject(new TypeError('Network connection lost.')) })
    expect(await reason('https://example.com/1')).toBe(PHOTO_ERRORS.notDownloaded)
  })

  it('gives up on an answer that is announced or turns out too large', async () => {
    const cancel = vi.fn()
    const endless = () =>
      new ReadableStream<Uint8Array>({
        pull: (controller) => controller.enqueue(new Uint8Array(1 << 20)),
        cancel,
      })
    const headers = { 'content-length': String(MAX_PHOTO_BYTES + 1) }
    answer({
      'https://example.com/announced': () => new Response(endless(), { headers }),
      'https://example.com/endless': () => new Response(endless()),
      'https://example.com/fits': () => new Response(new Uint8Array(MAX_PHOTO_BYTES)),
    })
    expect(await reason('https://example.com/announced')).toBe(PHOTO_ERRORS.notDownloaded)
    expect(cancel).toHaveBeenCalledTimes(1)
    expect(await reason('https://example.com/endless')).toBe(PHOTO_ERRORS.notDownloaded)
    expect(cancel).toHaveBeenCalledTimes(2)
    expect((await downloadPhoto('https://example.com/fits', PUBLIC)).length).toBe(MAX_PHOTO_BYTES)
  })

  it('does not begin when there is no time', async () => {
    answer({ 'https://example.com/a': () => new Response('photo') })
    const options = { env: {}, timeoutMs: 0 }
    expect(await reason('https://example.com/a', options)).toBe(PHOTO_ERRORS.notDownloaded)
    expect(await reason('ftp://example.com/a', options)).toBe(PHOTO_ERRORS.badUrl)
    expect(globalThis.fetch).not.toHaveBeenCalled()
  })

  it.each(['exactly', 'too long', 'too short', 'as no number', 'not at all'])(
    'takes a body in parts whose length is announced %s',
    async (how) => {
      const parts = [10, 100_000, 1, 50_000].map((length, index) => new Uint8Array(length).fill(index + 1))
      const whole = parts.flatMap((part) => [...part])
      const announced = {
        exactly: '150011',
        'too long': '200000',
        'too short': '5',
        'as no number': 'many',
      }[how]
      answer({
        'https://example.com/parts': () =>
          new Response(
            new ReadableStream<Uint8Array>({
              pull(controller) {
                const part = parts.shift()
                if (part) controller.enqueue(part)
                else controller.close()
              },
            }),
            announced ? { headers: { 'content-length': announced } } : {},
          ),
      })
      const bytes = await downloadPhoto('https://example.com/parts', PUBLIC)
      expect(bytes.length).toBe(whole.length)
      expect(bytes.every((byte, index) => byte === whole[index])).toBe(true)
    },
  )

  it('gives up when time is over, be it for the answer or for its body', async () => {
    const cancel = vi.fn()
    answer({
      'https://example.com/silent': () => new Promise(() => undefined),
      'https://example.com/slow': () =>
        new Response(new ReadableStream({ pull: () => new Promise(() => undefined), cancel })),
    })
    for (const path of ['silent', 'slow']) {
      expect(await reason(`https://example.com/${path}`, { env: {}, timeoutMs: 30 })).toBe(
        PHOTO_ERRORS.notDownloaded,
      )
    }
    expect(cancel).toHaveBeenCalledTimes(1)
  })
})
