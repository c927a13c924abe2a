/**
 * The keys of smaller copies of pictures.
 *
 *     sizeKey('3f0c…9a.jpg', { width: 640, format: 'webp' }) // 'sizes/640/webp/3f0c…9a.jpg'
 *
 * They end in the name of the picture, whatever the format of the copy: code that recognises files by their last 37
 * characters takes the copies with the picture. No route serves them by their keys.
 */

import type { SizeFormat } from '@estia/photo-codec'

/** Folder of the copies. It sorts after that of the pictures. */
const SIZES = 'sizes'

/** What is asked of a copy; at least one of them is set. */
export interface Size {
  /** Maximum width in pixels; null keeps the picture's own. */
  width: number | null
  /** Null: JPEG, unless the picture is not wider; then the copy is the stored file. */
  format: SizeFormat | null
}

/** The key of a copy of the picture with this name. */
export function sizeKey(name: string, { width, format }: Size): string {
  return `${SIZES}/${width ?? 'full'}/${format ?? 'default'}/${name}`
}

/** Whether the key of a file is that of a copy. */
export function isSizeKey(key: string): boolean {
  return key.startsWith(`${SIZES}/`)
}
