/** 256 RGBA colours, as the codec takes them: those of a palette, then black, with the alpha of each index. */
export function rgbaPalette(palette: Uint8Array, alphaOf: (index: number) => number): Uint8Array {
  const out = new Uint8Array(256 * 4)
  for (let i = 0; i < 256; i++) {
    out.set(palette.subarray(i * 3, i * 3 + 3), i * 4)
    out[i * 4 + 3] = alphaOf(i)
  }
  return out
}
