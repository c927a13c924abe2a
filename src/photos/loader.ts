/**
 * The files of one call, one after the other, the next one being fetched while this one is worked on.
 *
 *     const loader = createLoader(entries, { allowPrivate: false }, createBudget())
 *     const bytes = await loader.load(0)
 *     loader.fetchAhead(1, bytes)
 *
 * No more than two files are in memory: the one that is worked on and the next.
 */

import type { PhotoBudget } from './budget.ts'
import { DOWNLOAD_TIMEOUT_MS, type DownloadOptions } from './download.ts'
import { loadPhoto, type PhotoSource, parsePhotoEntry, photoUrl } from './entry.ts'

/** Longest file, in bytes, beside which another may be in memory. */
const MAX_BYTES_BESIDE = 8 * 1024 * 1024

/** Gives the files of a call, each once. */
export interface PhotoLoader {
  /** The bytes of an entry. Throws a PhotoError. */
  load(index: number): Promise<Uint8Array>
  /** Begins to fetch an entry that has an address, unless the file at hand is too large to have another beside it. */
  fetchAhead(index: number, atHand: Uint8Array): void
}

/**
 * The loader of a `photos` array, which it empties: each entry is let go of when it is loaded.
 * @param budget bounds how long downloads may take
 */
export function createPhotoLoader(
  entries: unknown[],
  options: DownloadOptions,
  budget: PhotoBudget,
): PhotoLoader {
  let ahead: { index: number; bytes: Promise<Uint8Array> } | null = null

  /** Throws a PhotoError. */
  function take(index: number): PhotoSource {
    const entry = entries[index]
    entries[index] = undefined
    return parsePhotoEntry(entry)
  }

  async function begin(index: number): Promise<Uint8Array> {
    const timeoutMs = Math.min(DOWNLOAD_TIMEOUT_MS, budget.timeLeft())
    return loadPhoto(take(index), { ...options, timeoutMs })
  }

  return {
    load(index) {
      const begun = ahead?.index === index ? ahead.bytes : null
      ahead = null
      return begun ?? begin(index)
    },
    fetchAhead(index, atHand) {
      if (atHand.buffer.byteLength > MAX_BYTES_BESIDE || photoUrl(entries[index]) === null) return
      const bytes = begin(index)
      // Prevents an unhandled rejection; load() rethrows it.
      bytes.catch(() => undefined)
      ahead = { index, bytes }
    },
  }
}
