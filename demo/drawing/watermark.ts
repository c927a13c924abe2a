import { lengthOf, lettersPath } from './letters.ts'

const [SIZE, MARGIN] = [64, 18]

/** A house and the name of an office in white, on a shadow that keeps it legible on bright pictures. */
export function watermarkOf(name: string): { elements: string; width: number; height: number } {
  const house = SIZE * 1.2
  const length = Math.ceil(lengthOf(name) * SIZE)
  const [width, height] = [length + house + 3 * MARGIN, SIZE * 1.2 + 2 * MARGIN].map(Math.ceil) as [
    number,
    number,
  ]
  const foot = height - MARGIN
  const letters = lettersPath(name, 2 * MARGIN + house + length / 2, foot - SIZE * 0.06, SIZE * 0.96)
  const [left, right, middle] = [MARGIN + 6, MARGIN + house - 6, MARGIN + house / 2]
  const icon = `M${left} ${foot - SIZE * 0.62}L${middle} ${MARGIN}L${right} ${foot - SIZE * 0.62}M${left + 10} ${foot - SIZE * 0.72}V${foot - 4}H${right - 10}V${foot - SIZE * 0.72}M${middle - 9} ${foot - 4}V${foot - 30}H${middle + 9}V${foot - 4}`
  const stroke = (colour: string, weight: number, opacity: number) =>
    `<path d="${icon}${letters}" fill="none" stroke="${colour}" stroke-width="${weight}" stroke-opacity="${opacity}" stroke-linecap="round" stroke-linejoin="round"/>`
  const elements = stroke('#101820', 17, 0.08) + stroke('#101820', 13, 0.2) + stroke('#ffffff', 8, 0.66)
  return { elements, width, height }
}
