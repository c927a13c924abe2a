/** A picture being drawn: RGBA pixels, several to each unit of the drawing so that edges come out smooth. */
export interface Canvas {
  readonly width: number
  readonly height: number
  readonly scale: number
  readonly pixels: Uint8ClampedArray
}

/** A colour as `0xrrggbb`. */
export type Colour = number

/** A transparent canvas of `width` × `height` units. */
export function blankRaster(width: number, height: number, scale = 2): Canvas {
  return { width, height, scale, pixels: new Uint8ClampedArray(width * height * scale * scale * 4) }
}

type Point = readonly [x: number, y: number]

/** Fills a closed outline, even-odd. Its corners are x and y in turn. */
export function polygon(canvas: Canvas, outline: readonly number[], colour: Colour, alpha = 1): void {
  const corners = cornersOf(outline, canvas.scale)
  const rows = canvas.height * canvas.scale
  const top = Math.max(0, Math.floor(Math.min(...corners.map(([, y]) => y))))
  const bottom = Math.min(rows - 1, Math.ceil(Math.max(...corners.map(([, y]) => y))))
  for (let row = top; row <= bottom; row += 1) {
    const crossings = crossingsOf(corners, row + 0.5)
    for (let at = 0; at + 1 < crossings.length; at += 2) {
      const from = Math.round(crossings[at] ?? 0)
      const to = Math.round(crossings[at + 1] ?? 0)
      for (let column = Math.max(0, from); column < to; column += 1) blend(canvas, column, row, colour, alpha)
    }
  }
}

/** Fills a rectangle. */
export function rectangle(
  canvas: Canvas,
  x: number,
  y: number,
  width: number,
  height: number,
  colour: Colour,
  alpha = 1,
): void {
  const right = x + width
  const bottom = y + height
  polygon(canvas, [x, y, right, y, right, bottom, x, bottom], colour, alpha)
}

/** Fills an ellipse around a centre. */
export function disc(
  canvas: Canvas,
  x: number,
  y: number,
  radiusX: number,
  radiusY: number,
  colour: Colour,
  alpha = 1,
): void {
  const corners = Array.from({ length: 48 }, (_, step) => {
    const angle = (step / 48) * 2 * Math.PI
    return [x + Math.cos(angle) * radiusX, y + Math.sin(angle) * radiusY]
  })
  polygon(canvas, corners.flat(), colour, alpha)
}

/** Fills a band over the whole width that turns from one colour into another. */
export function gradient(canvas: Canvas, top: number, bottom: number, from: Colour, to: Colour): void {
  for (let y = top; y < bottom; y += 1 / canvas.scale) {
    const share = (y - top) / (bottom - top)
    rectangle(canvas, 0, y, canvas.width, 1 / canvas.scale, mix(from, to, share))
  }
}

/** The colour between two, `share` of the way. */
export function mix(from: Colour, to: Colour, share: number): Colour {
  const channel = (shift: number) => {
    const start = (from >> shift) & 255
    return Math.round(start + (((to >> shift) & 255) - start) * share) << shift
  }
  return channel(16) | channel(8) | channel(0)
}

/** The picture at one pixel a unit: each the average of what was drawn inside it. */
export function finish({ width, height, scale, pixels }: Canvas): Uint8ClampedArray {
  const result = new Uint8ClampedArray(width * height * 4)
  const samples = scale * scale
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      let [red, green, blue, opacity] = [0, 0, 0, 0]
      for (let sample = 0; sample < samples; sample += 1) {
        const row = y * scale + Math.floor(sample / scale)
        const at = (row * width * scale + x * scale + (sample % scale)) * 4
        // Weighted by opacity, or the black of undrawn pixels would darken every soft edge.
        const weight = pixels[at + 3] ?? 0
        red += (pixels[at] ?? 0) * weight
        green += (pixels[at + 1] ?? 0) * weight
        blue += (pixels[at + 2] ?? 0) * weight
        opacity += weight
      }
      if (opacity === 0) continue
      const to = (y * width + x) * 4
      result[to] = red / opacity
      result[to + 1] = green / opacity
      result[to + 2] = blue / opacity
      result[to + 3] = opacity / samples
    }
  }
  return result
}

function cornersOf(outline: readonly number[], scale: number): Point[] {
  const corners: Point[] = []
  for (let at = 0; at + 1 < outline.length; at += 2)
    corners.push([(outline[at] ?? 0) * scale, (outline[at + 1] ?? 0) * scale])
  return corners
}

function crossingsOf(corners: readonly Point[], y: number): number[] {
  const crossings: number[] = []
  let [lastX, lastY] = corners.at(-1) ?? [0, 0]
  for (const [x, cornerY] of corners) {
    if (cornerY > y !== lastY > y) crossings.push(x + ((y - cornerY) / (lastY - cornerY)) * (lastX - x))
    lastX = x
    lastY = cornerY
  }
  return crossings.sort((a, b) => a - b)
}

function blend({ width, scale, pixels }: Canvas, column: number, row: number, colour: Colour, alpha: number) {
  if (column >= width * scale) return
  const at = (row * width * scale + column) * 4
  const beneath = ((pixels[at + 3] ?? 0) / 255) * (1 - alpha)
  const opacity = alpha + beneath
  if (opacity === 0) return
  pixels[at] = (((colour >> 16) & 255) * alpha + (pixels[at] ?? 0) * beneath) / opacity
  pixels[at + 1] = (((colour >> 8) & 255) * alpha + (pixels[at + 1] ?? 0) * beneath) / opacity
  pixels[at + 2] = ((colour & 255) * alpha + (pixels[at + 2] ?? 0) * beneath) / opacity
  pixels[at + 3] = opacity * 255
}
