/**
 * Fetches a photo from an address that a stranger chose.
 *
 *     const bytes = await downloadPhoto('https://example.com/house.jpg', { allowPrivate: false })
 *
 * `Invalid photo url` is the answer for an address that is refused, be it the given one or one that a redirect leads
 * to; everything that goes wrong on the way is `Could not download photo`. Neither tells more.
 */
import { MAX_PHOTO_BYTES, PhotoError } from '@estia/photo-codec'
import { ByteCollector, contentLengthOf } from '../http/request/gather.ts'
import { isRefusedHost } from '../net/address.ts'
import { withDeadline } from '../net/deadline.ts'
import { PHOTO_ERRORS } from './errors.ts'

/** Time for a whole download, redirects and body included, in milliseconds. */
export const DOWNLOAD_TIMEOUT_MS = 15_000

/** How many redirects are followed. */
const MAX_REDIRECTS = 5

const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** How a photo is downloaded. */
export interface DownloadOptions {
  /** Whether addresses inside private networks are allowed (local development). */
  allowPrivate: boolean
  /** Milliseconds for the whole download, `DOWNLOAD_TIMEOUT_MS` unless told otherwise; with 0 it is not even begun. */
  timeoutMs?: number
}

/** The bytes at an address, whatever they are. Throws a PhotoError. */
export async function downloadPhoto(address: string, options: DownloadOptions): Promise<Uint8Array> {
  const url = URL.parse(address)
  if (!url) throw new PhotoError(PHOTO_ERRORS.badUrl)
  assertAllowedHost(url, options)
  const { timeoutMs = DOWNLOAD_TIMEOUT_MS } = options
  if (timeoutMs <= 0) throw new PhotoError(PHOTO_ERRORS.notDownloaded, { cause: new Error('Out of time') })
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await withDeadline(timeout, followRedirects(url, options, timeout))
    return await readBody(response, timeout)
  } catch (cause) {
    throw cause instanceof PhotoError ? cause : new PhotoError(PHOTO_ERRORS.notDownloaded, { cause })
  }
}

/** Throws unless the address is http(s), without credentials, on a host that may be asked. */
function assertAllowedHost(url: URL, { allowPrivate }: DownloadOptions): void {
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:'
  const hasCredentials = url.username !== '' || url.password !== ''
  if (!isWeb || hasCredentials || (!allowPrivate && isRefusedHost(url.hostname))) {
    throw new PhotoError(PHOTO_ERRORS.badUrl)
  }
}

/** Follows redirects by hand, so that each address is judged before it is asked. */
async function followRedirects(first: URL, options: DownloadOptions, signal: AbortSignal): Promise<Response> {
  let url = first
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const response = await fetch(url.href, { redirect: 'manual', signal, headers: { accept: 'image/*' } })
    if (response.ok) return response
    await response.body?.cancel()
    const location = REDIRECTS.has(response.status) ? response.headers.get('location') : null
    const next = location === null ? null : URL.parse(location, url.href)
    if (!next) throw new Error(`Answer ${response.status}`)
    assertAllowedHost(next, options)
    url = next
  }
  throw new Error('Too many redirects')
}

/** The body, as long as it stays below the cap and comes in time. */
async function readBody(response: Response, signal: AbortSignal): Promise<Uint8Array> {
  const reader = response.body?.getReader()
  if (!reader) return new Uint8Array(0)
  const announced = contentLengthOf(response.headers)
  try {
    if (announced > MAX_PHOTO_BYTES) throw new Error('Too large')
    const gatherer = new ByteCollector(announced, MAX_PHOTO_BYTES)
    for (let length = 0; ; ) {
      const { done, value } = await withDeadline(signal, reader.read())
      if (done) return gatherer.end()
      length += value.length
      if (length > MAX_PHOTO_BYTES) throw new Error('Too large')
      gatherer.add(value)
    }
  } catch (error) {
    // The rest of the body is of no use. Waiting for the cancellation could outlast the time that is given.
    reader.cancel().catch(() => undefined)
    throw error
  }
}
