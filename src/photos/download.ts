/**
 * Downloads a photo from an untrusted URL.
 *
 *     const bytes = await downloadPhoto('https://example.com/house.jpg', { env })
 *
 * The error is `Invalid photo url` if the URL or the target of a redirect is refused, and `Could not download photo`
 * for everything else. To reveal nothing about the network, the messages have no details.
 */
import { MAX_PHOTO_BYTES, PhotoError } from '@estia/photo-codec'
import { type CallingEnv, callOut } from '../http/outgoing.ts'
import { ByteCollector, contentLengthOf } from '../http/request/gather.ts'
import { allowsPrivateHosts, isRefusedHost } from '../net/address.ts'
import { withDeadline } from '../net/deadline.ts'
import { PHOTO_ERRORS } from './errors.ts'

/** Time limit of a download, including redirects and body, in milliseconds. */
export const DOWNLOAD_TIMEOUT_MS = 15_000

const MAX_REDIRECTS = 5

const REDIRECTS = new Set([301, 302, 303, 307, 308])

export interface DownloadOptions {
  env: CallingEnv
  /** Time limit in milliseconds, by default `DOWNLOAD_TIMEOUT_MS`; with 0 the download fails without a request. */
  timeoutMs?: number
}

/** Downloads a file of at most `MAX_PHOTO_BYTES`, in any format. Throws a PhotoError. */
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

/** Whether a photo may be downloaded from an address: http(s), without credentials, at a host that is allowed. */
export function isDownloadable(address: string, options: DownloadOptions): boolean {
  const url = URL.parse(address)
  return url !== null && isAllowed(url, options)
}

function isAllowed({ protocol, username, password, hostname }: URL, { env }: DownloadOptions): boolean {
  const isWeb = protocol === 'http:' || protocol === 'https:'
  const hasCredentials = username !== '' || password !== ''
  return isWeb && !hasCredentials && (allowsPrivateHosts(env) || !isRefusedHost(hostname))
}

/** Throws unless the URL is allowed. */
function assertAllowedHost(url: URL, options: DownloadOptions): void {
  if (!isAllowed(url, options)) throw new PhotoError(PHOTO_ERRORS.badUrl)
}

/** Follows redirects itself, so that each URL is checked before the request. */
async function followRedirects(first: URL, options: DownloadOptions, signal: AbortSignal): Promise<Response> {
  let url = first
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const response = await callOut(options.env, url.href, {
      redirect: 'manual',
      signal,
      headers: { accept: 'image/*' },
    })
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

/** Reads the body. Throws if it exceeds `MAX_PHOTO_BYTES` or is not complete in time. */
async function readBody(response: Response, signal: AbortSignal): Promise<Uint8Array> {
  const reader = response.body?.getReader()
  if (!reader) return new Uint8Array(0)
  const announced = contentLengthOf(response.headers)
  try {
    if (announced > MAX_PHOTO_BYTES) throw new Error('Too large')
    const collector = new ByteCollector(announced, MAX_PHOTO_BYTES)
    for (let length = 0; ; ) {
      const { done, value } = await withDeadline(signal, reader.read())
      if (done) return collector.end()
      length += value.length
      if (length > MAX_PHOTO_BYTES) throw new Error('Too large')
      collector.add(value)
    }
  } catch (error) {
    // Do not await the cancellation: it may take longer than the time limit.
    reader.cancel().catch(() => undefined)
    throw error
  }
}
