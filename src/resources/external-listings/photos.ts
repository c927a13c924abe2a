/** Downloads the photos of an external listing one by one and stores them unchanged. A photo that fails is left out. */

import { detectType, inspectPhoto, unsupportedType } from '@estia/photo-codec'
import { storePhoto } from '../../files/store.ts'
import { allowsPrivateHosts } from '../../net/address.ts'
import { createPhotoBudget } from '../../photos/budget.ts'
import { photoFailure } from '../../photos/errors.ts'
import { createPhotoLoader } from '../../photos/loader.ts'

/** Accepted formats, detected from the bytes. */
const ACCEPTED_TYPES = ['image/jpeg', 'image/png', 'image/webp']

/** Maximum failures in the header, as servers limit its length. */
const MAX_NAMED = 20

/** A photo that could not be stored. */
export interface PhotoFailure {
  /** Index in the list of the body, from 0. */
  index: number
  message: string
}

/**
 * Stores the photos at `urls`. Returns the keys of the stored ones in order, and the failures. If the record is not
 * stored, the sweep deletes their files.
 * @param kept the keys of pictures that are stored already, by URL
 */
export async function storePhotosFromUrls(
  env: Env,
  urls: string[],
  kept: ReadonlyMap<string, string> = new Map(),
): Promise<{ keys: string[]; failures: PhotoFailure[] }> {
  const keys: string[] = []
  const failures: PhotoFailure[] = []
  const allowPrivate = allowsPrivateHosts(env)
  const entries = urls.map((url) => (kept.has(url) ? undefined : url))
  const loader = createPhotoLoader(entries, { allowPrivate }, createPhotoBudget())
  for (const [index, url] of urls.entries()) {
    const key = kept.get(url)
    if (key !== undefined) {
      keys.push(key)
      continue
    }
    try {
      const bytes = await loader.load(index)
      loader.fetchAhead(index + 1, bytes)
      keys.push(await storePhotoFromUrl(env, bytes))
    } catch (error) {
      failures.push({ index, message: photoFailure(error) })
    }
  }
  return { keys, failures }
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
