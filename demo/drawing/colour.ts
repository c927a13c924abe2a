/** A colour as `0xrrggbb`. */
export type Colour = number

/** The colour between two, `share` of the way. */
export function mix(from: Colour, to: Colour, share: number): Colour {
  return channels((shift) => {
    const start = (from >> shift) & 255
    return start + (((to >> shift) & 255) - start) * share
  })
}

/** A surface of one colour in light of another. */
export function lit(surface: Colour, light: Colour): Colour {
  return channels((shift) => (((surface >> shift) & 255) * ((light >> shift) & 255)) / 255)
}

/** By how much two colours differ at most in red, green or blue. */
export function distance(a: Colour, b: Colour): number {
  return Math.max(...[16, 8, 0].map((shift) => Math.abs(((a >> shift) & 255) - ((b >> shift) & 255))))
}

export const darker = (colour: Colour, share: number): Colour => mix(colour, 0x1d2033, share)
export const lighter = (colour: Colour, share: number): Colour => mix(colour, 0xffffff, share)

export const css = (colour: Colour): string => `#${colour.toString(16).padStart(6, '0')}`

function channels(value: (shift: number) => number): Colour {
  const channel = (shift: number) => Math.max(0, Math.min(255, Math.round(value(shift)))) << shift
  return channel(16) | channel(8) | channel(0)
}
