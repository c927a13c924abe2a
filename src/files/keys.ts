/** What keys of the bucket look like. It loads nothing, so scripts may import it. */

/** A folder and a name; the smaller copies of a picture are in several folders under its name, see `size-keys.ts`. */
const KEY_PATTERN =
  /^(?:[a-z][a-z-]{0,31}|sizes\/(?:full|[1-9]\d{2,3})\/(?:jpeg|webp|default))\/[0-9a-f]{32}\.[a-z]{3,4}$/

/** Whether a text has the format of a key made by `storeFile` or `sizeKey`. */
export function isFileKey(key: string): boolean {
  return KEY_PATTERN.test(key)
}
