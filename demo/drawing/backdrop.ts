/** What is far away: the sky and the country below it, as SVG in the size of a photo. */
import type { Random } from '../../fixtures/random.ts'
import { WIDTH } from './camera.ts'
import { type Colour, css, darker, lighter, mix } from './colour.ts'
import type { Sky } from './style.ts'
import type { Outlook } from './windows.ts'

/** The sky, and down from the row of the horizon an outlook. */
export function backdrop(
  sky: Sky,
  outlook: Outlook,
  horizon: number,
  height: number,
  random: Random,
): string {
  const [top, middle, low] = sky.colours
  const haze = mix(low, middle, 0.45)
  const dim = sky.isEvening ? 0.45 : 0.16
  const tint = (colour: Colour, distance: number) => mix(mix(colour, sky.shadow, dim), haze, distance)
  const far = horizon - (outlook === 'sea' ? 26 : 70)
  return [
    `<defs>${gradient('sky', [top, middle, low])}${gradient('sea', [mix(sky.sea, low, 0.4), sky.sea, darker(sky.sea, 0.15)])}`,
    `<radialGradient id="sun"><stop stop-color="#fff6d8" stop-opacity=".95"/><stop offset=".16" stop-color="#ffedb8" stop-opacity=".85"/>`,
    `<stop offset=".2" stop-color="#ffe3a0" stop-opacity=".4"/><stop offset="1" stop-color="#ffe3a0" stop-opacity="0"/></radialGradient></defs>`,
    `<rect width="${WIDTH}" height="${horizon + 2}" fill="url(#sky)"/>`,
    `<circle cx="${random.int(8, 40) * 10}" cy="${sky.isEvening ? horizon - 120 : 150}" r="300" fill="url(#sun)"/>`,
    ...Array.from({ length: random.int(3, 5) }, () => cloud(random, sky, horizon)),
    ridge(random, far - 60, 46, height, tint(0x7d8fb0, 0.62)),
    ridge(random, far, 34, height, tint(0x7b93a0, 0.42)),
    outlook === 'sea' ? sea(random, horizon, height) : '',
    outlook === 'hills' ? ridge(random, horizon - 44, 26, height, tint(0x86a374, 0.3)) : '',
    outlook === 'hills' ? ridge(random, horizon - 12, 12, height, tint(0x6c9160, 0.12)) : '',
    outlook === 'city' ? city(random, horizon, height, sky, tint) : '',
  ].join('')
}

function gradient(id: string, colours: readonly Colour[]): string {
  const stops = colours.map(
    (colour, index) => `<stop offset="${index / (colours.length - 1)}" stop-color="${css(colour)}"/>`,
  )
  return `<linearGradient id="${id}" x2="0" y2="1">${stops.join('')}</linearGradient>`
}

function cloud(random: Random, sky: Sky, horizon: number): string {
  const [x, y] = [random.int(0, WIDTH), random.int(50, Math.round(horizon * 0.62))]
  const size = random.int(5, 10) / 10
  const puffs = [
    [-95, 0, 60, 20],
    [-45, -16, 56, 32],
    [20, -26, 64, 40],
    [80, -10, 58, 26],
    [125, 0, 44, 16],
  ].map(([dx = 0, dy = 0, rx, ry]) => `<ellipse cx="${dx}" cy="${dy}" rx="${rx}" ry="${ry}"/>`)
  return `<g transform="translate(${x} ${y}) scale(${size})" fill="${css(sky.cloud)}" opacity="${sky.isEvening ? 0.55 : 0.85}">${puffs.join('')}<rect x="-150" y="0" width="320" height="18" rx="9"/></g>`
}

function ridge(random: Random, top: number, swing: number, bottom: number, colour: Colour): string {
  const [first, second] = [random.next() * 6, random.next() * 6]
  const points = Array.from({ length: 73 }, (_, step) => {
    const x = step * 20
    const y = top + Math.sin(x / 210 + first) * swing + Math.sin(x / 83 + second) * swing * 0.35
    return `${x} ${y.toFixed(1)}`
  })
  return `<path d="M0 ${bottom}L${points.join('L')}V${bottom}Z" fill="${css(colour)}"/>`
}

function sea(random: Random, horizon: number, height: number): string {
  const glints = Array.from({ length: 46 }, () => {
    const depth = random.next()
    const y = horizon + 5 + depth * depth * (height - horizon)
    const wide = 16 + depth * 90
    return `<rect x="${random.int(-40, WIDTH)}" y="${y.toFixed(1)}" width="${wide.toFixed(1)}" height="${(1.5 + depth * 3).toFixed(1)}" rx="2"/>`
  })
  const boats = Array.from({ length: random.int(1, 3) }, () => {
    const size = random.int(4, 9) / 10
    return `<path transform="translate(${random.int(100, WIDTH - 100)} ${horizon + 10 + size * 14}) scale(${size})" d="M-26 0H26L18 11H-18ZM-2 -5V-58L-30 -5ZM3 -5V-46L24 -5Z"/>`
  })
  return `<rect y="${horizon}" width="${WIDTH}" height="${height - horizon}" fill="url(#sea)"/><g fill="#fff" fill-opacity=".28">${glints.join('')}</g><g fill="#fffdf6">${boats.join('')}</g>`
}

/** Roofs up to the horizon; in the middle a hill with a temple. */
function city(
  random: Random,
  horizon: number,
  height: number,
  sky: Sky,
  tint: (colour: Colour, distance: number) => Colour,
) {
  const hill = tint(0x9a9a7e, 0.4)
  const stone = css(tint(0xefe0c0, 0.15))
  const at = random.int(300, WIDTH - 300)
  const columns = Array.from(
    { length: 8 },
    (_, index) => `<rect x="${-56 + index * 15}" y="-24" width="7" height="24" fill="${stone}"/>`,
  )
  const temple = `<g transform="translate(${at} ${horizon - 106})"><path d="M-190 60L-120 8L-80 0H90L130 14L210 60V110H-190Z" fill="${css(hill)}"/>${columns.join('')}<path d="M-62 -24H62V-31L0 -47L-62 -31ZM-66 0H66V4H-66Z" fill="${stone}"/></g>`
  const houses: string[] = []
  for (let row = 0; row < 7; row += 1) {
    const foot = horizon + row * (12 + row * 9)
    if (foot > height + 40) break
    const size = 0.75 + row * 0.3
    for (let x = -20; x < WIDTH; ) {
      const [wide, high] = [random.int(46, 92) * size, random.int(34, 80) * size]
      const colour = tint(
        random.pick([0xf0e7d8, 0xe6d8c4, 0xdccdbd, 0xf4efe6, 0xe3cbb4]),
        Math.max(0, 0.36 - row * 0.08),
      )
      const top = foot - high
      const rectangle = (left: number, y: number, width: number, tall: number, fill: Colour) =>
        houses.push(
          `<rect x="${left.toFixed(1)}" y="${y.toFixed(1)}" width="${width.toFixed(1)}" height="${tall.toFixed(1)}" fill="${css(fill)}"/>`,
        )
      rectangle(x, top, wide + 1, high + 90, colour)
      rectangle(x + wide * 0.72, top, wide * 0.28, high + 90, darker(colour, 0.12))
      rectangle(x - 2, top - 3, wide + 4, 4 * size, lighter(colour, 0.3))
      for (let y = top + 10 * size; y < foot - 4; y += 17 * size)
        for (let dx = 8 * size; dx < wide * 0.68 - 9 * size; dx += 16 * size)
          rectangle(
            x + dx,
            y,
            8 * size,
            9 * size,
            sky.isEvening && random.chance(0.5) ? 0xffdf95 : darker(colour, 0.32),
          )
      x += wide
    }
  }
  return temple + houses.join('')
}
