/** Whether a printed answer is what the service said: the same but for what is cut (`…`) and what differs each time. */
import { isObject } from '../../../src/http/request/object-keys.ts'

/** Texts that are others in each run, by their form. */
const VARYING = [
  /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/,
  /^[0-9a-f]{16}$/,
  /^[0-9a-f]{12}(-[0-9a-f]{14}){1,2}$/,
  /^msg_[0-9a-f]{32}$/,
  /^whsec_[\w+/]+=*$/,
  /^[0-9A-HJKMNP-TV-Z]{10}$/,
]
/** Numbers that are others in each run. */
const COUNTED = new Set(['created_id', 'milliseconds'])
const CUT = '…'
/** The beginning of a random name. */
const RANDOM = /[0-9a-f]{4,16}…/

/** The first difference between what is printed and what came, null for none. */
export function difference(printed: unknown, came: unknown, path = ''): string | null {
  if (Array.isArray(printed)) return differenceOfLists(printed, came, path)
  if (isObject(printed)) return differenceOfObjects(printed, came, path)
  if (typeof printed === 'string' && typeof came === 'string' && isLike(printed, came)) return null
  const key = path.slice(path.lastIndexOf('.') + 1)
  if (COUNTED.has(key) && typeof printed === 'number' && typeof came === 'number') return null
  return printed === came ? null : `${path}: printed ${JSON.stringify(printed)}, came ${JSON.stringify(came)}`
}

/** Whether two texts are the same but for what is cut or varies. */
export function isLike(printed: string, came: string): boolean {
  if (printed.includes(CUT)) {
    const [head = '', ...parts] = printed.replace(RANDOM, CUT).split(CUT)
    const tail = parts.at(-1) ?? ''
    return came.startsWith(head) && came.endsWith(tail) && came.length >= head.length + tail.length
  }
  return printed === came || VARYING.some((form) => form.test(printed) && form.test(came))
}

/** A printed list may leave out entries, but not their order. */
function differenceOfLists(printed: unknown[], came: unknown, path: string): string | null {
  if (!Array.isArray(came)) return `${path}: printed a list, came ${JSON.stringify(came)}`
  let next = 0
  for (const [index, entry] of printed.entries()) {
    const found = came.findIndex(
      (one, at) => at >= next && difference(entry, one, `${path}.${index}`) === null,
    )
    if (found < 0)
      return difference(entry, came[next], `${path}.${index}`) ?? `${path}.${index}: did not come`
    next = found + 1
  }
  return null
}

/** With a key `…` a printed object may leave out others. */
function differenceOfObjects(printed: Record<string, unknown>, came: unknown, path: string): string | null {
  if (!isObject(came)) return `${path}: printed an object, came ${JSON.stringify(came)}`
  for (const [key, value] of Object.entries(printed)) {
    if (key === CUT) continue
    if (!(key in came)) return `${path}.${key}: did not come`
    const found = difference(value, came[key], `${path}.${key}`)
    if (found) return found
  }
  const more = Object.keys(came).find((key) => !(key in printed))
  return more === undefined || CUT in printed ? null : `${path}.${more}: is not printed`
}
