/** The bits of a JPEG scan. */

import type { codesOf } from './jpeg-tables.ts'

type Codes = ReturnType<typeof codesOf>

/** Bits in a row, high bit first; a zero byte follows each 0xFF. */
export class BitWriter {
  private readonly bytes: number[] = []
  private held = 0
  private length = 0

  /** A run of zeros and the number behind it: a symbol for the run and the number's size, then its bits. */
  number(codes: Codes | undefined, run: number, value: number): void {
    const size = 32 - Math.clz32(Math.abs(value))
    this.symbol(codes, run * 16 + size)
    this.put(value < 0 ? value + 2 ** size - 1 : value, size)
  }

  /** The code of a symbol. */
  symbol(codes: Codes | undefined, symbol: number): void {
    const found = codes?.get(symbol)
    if (!found) throw new Error(`No code for ${symbol}`)
    this.put(found.code, found.length)
  }

  /** A restart marker (0–7) in front of the next byte. */
  restart(number: number): void {
    this.fillUp()
    this.bytes.push(0xff, 0xd0 + number)
  }

  /** Everything written, filled up with ones to a whole byte. */
  finish(): Uint8Array {
    this.fillUp()
    return Uint8Array.from(this.bytes)
  }

  private put(value: number, length: number): void {
    for (let bit = length - 1; bit >= 0; bit--) {
      this.held = (this.held << 1) | ((value >> bit) & 1)
      if (++this.length < 8) continue
      this.bytes.push(this.held)
      if (this.held === 0xff) this.bytes.push(0)
      this.held = 0
      this.length = 0
    }
  }

  private fillUp(): void {
    while (this.length > 0) this.put(1, 1)
  }
}
