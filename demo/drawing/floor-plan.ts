/** Floor plans: rooms along a corridor, with walls, doors, windows, names and measures. */

import { HEIGHT, WIDTH } from './camera.ts'
import { type Colour, css, darker, lighter } from './colour.ts'
import { layOut, type PlannedRoom, type Storey } from './floor-layout.ts'
import { lengthOf, lettersPath } from './letters.ts'
import { fittingsOf, type RoomKind } from './plan-symbols.ts'
import type { Style } from './style.ts'

const NAMES: Readonly<Record<RoomKind, readonly [el: string, en: string]>> = {
  living: ['ΣΑΛΟΝΙ', 'LIVING ROOM'],
  kitchen: ['ΚΟΥΖΙΝΑ', 'KITCHEN'],
  bedroom: ['ΥΠΝΟΔΩΜΑΤΙΟ', 'BEDROOM'],
  bathroom: ['ΜΠΑΝΙΟ', 'BATHROOM'],
  wc: ['WC', ''],
  hall: ['ΧΟΛ', 'HALL'],
}

/** The plan of a storey as SVG. */
export function floorPlan(storey: Storey, title: string, style: Style): string {
  const rooms = layOut(storey)
  const width = Math.max(...rooms.map((room) => room.x + room.width))
  const depth = Math.max(...rooms.map((room) => room.y + room.depth))
  const balcony = rooms.some(({ kind }) => kind === 'living') ? 1.5 : 0
  const scale = Math.min((WIDTH - 200) / width, (HEIGHT - 270) / (depth + balcony))
  const left = (WIDTH - width * scale) / 2
  const top = (HEIGHT + 50 - (depth + balcony) * scale) / 2
  const draw = new Plan(scale, left, top, style)
  const living = rooms.find(({ kind }) => kind === 'living')
  return [
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fbf9f4"/>`,
    draw.text(title, WIDTH / 2, 74, 27),
    `<path d="M${WIDTH / 2 - 40} 100H${WIDTH / 2 + 40}" stroke="${css(style.accent)}" stroke-width="5" stroke-linecap="round"/>`,
    living ? draw.balcony(living, balcony) : '',
    draw.box(-0.22, -0.22, width + 0.44, depth + 0.44, INK, 'rx="3"'),
    ...rooms.map((room) => draw.room(room)),
    ...rooms.map((room) => draw.openings(room, depth)),
    ...rooms
      .filter(({ kind }) => kind === 'hall')
      .flatMap((hall) => [
        storey.stairs ? draw.stairs(hall) : '',
        storey.stairs === 'down' ? '' : draw.entrance(hall),
      ]),
    ...rooms.map((room) => draw.label(room)),
    draw.scaleBar(),
  ].join('')
}

const INK = 0x343a44

/** Draws in metres from the upper left corner of the building. */
class Plan {
  readonly #scale: number
  readonly #left: number
  readonly #top: number
  readonly #style: Style

  constructor(scale: number, left: number, top: number, style: Style) {
    this.#scale = scale
    this.#left = left
    this.#top = top
    this.#style = style
  }

  #x = (metres: number) => Math.round((this.#left + metres * this.#scale) * 10) / 10
  #y = (metres: number) => Math.round((this.#top + metres * this.#scale) * 10) / 10
  #length = (metres: number) => Math.round(metres * this.#scale * 10) / 10

  box(x: number, y: number, width: number, depth: number, colour: Colour, more = ''): string {
    return `<rect x="${this.#x(x)}" y="${this.#y(y)}" width="${this.#length(width)}" height="${this.#length(depth)}" fill="${css(colour)}" ${more}/>`
  }

  text(text: string, x: number, y: number, size: number, colour: Colour = INK): string {
    const weight = Math.max(1.4, size * 0.11).toFixed(1)
    return `<path d="${lettersPath(text, x, y, size)}" fill="none" stroke="${css(colour)}" stroke-width="${weight}" stroke-linecap="round" stroke-linejoin="round"/>`
  }

  room({ kind, x, y, width, depth }: PlannedRoom): string {
    const { wood, feature, textile } = this.#style
    const tint = {
      living: lighter(wood, 0.8),
      bedroom: lighter(wood, 0.86),
      kitchen: lighter(textile, 0.84),
      bathroom: lighter(0x6fa7bd, 0.74),
      wc: lighter(0x6fa7bd, 0.74),
      hall: lighter(feature, 0.78),
    }[kind]
    const symbols = fittingsOf(kind, width - 0.16, depth - 0.16, y < 0.01)
    const [left, top] = [this.#x(x + 0.08), this.#y(y + 0.08)]
    const symbol = `<g transform="translate(${left} ${top}) scale(${this.#scale.toFixed(3)})" fill="#fff" stroke="${css(darker(tint, 0.42))}" stroke-width=".035">${symbols}</g>`
    return this.box(x + 0.06, y + 0.06, width - 0.12, depth - 0.12, tint) + symbol
  }

  /** The door to the corridor, and windows in the outer walls. */
  openings(room: PlannedRoom, depth: number): string {
    if (room.kind === 'hall') return ''
    const isNorth = room.y < 0.01
    const wide = room.kind === 'living' ? Math.min(1.8, room.width * 0.45) : room.kind === 'wc' ? 0.7 : 0.85
    const x = room.x + Math.max(0.2, Math.min(room.width * 0.12, 0.5))
    const wall = isNorth ? room.y + room.depth : room.y
    const gap = this.box(x, wall - 0.075, wide, 0.15, 0xfbf9f4)
    const turn = isNorth ? -1 : 1
    const leaf = `M${this.#x(x)} ${this.#y(wall)}V${this.#y(wall + turn * wide)}A${this.#length(wide)} ${this.#length(wide)} 0 0 ${isNorth ? 1 : 0} ${this.#x(x + wide)} ${this.#y(wall)}`
    const door =
      room.kind === 'living' ? '' : `<path d="${leaf}" fill="none" stroke="${css(INK)}" stroke-width="2"/>`
    const isBath = room.kind === 'bathroom' || room.kind === 'wc'
    const pane = Math.min(room.width * 0.6, isBath ? 0.6 : room.kind === 'living' ? 2.6 : 1.5)
    const [windowX, windowY] = [room.x + (room.width - pane) / 2, isNorth ? -0.22 : depth - 0.06]
    const middle = this.#y(windowY + 0.14)
    const window = this.box(windowX, windowY, pane, 0.28, 0xffffff, `stroke="${css(INK)}" stroke-width="2"`)
    return `${gap}${door}${window}<path d="M${this.#x(windowX)} ${middle}h${this.#length(pane)}" stroke="${css(INK)}" stroke-width="1.5"/>`
  }

  entrance(hall: PlannedRoom): string {
    const [x, y] = [hall.x, hall.y + 0.18]
    const leaf = `M${this.#x(x)} ${this.#y(y)}H${this.#x(x + 0.95)}A${this.#length(0.95)} ${this.#length(0.95)} 0 0 1 ${this.#x(x)} ${this.#y(y + 0.95)}`
    const arrow = `M${this.#x(x - 0.95)} ${this.#y(y + 0.48)}h${this.#length(0.5)}m-10 -9l10 9l-10 9`
    return `${this.box(x - 0.23, y, 0.3, 0.95, 0xfbf9f4)}<path d="${leaf}" fill="none" stroke="${css(INK)}" stroke-width="2"/><path d="${arrow}" fill="none" stroke="${css(this.#style.accent)}" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"/>`
  }

  /** Stairs at the end of the hall; their arrow points up. */
  stairs(hall: PlannedRoom): string {
    const [x, y, depth] = [hall.x + hall.width - 2.5, hall.y + 0.12, hall.depth - 0.24]
    const treads = Array.from(
      { length: 10 },
      (_, tread) => `M${this.#x(x + tread * 0.25)} ${this.#y(y)}v${this.#length(depth)}`,
    )
    const middle = this.#y(y + depth / 2)
    const arrow = `M${this.#x(x + 0.12)} ${middle}H${this.#x(x + 2.3)}m-9 -7l9 7l-9 7`
    return `<path d="${treads.join('')}${arrow}" fill="none" stroke="${css(INK)}" stroke-width="1.5"/>`
  }

  balcony(living: PlannedRoom, depth: number): string {
    const y = living.y + living.depth
    const tiles = Array.from(
      { length: Math.floor(living.width / 0.5) },
      (_, tile) => `M${this.#x(living.x + tile * 0.5)} ${this.#y(y)}v${this.#length(depth)}`,
    )
    const outline = this.box(
      living.x,
      y,
      living.width,
      depth,
      lighter(this.#style.roof, 0.78),
      `stroke="${css(INK)}" stroke-width="3"`,
    )
    const label = this.text('ΜΠΑΛΚΟΝΙ', this.#x(living.x + living.width / 2), this.#y(y + depth * 0.66), 15)
    return `${outline}<path d="${tiles.join('')}" stroke="${css(lighter(this.#style.roof, 0.55))}" stroke-width="1"/>${label}`
  }

  /** The name of a room in both languages, and its measures. */
  label({ kind, x, y, width, depth }: PlannedRoom): string {
    const [el, en] = NAMES[kind]
    const size = Math.min(21, (this.#length(width) - 22) / lengthOf(el), this.#length(depth) / 3)
    const middle = this.#x(x + width / 2)
    const measures = `${metres(width)} × ${metres(depth)}`
    const small = Math.min(size * 0.66, (this.#length(width) - 16) / lengthOf(measures))
    if (kind === 'hall')
      return this.text(
        `${el} ${metres(width * depth)} m²`,
        middle,
        this.#y(y + depth / 2) + size * 0.4,
        size * 0.8,
      )
    const lines = [
      { text: el, size, colour: INK },
      ...(en
        ? [{ text: en, size: Math.min(small, (this.#length(width) - 16) / lengthOf(en)), colour: 0x7b828c }]
        : []),
      { text: measures, size: small, colour: INK },
      { text: `${metres(width * depth)} m²`, size: small, colour: this.#style.accent },
    ]
    const height = lines.reduce((sum, line) => sum + line.size + 8, -8)
    // Beds stand at the outer wall.
    const shift = kind === 'bedroom' ? (y < 0.01 ? 0.14 : -0.14) * depth : 0
    let base = this.#y(y + depth / 2 + shift) - height / 2
    const [halo, texts] = [width * this.#scale * 0.5, [] as string[]]
    const wide = Math.min(halo, Math.max(...lines.map((line) => (lengthOf(line.text) * line.size) / 2 + 10)))
    texts.push(
      `<rect x="${(middle - wide).toFixed(1)}" y="${(base - 9).toFixed(1)}" width="${(2 * wide).toFixed(1)}" height="${(height + 18).toFixed(1)}" rx="8" fill="#fff" fill-opacity=".8"/>`,
    )
    for (const line of lines) {
      base += line.size
      texts.push(this.text(line.text, middle, base, line.size, line.colour))
      base += 8
    }
    return texts.join('')
  }

  scaleBar(): string {
    const [x, y] = [60, HEIGHT - 48]
    const bar = [0, 1, 2, 3, 4].map(
      (part) =>
        `<rect x="${(x + part * this.#scale).toFixed(1)}" y="${y}" width="${this.#scale.toFixed(1)}" height="8" fill="${part % 2 ? '#fff' : css(INK)}" stroke="${css(INK)}" stroke-width="1.5"/>`,
    )
    return bar.join('') + this.text('0', x, y - 8, 14) + this.text('5 m', x + 5 * this.#scale, y - 8, 14)
  }
}

const metres = (value: number) => value.toFixed(value < 10 ? 2 : 1).replace('.', ',')
