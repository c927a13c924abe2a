/** What the components of a JPEG stand for. */

/** What the components of a frame mean. */
export enum Components {
  Grey = 0,
  Ycc = 1,
  Rgb = 2,
  /** 255 is no ink, with Adobe's marker and without. */
  Cmyk = 3,
  Ycck = 4,
}

/** Whether each component goes to the copies by itself. */
export function isScaledApart(components: Components): bool {
  return components === Components.Grey || components === Components.Ycc
}
