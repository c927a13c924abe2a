/** The two texts that a profile must have, without personal data: a description and a copyright notice. */

import { bytesOf, joinBytes, viewOf } from '../containers.ts'
import type { IccProfile } from './profile.ts'

const DESCRIPTION = 'RGB'
const COPYRIGHT = 'Not stated'

/** The texts as elements of the profile's version. */
export function textElements({ version }: IccProfile): [signature: string, element: Uint8Array][] {
  if (version >= 4)
    return [
      ['desc', localised(DESCRIPTION)],
      ['cprt', localised(COPYRIGHT)],
    ]
  return [
    ['desc', described(DESCRIPTION)],
    ['cprt', joinBytes([typed('text'), bytesOf(`${COPYRIGHT}\0`)])],
  ]
}

/** `multiLocalizedUnicodeType` with one language (ICC.1:2022 section 10.15). */
function localised(ascii: string): Uint8Array {
  const out = new Uint8Array(28 + ascii.length * 2)
  const view = viewOf(out)
  out.set(typed('mluc'))
  view.setUint32(8, 1)
  view.setUint32(12, 12)
  out.set(bytesOf('enUS'), 16)
  view.setUint32(20, ascii.length * 2)
  view.setUint32(24, 28)
  for (let i = 0; i < ascii.length; i++) view.setUint16(28 + i * 2, ascii.charCodeAt(i))
  return out
}

/** `textDescriptionType` of version 2 (ICC.1:2001-04 section 6.5.17): ASCII, no Unicode, no script code. */
function described(ascii: string): Uint8Array {
  const out = new Uint8Array(12 + ascii.length + 1 + 78)
  out.set(typed('desc'))
  viewOf(out).setUint32(8, ascii.length + 1)
  out.set(bytesOf(ascii), 12)
  return out
}

function typed(type: string): Uint8Array {
  return joinBytes([bytesOf(type), new Uint8Array(4)])
}
