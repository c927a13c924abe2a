import { lengthOf, lettersPath } from './letters.ts'

const [SIZE, MARGIN] = [44, 12]

/** A house and the name of an office in white, on a shadow that keeps it legible on bright pictures. */
export function watermarkOf(name: string): { elements: string; width: number; height: number } {
  const house = SIZE * 1.2
  const length = lengthOf(name) * SIZE
  const width = Math.ceil(length + house + 3 * MARGIN)
  const height = Math.ceil(SIZE * 1.2 + 2 * MARGIN)
  const foot = height - MARGIN
  const letters = lettersPath(name, 2 * MARGIN + house + length / 2, foot - SIZE * 0.06, SIZE * 0.96)
  const [left, right, middle] = [MARGIN + 4, MARGIN + house - 4, MARGIN + house / 2]
  const icon = `M${left} ${foot - SIZE * 0.62}L${middle} ${MARGIN}L${right} ${foot - SIZE * 0.62}M${left + 7} ${foot - SIZE * 0.72}V${foot - 3}H${right - 7}V${foot - SIZE * 0.72}M${middle - 6} ${foot - 3}V${foot - 20}H${middle + 6}V${foot - 3}`
  const stroke = (colour: string, weight: number, opacity: number) =>
    `<path d="${icon}${letters}" fill="none" stroke="${colour}" stroke-width="${weight}" stroke-opacity="${opacity}" stroke-linecap="round" stroke-linejoin="round"/>`
  const elements = stroke('#101820', 12, 0.08) + stroke('#101820', 9, 0.22) + stroke('#ffffff', 5.5, 0.66)
  return { elements, width, height }
}
