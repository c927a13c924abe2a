/** The two texts that a profile must have, without personal data: a description and a copyright notice. */

import { bytesOf, joinBytes, textAt, viewOf } from '../containers.ts'
import { type IccProfile, typeOf } from './profile.ts'

/** Descriptions that name only a colour space. They are kept; all others become `RGB`. */
const COLOUR_SPACES = new Set([
  'sRGB',
  'sRGB IEC61966-2.1',
  'sRGB built-in',
  'Display P3',
  'Adobe RGB (1998)',
  'Apple RGB',
  'ProPhoto RGB',
  'ROMM RGB',
  'ECI-RGB',
  'eciRGB v2',
  'Rec. ITU-R BT.709-5',
  'Rec. ITU-R BT.2020-1',
])
const MAX_NAME_LENGTH = 40
const OTHER_NAME = 'RGB'
const COPYRIGHT = 'Not stated'

/** The texts as elements of the profile's version. */
export function textElements(profile: IccProfile): [signature: string, element: Uint8Array][] {
  const name = readName(profile.tags.get('desc'))
  const description = COLOUR_SPACES.has(name) ? name : OTHER_NAME
  if (profile.version >= 4)
    return [
      ['desc', localised(description)],
      ['cprt', localised(COPYRIGHT)],
    ]
  return [
    ['desc', described(description)],
    ['cprt', joinBytes([typed('text'), bytesOf(`${COPYRIGHT}\0`)])],
  ]
}

/** The text of a description in its first language; empty when it is damaged or long. */
function readName(element: Uint8Array | undefined): string {
  if (!element || element.length < 28) return ''
  const view = viewOf(element)
  if (typeOf(element) === 'desc')
    return textAt(element, 12, Math.min(view.getUint32(8), MAX_NAME_LENGTH + 1) - 1)
  if (typeOf(element) !== 'mluc') return ''
  const [length, at] = [view.getUint32(20), view.getUint32(24)]
  if (length > MAX_NAME_LENGTH * 2 || at + length > element.length) return ''
  return new TextDecoder('utf-16be').decode(element.subarray(at, at + length))
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
