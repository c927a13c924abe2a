/**
 * Exact decimal arithmetic on JSON numbers as written: 0.575 is 575/1000, not the nearest binary fraction.
 *
 *     divideToCents(115, 200)    // 0.58
 *     divideToCents(1005, 1000)  // 1.01
 */

/**
 * `dividend / divisor`, rounded half up to two decimals; null if it is infinite or undefined. Both must be at least
 * 0.
 */
export function divideToCents(dividend: number, divisor: number): number | null {
  if (divisor === 0) return null
  const [above, below] = [readDecimal(dividend), readDecimal(divisor)]
  const scale = 2 + above.exponent - below.exponent
  const numerator = above.digits * (scale > 0 ? 10n ** BigInt(scale) : 1n)
  const denominator = below.digits * (scale < 0 ? 10n ** BigInt(-scale) : 1n)
  const cents = (2n * numerator + denominator) / (2n * denominator)
  const quotient = Number(`${cents}e-2`)
  return Number.isFinite(quotient) ? quotient : null
}

/** A number as `digits` × 10 ^ `exponent`, from its shortest decimal text. */
function readDecimal(value: number): { digits: bigint; exponent: number } {
  const [mantissa = '', exponent = '0'] = String(value).split('e')
  const [whole = '', decimals = ''] = mantissa.split('.')
  return { digits: BigInt(whole + decimals), exponent: Number(exponent) - decimals.length }
}
