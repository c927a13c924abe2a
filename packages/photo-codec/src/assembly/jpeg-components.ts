/** What the components of a JPEG stand for. */

/** What the components of a frame mean. */
export enum Components {
  Grey = 0,
  Ycc = 1,
  Rgb = 2,
  /** 255 is no ink, with Adobe's marker and without. */
  Cmyk = 3,
  Ycck = 4,
  /** Grey and Y′CbCr that have to become red, green and blue because a table converts them. */
  ConvertedGrey = 5,
  ConvertedYcc = 6,
}

/** What components are that a table for red, green and blue converts. */
export function convertedComponents(components: Components): Components {
  if (components === Components.Grey) return Components.ConvertedGrey
  return components === Components.Ycc ? Components.ConvertedYcc : components
}

/** Whether each component goes to the copies by itself. */
export function isScaledApart(components: Components): bool {
  return components === Components.Grey || components === Components.Ycc
}
