/** What keys of the bucket look like. It loads no code, so scripts may import it. */
import type { SizeFormat } from '@estia/photo-codec'

/** A folder and a name; the smaller copies of a picture are in several folders under its name, see `sizeKey`. */
const KEY_PATTERN =
  /^(?:[a-z][a-z-]{0,31}|sizes\/(?:full|[1-9]\d{2,3})\/(?:jpeg|webp|default))\/[0-9a-f]{32}\.[a-z]{3,4}$/

/** Whether a text has the format of a key made by `storeFile` or `sizeKey`. */
export function isFileKey(key: string): boolean {
  return KEY_PATTERN.test(key)
}

/** Folder of the copies. It sorts after that of the pictures. */
const SIZES = 'sizes'

/** What is asked of a copy; at least one of them is set. */
export interface Size {
  /** Maximum width in pixels; null keeps the picture's own. */
  width: number | null
  /** Null: JPEG, unless the picture is not wider; then the copy is the stored file. */
  format: SizeFormat | null
}

/**
 * The key of a copy of the picture with this name. It ends in that name, whatever the format of the copy: code that recognises
 * files by their last 37 characters takes the copies with the picture. No route serves them by their keys.
 */
export function sizeKey(name: string, { width, format }: Size): string {
  return `${SIZES}/${width ?? 'full'}/${format ?? 'default'}/${name}`
}

/** Whether the key of a file is that of a copy. */
export function isSizeKey(key: string): boolean {
  return key.startsWith(`${SIZES}/`)
}
