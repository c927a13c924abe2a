/** Letters drawn with strokes, so that pictures need no font of the machine. */
import type { Colour } from './colour.ts'
import type { Panel } from './panel.ts'

/**
 * Each letter as strokes on a grid four wide and six high, from the lower left; a stroke is its points in turn.
 * Greek and Latin letters that look alike share a line.
 */
const GLYPHS: Readonly<Record<string, string>> = {
  AΑ: '00-26-40 13-33',
  BΒ: '00-06-26-35-34-23-03 23-32-31-20-00',
  C: '45-36-16-05-01-10-30-41',
  D: '00-06-26-44-42-20-00',
  EΕ: '40-00-06-46 03-33',
  F: '00-06-46 03-33',
  G: '45-36-16-05-01-10-30-41-43-23',
  HΗ: '00-06 40-46 03-43',
  IΙ: '00-06',
  KΚ: '00-06 46-02 13-40',
  L: '06-00-40',
  MΜ: '00-06-23-46-40',
  NΝ: '00-06-40-46',
  OΟ: '10-01-05-16-36-45-41-30-10',
  PΡ: '00-06-36-45-44-33-03',
  R: '00-06-36-45-44-33-03 23-40',
  S: '45-36-16-05-04-13-33-42-41-30-10-01',
  TΤ: '20-26 06-46',
  U: '06-01-10-30-41-46',
  V: '06-20-46',
  W: '06-10-24-30-46',
  X: '00-46 06-40',
  Y: '06-23-46 23-20',
  ZΖ: '06-46-00-40',
  Χ: '00-46 06-40',
  Υ: '06-23-46 23-20',
  Γ: '00-06-46',
  Δ: '00-26-40-00',
  Θ: '10-01-05-16-36-45-41-30-10 13-33',
  Λ: '00-26-40',
  Ξ: '06-46 13-33 00-40',
  Π: '00-06-46-40',
  Σ: '46-06-23-00-40',
  Φ: '20-26 11-02-04-15-35-44-42-31-11',
  Ψ: '20-26 06-03-12-32-43-46',
  Ω: '00-10-12-04-05-16-36-45-44-32-30-40',
  0: '10-01-05-16-36-45-41-30-10',
  1: '04-16-10',
  2: '05-16-36-45-44-00-40',
  3: '05-16-36-45-44-33-13 33-42-41-30-10-01',
  4: '30-36-02-42',
  5: '46-06-03-33-42-41-30-00',
  6: '45-36-16-05-01-10-30-41-42-33-03',
  7: '06-46-10',
  8: '13-04-05-16-36-45-44-33-13-02-01-10-30-41-42-33',
  9: '43-13-04-05-16-36-45-41-30-10-01',
  '²': '05-16-25-24-03-23',
  ',': '11-00',
  '.': '00-01',
  m: '00-04 03-14-23-20 23-34-43-40',
  '-': '13-33',
  '×': '11-33 13-31',
  '·': '13-13',
  '&': '40-05-16-25-01-10-20-42',
}

const STROKES = new Map(
  Object.entries(GLYPHS).flatMap(([letters, strokes]) =>
    Array.from(
      letters,
      (letter) =>
        [
          letter,
          strokes
            .split(' ')
            .map((stroke) =>
              stroke.split('-').map((point) => [Number(point[0]) / 6, Number(point[1]) / 6] as const),
            ),
        ] as const,
    ),
  ),
)

const SPACE = 0.5
const GAP = 0.3

const widthOf = (letter: string) => {
  const strokes = STROKES.get(letter)
  return strokes ? Math.max(...strokes.flat().map(([x]) => x)) + GAP : SPACE
}

/** A text in the letters that there are: capitals, in Greek without accents. */
export function capitals(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase()
}

/** How long a text is, as a multiple of its height. */
export function lengthOf(text: string): number {
  return Array.from(text, widthOf).reduce((sum, width) => sum + width, -GAP)
}

/** The strokes of a text: points in multiples of its height, from its lower left. */
export function strokesOf(text: string): (readonly [x: number, y: number])[][] {
  let left = 0
  return Array.from(text).flatMap((letter) => {
    const strokes = (STROKES.get(letter) ?? []).map((stroke) =>
      stroke.map(([x, y]) => [x + left, y] as const),
    )
    left += widthOf(letter)
    return strokes
  })
}

/** Writes a text on a panel. */
export function drawLetters(
  panel: Panel,
  text: string,
  x: number,
  y: number,
  size: number,
  colour: Colour,
): void {
  const half = size * 0.075
  for (const stroke of strokesOf(text))
    for (const [index, [toX, toY]] of stroke.entries()) {
      const [endX, endY] = [x + toX * size, y + toY * size]
      panel.disc(endX, endY, half, half, colour)
      const from = stroke[index - 1]
      if (!from) continue
      const [startX, startY] = [x + from[0] * size, y + from[1] * size]
      const length = Math.hypot(endX - startX, endY - startY)
      const [sideX, sideY] = [((startY - endY) / length) * half, ((endX - startX) / length) * half]
      panel.polygon(
        [
          [startX + sideX, startY + sideY],
          [endX + sideX, endY + sideY],
          [endX - sideX, endY - sideY],
          [startX - sideX, startY - sideY],
        ],
        colour,
      )
    }
}

/** A text as an SVG path without fill, whose middle is at `x` on the base line `y`. */
export function lettersPath(text: string, x: number, y: number, size: number): string {
  const left = x - (lengthOf(text) * size) / 2
  return strokesOf(text)
    .map(
      (stroke) =>
        `M${stroke.map(([dx, dy]) => `${(left + dx * size).toFixed(1)} ${(y - dy * size).toFixed(1)}`).join('L')}`,
    )
    .join('')
}
