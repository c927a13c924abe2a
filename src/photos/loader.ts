/**
 * Loads the photos of one call in order. The next photo is downloaded while the current one is processed.
 *
 *     const loader = createPhotoLoader(entries, { env }, createPhotoBudget())
 *     const bytes = await loader.load(0)
 *     loader.fetchAhead(1, bytes)
 *
 * At most two files are in memory: the current one and the next.
 */

import type { PhotoBudget } from './budget.ts'
import { DOWNLOAD_TIMEOUT_MS, type DownloadOptions } from './download.ts'
import { loadPhoto, type PhotoSource, parsePhotoEntry, photoUrl } from './entry.ts'

/** Maximum size in bytes of a file that may be in memory together with another. */
const MAX_BYTES_BESIDE = 8 * 1024 * 1024

/** Loads the files of a call, each once. */
export interface PhotoLoader {
  /** The bytes of an entry. Throws a PhotoError. */
  load(index: number): Promise<Uint8Array>
  /** Starts to download an entry with a URL, unless the current file is too large to have another beside it. */
  fetchAhead(index: number, atHand: Uint8Array): void
}

/**
 * Makes the loader of a `photos` array. It clears each entry when it loads it, to release its memory.
 * @param budget limits the time of downloads
 */
export function createPhotoLoader(
  entries: unknown[],
  options: DownloadOptions,
  budget: PhotoBudget,
): PhotoLoader {
  let ahead: { index: number; bytes: Promise<Uint8Array> } | null = null

  /** Removes an entry and parses it. Throws a PhotoError. */
  function take(index: number): PhotoSource {
    const entry = entries[index]
    entries[index] = undefined
    return parsePhotoEntry(entry)
  }

  async function start(index: number): Promise<Uint8Array> {
    const timeoutMs = Math.min(DOWNLOAD_TIMEOUT_MS, budget.timeLeft())
    return loadPhoto(take(index), { ...options, timeoutMs })
  }

  return {
    load(index) {
      const started = ahead?.index === index ? ahead.bytes : null
      ahead = null
      return started ?? start(index)
    },
    fetchAhead(index, atHand) {
      if (atHand.buffer.byteLength > MAX_BYTES_BESIDE || photoUrl(entries[index]) === null) return
      const bytes = start(index)
      // Prevents an unhandled rejection; load() rethrows it.
      bytes.catch(() => undefined)
      ahead = { index, bytes }
    },
  }
}
