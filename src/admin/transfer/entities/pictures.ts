/** How lines name pictures. */
import { filledText, optionalText } from '../../../fields/values.ts'
import { isFileKey } from '../../../files/keys.ts'

/** Longest key or address, in characters. */
const MAX_NAME = 2000
const RULE = 'must be an http or https address, or a key of the bucket'

/** The name of a picture. */
export const pictureName = () => filledText(MAX_NAME).refine(isPictureName, RULE)

/** The name of a picture, or none; an empty string becomes null. */
export const optionalPictureName = () =>
  optionalText(MAX_NAME).refine((name) => name === null || isPictureName(name), RULE)

// A slash before a key is that of a path.
/** Whether a text is an address of a picture, or a key of the bucket. */
export function isPictureName(name: string): boolean {
  return isFileKey(name.replace(/^\//, '')) || (/^https?:\/\//i.test(name) && URL.canParse(name))
}
