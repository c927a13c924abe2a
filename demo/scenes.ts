import type { Random } from '../fixtures/random.ts'
import { type Canvas, type Colour, disc, mix, polygon, rectangle } from './raster.ts'
import { drawCypress, drawTree } from './surroundings.ts'

/** Where the walls of a house meet the ground. */
const GROUND = 700

/** A house of one or two floors with tiled or flat roof. */
export function drawHouse(canvas: Canvas, random: Random): void {
  const wall = random.pick([0xfaf7ef, 0xf3e3c3, 0xf0d0b4, 0xe8e4dc])
  const trim = random.pick([0x2f6ea5, 0x4d7a52, 0x8a5a35, 0x3c4a57])
  const floors = random.int(1, 2)
  const top = GROUND - 40 - floors * 150
  disc(canvas, 660, GROUND + 8, 420, 26, 0x000000, 0.18)
  polygon(canvas, [860, top, 1_020, top + 30, 1_020, GROUND - 20, 860, GROUND], mix(wall, 0x5a6472, 0.28))
  rectangle(canvas, 340, top, 520, GROUND - top, wall)
  if (random.chance(0.6)) drawTiledRoof(canvas, top)
  else drawFlatRoof(canvas, top, wall)
  for (let floor = 0; floor < floors; floor += 1) {
    const y = top + 40 + floor * 155
    const ground = floor === floors - 1
    for (const x of ground ? [390, 700] : [390, 550, 700]) drawShutteredWindow(canvas, x, y, trim)
    polygon(canvas, [905, y + 12, 970, y + 24, 970, y + 100, 905, y + 92], 0x5d7f99)
  }
  rectangle(canvas, 550, GROUND - 132, 84, 132, mix(trim, 0x000000, 0.2))
  rectangle(canvas, 558, GROUND - 124, 68, 60, trim)
  disc(canvas, 622, GROUND - 58, 5, 5, 0xe7c76a)
  polygon(canvas, [545, GROUND, 640, GROUND, 760, 960, 430, 960], 0xd9cdb6)
  if (random.chance(0.5)) drawPool(canvas)
  drawTree(canvas, random, 190, GROUND + 40)
  drawCypress(canvas, 1_120, GROUND + 20)
  drawCypress(canvas, 1_190, GROUND + 50)
}

function drawTiledRoof(canvas: Canvas, top: number): void {
  polygon(canvas, [310, top + 8, 410, top - 115, 830, top - 115, 890, top + 8], 0xb5532f)
  polygon(canvas, [890, top + 8, 830, top - 115, 940, top - 90, 1_050, top + 36], 0x8e3f25)
  for (let row = 1; row < 8; row += 1) {
    const y = top - 115 + row * 15
    rectangle(canvas, 410 - row * 12, y, 420 + row * 19, 3, 0x7d3419, 0.35)
  }
  rectangle(canvas, 470, top - 150, 46, 70, 0xe9dfd0)
  rectangle(canvas, 464, top - 156, 58, 12, 0x8e3f25)
}

function drawFlatRoof(canvas: Canvas, top: number, wall: Colour): void {
  rectangle(canvas, 328, top - 22, 544, 26, mix(wall, 0xffffff, 0.5))
  polygon(canvas, [872, top - 22, 1_032, top + 10, 1_032, top + 34, 872, top + 4], mix(wall, 0x5a6472, 0.2))
  for (const x of [400, 640]) rectangle(canvas, x, top - 110, 10, 90, 0x8a6a47)
  rectangle(canvas, 385, top - 118, 285, 11, 0x8a6a47)
  for (let x = 390; x < 660; x += 26) rectangle(canvas, x, top - 128, 8, 12, 0x9c7a55)
}

function drawShutteredWindow(canvas: Canvas, x: number, y: number, trim: Colour): void {
  rectangle(canvas, x - 4, y - 4, 98, 104, 0xffffff)
  drawGlass(canvas, x, y, 90, 96)
  for (const side of [x - 40, x + 94]) {
    rectangle(canvas, side, y - 2, 36, 100, trim)
    for (let slat = 8; slat < 96; slat += 10) rectangle(canvas, side + 4, y + slat, 28, 3, 0x000000, 0.22)
  }
  rectangle(canvas, x - 10, y + 100, 110, 8, 0xe3ddd0)
}

function drawGlass(canvas: Canvas, x: number, y: number, width: number, height: number): void {
  rectangle(canvas, x, y, width, height, 0x5d86a5)
  polygon(canvas, [x, y, x + width * 0.6, y, x, y + height * 0.7], 0xbfdcec, 0.6)
  rectangle(canvas, x + width / 2 - 2, y, 4, height, 0xffffff)
}

function drawPool(canvas: Canvas): void {
  polygon(canvas, [760, 800, 1_150, 800, 1_240, 910, 800, 910], 0xe9e2d3)
  polygon(canvas, [785, 812, 1_135, 812, 1_205, 896, 822, 896], 0x3fb3cf)
  for (const y of [836, 862]) rectangle(canvas, 850, y, 250, 4, 0xffffff, 0.4)
}

/** A block of flats with balconies and awnings, between its neighbours. */
export function drawFlats(canvas: Canvas, random: Random): void {
  const floors = random.int(4, 6)
  const wall = random.pick([0xf4efe4, 0xe7d8c2, 0xdfe3e6, 0xf0dcc8])
  const awning = random.pick([0x2f6ea5, 0xc8702e, 0x3f7d58, 0xa33b3b])
  const storey = 96
  const top = GROUND + 60 - (floors + 1) * storey
  const left = top + random.int(60, 150)
  const right = top + random.int(30, 150)
  rectangle(canvas, 0, left, 330, 800 - left, 0xcfc6b8)
  rectangle(canvas, 960, right, 330, 800 - right, 0xc3bdb2)
  rectangle(canvas, 0, GROUND + 60, canvas.width, 100, 0xc9c4ba)
  rectangle(canvas, 320, top, 500, GROUND + 60 - top, wall)
  polygon(canvas, [820, top, 960, top + 26, 960, GROUND + 44, 820, GROUND + 60], mix(wall, 0x4c5866, 0.3))
  for (const x of [400, 560, 700]) drawSolarHeater(canvas, x, top)
  for (let floor = 0; floor < floors; floor += 1) {
    const y = top + 14 + floor * storey
    for (const x of [345, 500, 655]) drawGlass(canvas, x + 15, y + 8, 95, 70)
    if (random.chance(0.7)) drawAwning(canvas, 330 + random.int(0, 2) * 155, y, 165, awning)
    rectangle(canvas, 306, y + 78, 530, 9, mix(wall, 0x000000, 0.18))
    for (let x = 312; x < 832; x += 12) rectangle(canvas, x, y + 48, 3, 30, 0x59616a)
    rectangle(canvas, 308, y + 44, 526, 5, 0x474e56)
    disc(canvas, random.int(330, 800), y + 44, 20, 11, 0x4f8a4a)
    polygon(canvas, [860, y + 24, 920, y + 34, 920, y + 76, 860, y + 70], 0x56748c)
  }
  const lobby = GROUND + 60 - storey
  rectangle(canvas, 320, lobby, 500, storey, mix(wall, 0x3c4650, 0.55))
  drawGlass(canvas, 520, lobby + 8, 110, storey - 8)
  for (const x of [340, 440, 680, 780]) rectangle(canvas, x, lobby, 24, storey, wall)
  for (const x of [180, 1_060]) drawTree(canvas, random, x, 800)
}

function drawSolarHeater(canvas: Canvas, x: number, top: number): void {
  polygon(canvas, [x, top, x + 46, top, x + 62, top - 34, x + 16, top - 34], 0x2c4763)
  disc(canvas, x + 40, top - 40, 30, 9, 0xd9dde0)
}

function drawAwning(canvas: Canvas, x: number, y: number, width: number, colour: Colour): void {
  for (let stripe = 0; stripe < 10; stripe += 1) {
    const from = x + (stripe * width) / 10
    const to = from + width / 10
    const lean = (at: number) => (at - x - width / 2) * 0.08
    polygon(
      canvas,
      [from, y, to, y, to + lean(to), y + 34, from + lean(from), y + 34],
      stripe % 2 === 0 ? colour : 0xf4efe2,
    )
  }
}

/** A shop with a striped awning, its window and a flat above. */
export function drawShop(canvas: Canvas, random: Random): void {
  const wall = random.pick([0xe6d2b5, 0xdfe6ea, 0xf0e2d2, 0xd9c0a8])
  const accent = random.pick([0xa33b3b, 0x2c6e63, 0x2f5f97, 0xb8792b])
  rectangle(canvas, 0, 380, 300, 420, 0xc8bfb2)
  rectangle(canvas, 980, 330, 320, 470, 0xbfb9b0)
  rectangle(canvas, 270, 200, 740, 600, wall)
  rectangle(canvas, 255, 184, 770, 20, mix(wall, 0x000000, 0.25))
  for (const x of [360, 590, 820]) drawShutteredWindow(canvas, x, 250, mix(accent, 0x333333, 0.3))
  rectangle(canvas, 270, 420, 740, 64, accent)
  for (let mark = 0; mark < 7; mark += 1)
    rectangle(canvas, 470 + mark * 48, 438, random.int(18, 36), 28, 0xfdf6e3)
  rectangle(canvas, 290, 484, 700, 316, 0x33404b)
  drawGlass(canvas, 306, 500, 430, 250)
  drawGlass(canvas, 770, 500, 200, 300)
  for (let item = 0; item < 6; item += 1) {
    const height = random.int(50, 120)
    const colour = random.pick([0xd98f5c, 0xe7c76a, 0x7aa38f, 0xc96f6f, 0x8c86b5])
    rectangle(canvas, 326 + item * 68, 744 - height, 44, height, colour, 0.9)
  }
  for (let part = 0; part < 5; part += 1) drawAwning(canvas, 276 + part * 146, 484, 146, accent)
  for (const x of [262, 1_018]) {
    disc(canvas, x, 740, 34, 46, 0x4f8a4a)
    rectangle(canvas, x - 26, 762, 52, 40, 0xa7643c)
  }
  drawTree(canvas, random, 120, 804)
}

/** A plot with its boundary, olive trees and a marker. */
export function drawPlot(canvas: Canvas, random: Random): void {
  const left = random.int(120, 220)
  const right = random.int(1_040, 1_180)
  const corners = [
    [left + 190, 640],
    [right - 160, 640],
    [right, 880],
    [left, 880],
  ] as const
  polygon(canvas, corners.flat(), random.pick([0xd2b67e, 0xa9bd72, 0xc2a067]), 0.75)
  for (let row = 0; row < 3; row += 1) {
    for (let column = 0; column < 4 + row; column += 1) {
      if (random.chance(0.35)) continue
      const y = 668 + row * 68
      drawTree(canvas, random, 330 - row * 60 + column * 170, y, 0.34 + row * 0.14)
    }
  }
  corners.forEach(([x, y], index) => {
    const [nextX, nextY] = corners[(index + 1) % corners.length] ?? [x, y]
    drawFence(canvas, x, y, nextX, nextY)
  })
  rectangle(canvas, 604, 790, 12, 110, 0x5a4630)
  rectangle(canvas, 530, 710, 160, 90, 0xf7f3e8)
  rectangle(canvas, 545, 726, 130, 20, 0xb5532f)
  rectangle(canvas, 545, 760, 90, 12, 0x8b8578)
}

function drawFence(canvas: Canvas, x: number, y: number, toX: number, toY: number): void {
  for (let post = 0; post < 12; post += 1) {
    const foot = y + ((toY - y) * post) / 12
    const height = 20 + (foot - 640) * 0.12
    rectangle(canvas, x + ((toX - x) * post) / 12, foot - height, 6, height, 0x6d5335)
  }
  polygon(canvas, [x, y - 14, toX, toY - 14, toX, toY - 17, x, y - 17], 0x6d5335)
}

/** A warehouse with roller doors and a van in its yard. */
export function drawWarehouse(canvas: Canvas, random: Random): void {
  const wall = random.pick([0xc7ced3, 0xd9d2c3, 0xb4c4c9])
  const accent = random.pick([0x2f5f97, 0xc8702e, 0x3f7d58])
  polygon(canvas, [120, 420, 560, 320, 1_000, 420, 1_000, 760, 120, 760], wall)
  polygon(canvas, [1_000, 420, 1_200, 450, 1_200, 740, 1_000, 760], mix(wall, 0x3c4650, 0.4))
  polygon(canvas, [100, 426, 560, 304, 1_020, 426, 1_020, 444, 560, 324, 100, 444], accent)
  for (let x = 132; x < 1_000; x += 22) rectangle(canvas, x, 440, 4, 320, 0x000000, 0.08)
  for (const x of [190, 450, 710]) {
    rectangle(canvas, x, 530, 210, 230, accent)
    for (let y = 540; y < 760; y += 20) rectangle(canvas, x, y, 210, 4, 0x000000, 0.2)
  }
  drawGlass(canvas, 500, 400, 120, 70)
  disc(canvas, 1_020, 862, 190, 14, 0x000000, 0.25)
  polygon(canvas, [850, 720, 1_080, 720, 1_080, 850, 850, 850], 0xf6f4ef)
  polygon(canvas, [1_080, 750, 1_140, 750, 1_190, 800, 1_190, 850, 1_080, 850], 0xe2dfd8)
  polygon(canvas, [1_096, 762, 1_134, 762, 1_166, 798, 1_096, 798], 0x5d86a5)
  for (const x of [910, 1_130]) {
    disc(canvas, x, 852, 32, 32, 0x23272b)
    disc(canvas, x, 852, 14, 14, 0x9aa0a6)
  }
}
