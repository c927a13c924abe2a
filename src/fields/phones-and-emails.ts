/** The phone numbers and e-mail addresses in a field that people fill in as they like. */

/** Numbers are equal if the digits of the shorter are the last of the longer, of which so many count: one may have a country code. */
export const LAST_DIGITS = 10
/** A shorter number says too little. */
export const MIN_DIGITS = 7

/** Without its country code, a number ends with the group of digits that has the tenth. */
const COMPLETE = { national: LAST_DIGITS, international: LAST_DIGITS + 4 }
/** Maximum digits of one number (E.164), with 00 before them. */
const MAX_DIGITS = 17

/**
 * The digits of each phone number in a field. Letters, plus and most signs part them; extensions are too short. A complete
 * number ends at a space or dash, as in `2101234567 6971234567` and `2101234567-8`; what could be one number counts as one, too.
 */
export function phoneNumbers(field: string): string[] {
  const numbers = field.split(/[\p{L},:;#&|*\n]+|(?=\+)/u).flatMap((part) => {
    const sides = part.split('/')
    const isList = sides.every((side) => phoneDigits(side).length >= MIN_DIGITS)
    return (isList ? sides : [part]).flatMap(completeNumbers)
  })
  return [...new Set(numbers.filter((digits) => digits.length >= MIN_DIGITS))]
}

function completeNumbers(part: string): string[] {
  const whole = phoneDigits(part)
  const numbers = whole.length <= MAX_DIGITS ? [whole] : []
  let number = ''
  for (const group of part.trim().replace(/^\+/, '00').match(/\d+/g) ?? []) {
    const { length } = number
    if (length >= COMPLETE[number.startsWith('00') ? 'international' : 'national']) {
      numbers.push(number)
      number = ''
    }
    number += group
  }
  return [...numbers, number]
}

/** The lines of a field with phone numbers: those of its numbers, else its digits. */
export function phoneLines(field: string): string[] {
  const numbers = phoneNumbers(field)
  return numbers.length > 0 ? numbers : [phoneDigits(field)]
}

/** The e-mail addresses in a text such as `Anna <anna@example.com>; info@example.com`. */
export function addressesIn(text: string): string[] {
  return [...new Set(text.split(/[\s<>()[\],:;"]+/).filter((word) => word.includes('@')))]
}

function phoneDigits(number: string): string {
  return number.trim().replace(/^\+/, '00').replace(/\D/g, '')
}
