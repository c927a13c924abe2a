declare module 'omggif' {
  /** Writes GIFs into a buffer. */
  export class GifWriter {
    constructor(out: Uint8Array, width: number, height: number, options: { palette: number[]; loop?: number })
    addFrame(
      x: number,
      y: number,
      width: number,
      height: number,
      indexes: number[],
      options: { delay?: number; transparent?: number },
    ): number
    end(): number
  }
}
