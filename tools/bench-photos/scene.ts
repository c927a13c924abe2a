/**
 * A house in a garden as a phone would photograph it, at any size and the same each time: smooth sky and walls,
 * plaster and grass, window frames, roof tiles, lettering. It is drawn as SVG, so edges are sharp at every size;
 * texture and sensor noise are then added pixel by pixel.
 */
import sharp from 'sharp'
import { type Random, seeded } from '../../fixtures/random.ts'
import { addGrain } from './grain.ts'

export interface Scene {
  width: number
  height: number
  seed: number
  /** Standard deviation of the sensor's noise, in levels of 255. It decides the bits a pixel of JPEG takes. */
  noise: number
}

/** The drawing is 400 units wide, 300 high; a picture of another shape shows its middle. */
const VIEW = [400, 300] as const

/** Raw RGB, three bytes a pixel. */
export async function drawScene({ width, height, seed, noise }: Scene): Promise<Buffer> {
  const picture = await rasterize(house(seeded(seed)), width, height)
  const [mapWidth, mapHeight] = [Math.ceil(width / 4), Math.ceil(height / 4)]
  const materials = await rasterize(MATERIALS, mapWidth, mapHeight)
  addGrain(picture, { width, height, materials, mapWidth, noise, random: seeded(seed + 1) })
  return picture
}

/** A half-transparent logo of 480 × 120 pixels as PNG. */
export function drawLogo(): Promise<Buffer> {
  const letters = lettering(seeded(3), 150, 32, 300, 56)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="480" height="120" opacity=".5">
    <rect x="4" y="4" width="472" height="112" rx="16" fill="#123a5c"/>
    <path d="M24 92V56L70 22l46 34v36zM58 92V66h24v26" fill="none" stroke="#fff" stroke-width="8"/>
    <path d="${letters}" fill="none" stroke="#fff" stroke-width="7"/></svg>`
  return sharp(Buffer.from(svg)).png().toBuffer()
}

function rasterize(drawing: string, width: number, height: number): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"
    viewBox="0 0 ${VIEW.join(' ')}" preserveAspectRatio="xMidYMid slice">${drawing}</svg>`
  // libvips draws a tall SVG in pieces, each from the whole text; a large drawing must be allowed explicitly.
  return sharp(Buffer.from(svg), { unlimited: true }).removeAlpha().raw().toBuffer()
}

/** How strong a texture is where: red for grass and leaves, green for plaster and stone, blue for far hills. */
const MATERIALS = `<rect width="400" height="300"/>
  <path d="M0 118Q60 84 140 112T290 98T400 116V215H0z" fill="#0000a0"/>
  <path d="M70 105H330V215H70z" fill="#007000"/><path d="M55 107L95 60H310L345 107z" fill="#005000"/>
  <path d="M0 215H400V300H0z" fill="#c00000"/><path d="M172 215H228L290 300H120z" fill="#00b000"/>
  <circle cx="366" cy="130" r="42" fill="#900000"/><circle cx="28" cy="160" r="34" fill="#900000"/>`

function house(random: Random): string {
  const gradient = (id: string, from: string, to: string, direction = 'x2="0" y2="1"') =>
    `<linearGradient id="${id}" ${direction}><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient>`
  const gradients = [
    gradient('sky', '#3f74b8', '#cddfec'),
    gradient('hill', '#6f8a92', '#58724f'),
    gradient('wall', '#efe2c6', '#c9b793', ''),
    gradient('roof', '#b0583a', '#7f3a26'),
    gradient('lawn', '#5d7f3c', '#38561f'),
    gradient('path', '#b9b1a2', '#8d8678'),
    gradient('glass', '#86a6bf', '#2c4152', 'x2="1" y2="1"'),
    '<radialGradient id="cloud"><stop stop-color="#fff" stop-opacity=".55"/><stop offset="1" stop-color="#fff" stop-opacity="0"/></radialGradient>',
  ]
  return [
    `<defs>${gradients.join('')}</defs><rect width="400" height="140" fill="url(#sky)"/>`,
    clouds(random),
    '<path d="M0 118Q60 84 140 112T290 98T400 116V215H0z" fill="url(#hill)"/>',
    '<path d="M0 40Q200 66 400 30M0 46Q200 74 400 37" fill="none" stroke="#333" stroke-width=".4"/>',
    '<path d="M70 105H330V215H70z" fill="url(#wall)"/><path d="M55 107L95 60H310L345 107z" fill="url(#roof)"/>',
    tiles(random),
    ...[88, 144, 232, 288].flatMap((x) => [window(x, 120), window(x, 168)]),
    '<path d="M186 160h28v55h-28z" fill="#4a2f20" stroke="#f4efe4" stroke-width="2"/>',
    railing(),
    '<path d="M0 215H400V300H0z" fill="url(#lawn)"/><path d="M172 215H228L290 300H120z" fill="url(#path)"/>',
    blades(random),
    leaves(random, 366, 130, 42),
    leaves(random, 28, 160, 34),
    sign(random),
  ].join('')
}

function clouds(random: Random): string {
  const one = () =>
    `<ellipse cx="${random.int(0, 400)}" cy="${random.int(5, 85)}" rx="${random.int(30, 80)}" ry="${random.int(6, 16)}" fill="url(#cloud)"/>`
  return Array.from({ length: 14 }, one).join('')
}

function tiles(random: Random): string {
  const rows = Array.from({ length: 19 }, (_, row) => {
    const y = 60 + row * 2.4
    const [left, right] = [97 - row * 2.1, 309 + row * 1.85]
    const arcs = 'q1.5 1.6 3 0'.repeat(Math.floor((right - left) / 3))
    return `<path d="M${left.toFixed(1)} ${y.toFixed(1)}${arcs}" fill="none" stroke="#4f2216" stroke-width=".5"/>`
  })
  const odd = Array.from({ length: 260 }, () => {
    const row = random.int(1, 18)
    const column = random.int(0, Math.floor((212 + row * 3.95) / 3) - 1)
    return `M${(97 - row * 2.1 + column * 3 + 0.3).toFixed(1)} ${(60 + row * 2.4 - 1.8).toFixed(1)}h2.4v1.6h-2.4z`
  })
  return `${rows.join('')}<path d="${odd.join('')}" fill="#d98a63" opacity=".45"/>`
}

function window(x: number, y: number): string {
  const slats = Array.from({ length: 14 }, (_, slat) => `M${x - 9} ${y + 1.5 + slat * 2}h7m28 0h7`).join('')
  return `<path d="M${x} ${y}h24v30h-24z" fill="url(#glass)" stroke="#fbf8f0" stroke-width="1.6"/>
    <path d="M${x + 12} ${y}v30M${x} ${y + 10}h24M${x} ${y + 20}h24" stroke="#fbf8f0" stroke-width=".7"/>
    <path d="M${x - 10} ${y}h9v30h-9zM${x + 25} ${y}h9v30h-9z" fill="#3d6b58"/>
    <path d="${slats}" stroke="#22443a" stroke-width=".6"/>`
}

function railing(): string {
  const bars = Array.from({ length: 43 }, (_, bar) => `M${158 + bar * 2} 146v13`).join('')
  return `<path d="M156 159h88v2h-88z" fill="#d8cbb0"/><path d="M157 146h86${bars}" fill="none" stroke="#2a2a2c" stroke-width=".45"/>`
}

/** Blades of grass in a few shades, and the joints of the paving. */
function blades(random: Random): string {
  const blade = () => {
    const y = 216 + 84 * random.next()
    const size = 0.6 + (y - 216) / 30
    const x = random.next() * 400
    const free = Math.abs(x - 203) > 30 + (y - 215) * 0.66
    return free
      ? `M${x.toFixed(1)} ${y.toFixed(1)}l${(random.next() - 0.5).toFixed(2)} -${size.toFixed(2)}`
      : ''
  }
  const shades = ['#7fa34f', '#9db765', '#2c4718', '#46672a'].map(
    (shade) =>
      `<path d="${Array.from({ length: 3000 }, blade).join('')}" stroke="${shade}" stroke-width=".3"/>`,
  )
  const joints = Array.from({ length: 8 }, (_, at) => {
    const down = 4 + at * at * 1.2
    return `M${172 - (down / 85) * 52} ${215 + down}h${56 + (down / 85) * 114}`
  }).join('')
  return `${shades.join('')}<path d="M190 215L172 300M210 215L236 300${joints}" stroke="#6d675c" stroke-width=".5" opacity=".6"/>`
}

function leaves(random: Random, x: number, y: number, radius: number): string {
  const leaf = () => {
    const [angle, distance] = [random.next() * 2 * Math.PI, radius * Math.sqrt(random.next())]
    const [left, top] = [x + Math.cos(angle) * distance, y + Math.sin(angle) * distance]
    return `M${left.toFixed(1)} ${top.toFixed(1)}q${random.int(0, 2)} -2 ${random.int(2, 4)} ${random.int(-1, 1)}q-1 2 -3 0z`
  }
  const shades = ['#24401c', '#35592a', '#4b7336', '#6d9148'].map(
    (shade) => `<path d="${Array.from({ length: 700 }, leaf).join('')}" fill="${shade}"/>`,
  )
  return `<path d="M${x - 2} ${y}h4v${215 - y}h-4z" fill="#4d3a2a"/>${shades.join('')}`
}

function sign(random: Random): string {
  const sizes: [y: number, size: number][] = [
    [226, 6],
    [236, 3.4],
    [242, 2.2],
  ]
  const lines = sizes.map(([y, size]) => {
    const path = lettering(random, 304, y, 52, size)
    return `<path d="${path}" fill="none" stroke="#16202c" stroke-width="${(size / 8).toFixed(2)}"/>`
  })
  return `<path d="M300 222h60v24h-60zM306 246v22M354 246v22" fill="#f6f3ea" stroke="#333" stroke-width="1"/>${lines.join('')}`
}

/** Strokes that look like a line of letters, `size` high and at most `width` long. */
function lettering(random: Random, x: number, y: number, width: number, size: number): string {
  const advance = size * 0.8
  return Array.from({ length: Math.floor(width / advance) }, (_, index) => {
    if (index % 7 === 6) return ''
    const points = Array.from({ length: 4 }, () => {
      const [column, row] = [random.int(0, 2) / 2, random.int(0, 3) / 3]
      return `${(x + index * advance + column * advance * 0.7).toFixed(2)} ${(y + row * size).toFixed(2)}`
    })
    return `M${points.join('L')}`
  }).join('')
}
