/**
 * Amounts of money, exact to the cent. In JSON they are numbers or decimal text, everywhere else integer cents.
 *
 *     amount().parse('12.3')   // 1230
 *     amount().parse(12.3)     // 1230
 *     formatCents(1230)        // '12.30'
 */
import { z } from 'zod'

/** Maximum absolute amount in cents. Up to here, a JSON number can represent every cent. */
export const MAX_CENTS = 999_999_999_999_999

/** Schema of any amount; parses to cents. */
export const cents = () =>
  z
    .union([z.number(), z.string()])
    .refine((value) => toCents(value) !== null, 'must be an amount with at most 2 decimals')
    .transform((value) => toCents(value) ?? 0)
    .refine((value) => Math.abs(value) <= MAX_CENTS, `must be at most ${formatCents(MAX_CENTS)}`)

/** Schema of an amount of at least 0; parses to cents. */
export const amount = () => cents().refine((value) => value >= 0, 'must be at least 0')

const presentedAmount = z
  .string()
  .regex(/^-?\d+\.\d{2}$/)
  .meta({ id: 'Amount', description: 'A number with two decimals, as text', examples: ['1250.00'] })

/** Schema of an amount in replies: text with two decimals. */
export const amountText = () => presentedAmount

/** `1230` → `'12.30'`. */
export function formatCents(value: number): string {
  const digits = String(Math.abs(value)).padStart(3, '0')
  return `${value < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** The cents of an amount; null if it is not a number or has more than two decimals. */
function toCents(value: number | string): number | null {
  if (typeof value === 'string') return readDecimal(value)
  const rounded = value.toFixed(2)
  // Sums such as 0.1 + 0.2 differ from their cent only in the last bits. A larger difference means more decimals.
  const noise = Math.min(2 * Number.EPSILON * Math.abs(value), 0.001)
  return Math.abs(value - Number(rounded)) <= noise ? readDecimal(rounded) : null
}

function readDecimal(text: string): number | null {
  const [, sign, whole, decimals = ''] = /^(-?)(\d{1,21})(?:\.(\d{1,2}))?$/.exec(text) ?? []
  if (whole === undefined) return null
  const value = Number(whole + decimals.padEnd(2, '0'))
  return sign && value > 0 ? -value : value
}

/** Whether `code` is written as the code of a currency: `EUR`. */
export function isCurrency(code: string): boolean {
  return /^[A-Z]{3}$/.test(code)
}
