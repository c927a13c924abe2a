/** Photos of an external listing: downloaded one after the other, stored unchanged; a bad one is left out. */
import { detectType } from '../../photos/detect.ts'
import { downloadPhoto } from '../../photos/download.ts'
import { PhotoError, unsupportedType } from '../../photos/errors.ts'
import { inspectPhoto } from '../../photos/process.ts'
import { deletePhotos, storePhoto } from '../../photos/store.ts'

/** Formats that are accepted, told from the bytes. */
const ACCEPTED = ['image/jpeg', 'image/png', 'image/webp']

/** Failures that a header names; more would make it longer than servers let a header be. */
const MAX_NAMED = 20

/** A photo that could not be stored. */
export interface PhotoFailure {
  /** Place in the body's list, from 0. */
  index: number
  message: string
}

/** Keys of the stored photos in the order of `urls`, and what became of the others. */
export async function storePhotos(
  env: Env,
  urls: string[],
): Promise<{ keys: string[]; failures: PhotoFailure[] }> {
  const keys: string[] = []
  const failures: PhotoFailure[] = []
  try {
    for (const [index, url] of urls.entries()) {
      try {
        keys.push(await storeOne(env, url))
      } catch (error) {
        if (!(error instanceof PhotoError)) throw error
        failures.push({ index, message: error.message })
      }
    }
  } catch (error) {
    await discardPhotos(env, keys)
    throw error
  }
  return { keys, failures }
}

/** Deletes photos that nothing refers to; when that fails too they stay, unreachable. */
export async function discardPhotos(env: Env, keys: string[]): Promise<void> {
  await deletePhotos(env.PHOTOS, keys).catch(() => undefined)
}

/**
 * The value of the header `X-Photo-Errors`: `photos.0: Could not download photo, photos.3: …`. Commas and percent signs
 * inside a text, and what a header cannot carry, are percent-encoded.
 */
export function nameFailures(failures: PhotoFailure[]): string {
  return failures
    .slice(0, MAX_NAMED)
    .map(({ index, message }) => `photos.${index}: ${message.replace(/[^ -~]|[%,]/gu, encodeURIComponent)}`)
    .join(', ')
}

async function storeOne(env: Env, url: string): Promise<string> {
  const bytes = await downloadPhoto(url, { allowPrivate: env.ALLOW_PRIVATE_PHOTO_URLS === 'true' })
  const type = detectType(bytes)
  if (!ACCEPTED.includes(type)) throw unsupportedType(type)
  inspectPhoto(bytes)
  return storePhoto(env.PHOTOS, bytes, type)
}
