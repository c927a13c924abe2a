/** Photos of an external listing: downloaded one after the other, stored unchanged; a bad one is left out. */

import { detectType, inspectPhoto, unsupportedType } from '@estia/photo-codec'
import { storePhoto } from '../../files/store.ts'
import { allowsPrivateHosts } from '../../net/address.ts'
import { createPhotoBudget } from '../../photos/budget.ts'
import { photoFailure } from '../../photos/errors.ts'
import { createPhotoLoader } from '../../photos/loader.ts'

/** Formats that are accepted, told from the bytes. */
const ACCEPTED_TYPES = ['image/jpeg', 'image/png', 'image/webp']

/** Failures that a header names; more would make it longer than servers let a header be. */
const MAX_NAMED = 20

/** A photo that could not be stored. */
export interface PhotoFailure {
  /** Place in the body's list, from 0. */
  index: number
  message: string
}

/**
 * Keys of the stored photos in the order of `urls`, and what became of the others. Their files are the sweep's when the
 * record comes to nothing.
 */
export async function storePhotosFromUrls(
  env: Env,
  urls: string[],
): Promise<{ keys: string[]; failures: PhotoFailure[] }> {
  const keys: string[] = []
  const failures: PhotoFailure[] = []
  const allowPrivate = allowsPrivateHosts(env)
  const loader = createPhotoLoader([...urls], { allowPrivate }, createPhotoBudget())
  for (const index of urls.keys()) {
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
 * The value of the header `X-Photo-Errors`: `photos.0: Could not download photo, photos.3: …`. Commas and percent signs
 * inside a text, and what a header cannot carry, are percent-encoded.
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
