/** Downloads the photos of an external listing one by one and stores them unchanged. */
import { createHash } from 'node:crypto'
import { detectType, inspectPhoto, unsupportedType } from '@estia/photo-codec'
import { storePhoto } from '../../files/store.ts'
import { ApiError } from '../../http/errors.ts'
import { createPhotoBudget } from '../../photos/budget.ts'
import { PHOTO_ERRORS, photoFailure } from '../../photos/errors.ts'
import { createPhotoLoader } from '../../photos/loader.ts'

/** Accepted formats, detected from the bytes. */
const ACCEPTED_TYPES = ['image/jpeg', 'image/png', 'image/webp']

/** Maximum failures in the header, as servers limit its length. */
const MAX_NAMED = 20

export interface PhotoFailure {
  /** Index in the list of the body, from 0. */
  index: number
  message: string
}

/** The pictures of a record before an update. */
export interface KnownPhotos {
  /** Their keys, in order. */
  keys: readonly string[]
  /** The keys by the address that a read shows. */
  addresses: ReadonlyMap<string, string>
  /** Hashes of the URLs from which they were downloaded, by key. */
  sources: Readonly<Record<string, string>>
}

/** What became of the URLs of a body. */
export interface StoredPhotos {
  /** Keys of the pictures, in order. */
  keys: string[]
  /** Hashes of the URLs from which they were downloaded, by key. */
  sources: Record<string, string>
  /** The photos that failed, even if a known picture stays in their place. */
  failures: PhotoFailure[]
}

/**
 * Stores the photos at `urls`. If the record is not stored, the sweep deletes their files. A photo that fails is left out.
 * With `known` pictures, those named by their address stay without a download, and so does, for a photo that fails, the
 * one downloaded from the same URL or else the one at the same index, unless another entry of the list claims it. If there is
 * none, and a later call may succeed, the whole call fails with 503.
 */
export async function storePhotosFromUrls(env: Env, urls: string[], known?: KnownPhotos) {
  const result: StoredPhotos = { keys: [], sources: {}, failures: [] }
  const entries = urls.map((url) => (known?.addresses.has(url) ? undefined : url))
  const loader = createPhotoLoader(entries, { env }, createPhotoBudget())
  const substituteFor = known && substitutes(urls, known)
  const keep = (key: string, source = known?.sources[key]) => {
    result.keys.push(key)
    if (source !== undefined) result.sources[key] = source
  }
  for (const [index, url] of urls.entries()) {
    const named = known?.addresses.get(url)
    if (named !== undefined) {
      keep(named)
      continue
    }
    try {
      const bytes = await loader.load(index)
      loader.fetchAhead(index + 1, bytes)
      keep(await storePhotoFromUrl(env, bytes), hashOf(url))
    } catch (error) {
      const message = photoFailure(error)
      const substitute = substituteFor?.(index)
      if (substitute !== undefined) keep(substitute)
      else if (known && PASSING.has(message)) throw photoUnavailable(`photos.${index}`, message)
      result.failures.push({ index, message })
    }
  }
  return result
}

/** Failures that have to do with the network or the bucket, not with the picture. */
const PASSING: ReadonlySet<string> = new Set([PHOTO_ERRORS.notDownloaded, PHOTO_ERRORS.notUploaded])

/** A function that finds the known picture which stays in the place of a failed entry of `urls`, each picture once. */
function substitutes(urls: string[], known: KnownPhotos): (index: number) => string | undefined {
  const keyOfSource = new Map(known.keys.map((key) => [known.sources[key], key]))
  keyOfSource.delete(undefined)
  const sameSource = urls.map((url) => keyOfSource.get(hashOf(url)))
  const claimed = new Set([...sameSource, ...urls.map((url) => known.addresses.get(url))])
  return (index) => {
    const own = sameSource[index]
    // An URL that is in the list twice has one picture.
    if (own !== undefined) return sameSource.indexOf(own) === index ? own : undefined
    const key = known.keys[index]
    if (claimed.has(key)) return undefined
    claimed.add(key)
    return key
  }
}

function hashOf(url: string): string {
  return createHash('sha256').update(url).digest('base64url').slice(0, 22)
}

/**
 * The value of the header `X-Photo-Errors`: `photos.0: Could not download photo, photos.3: …`. Commas, percent signs
 * and characters that a header cannot contain are percent-encoded in the texts.
 */
export function failuresHeader(failures: PhotoFailure[]): string {
  return failures
    .slice(0, MAX_NAMED)
    .map(({ index, message }) => `photos.${index}: ${message.replace(/[^ -~]|[%,]/gu, encodeURIComponent)}`)
    .join(', ')
}

async function storePhotoFromUrl(env: Env, bytes: Uint8Array): Promise<string> {
  const type = detectType(bytes)
  if (!ACCEPTED_TYPES.includes(type)) throw unsupportedType(type)
  return storePhoto(env.PHOTOS, bytes, inspectPhoto(bytes).type)
}

/** 503: a picture could not be had, and there is none to keep in its place. Nothing is changed. */
function photoUnavailable(field: string, message: string): ApiError {
  const problem = { field, message: `${field}: ${message}` }
  return new ApiError(503, problem.message, [problem], { 'Retry-After': '60' })
}
