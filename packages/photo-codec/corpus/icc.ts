/**
 * Colour profiles of every kind that a photo may contain (ICC.1:2022), with any elements.
 *
 *     encodeProfile({ space: 'CMYK', connection: 'Lab ', elements: [['A2B0', mft2Element(inks)]] })
 *     encodeProfile({ space: 'RGB ', elements: [...matrixElements(), ['dmnd', nameElement('Acme')]] })
 */

import { bytesOf, concat, uint32 } from '../fixtures/bytes.ts'
import { PRIMARIES } from './icc-colours.ts'

/** What a profile consists of. */
export interface ProfileParts {
  space: string
  connection?: 'XYZ ' | 'Lab '
  /** 2 unless given. */
  version?: number
  deviceClass?: string
  elements: readonly (readonly [signature: string, element: Uint8Array])[]
}

/** A table from samples to colours: the number of nodes and what is at them, encoded as 0–1. */
export interface Table {
  channels: number
  nodes: number
  colourAt: (place: readonly number[]) => readonly number[]
}

const uint16 = (n: number) => [n >> 8, n & 0xff]
const level = (value: number, most: number) => Math.max(0, Math.min(most, Math.round(value * most)))
const fixed = (value: number) => uint32(Math.round(value * 65_536))

/** A profile file. Its header names a maker, a model and a creator, and has a date. */
export function encodeProfile({
  space,
  connection = 'XYZ ',
  version = 2,
  deviceClass = space === 'CMYK' ? 'prtr' : 'mntr',
  elements,
}: ProfileParts): Uint8Array {
  const places = new Map<Uint8Array, number>()
  let end = 132 + elements.length * 12
  for (const [, element] of elements) {
    if (places.has(element)) continue
    places.set(element, end)
    end += (element.length + 3) & ~3
  }
  const out = new Uint8Array(end)
  const header = concat(
    uint32(end),
    bytesOf('MKCM'),
    [version, 0x10, 0, 0],
    bytesOf(deviceClass + space + connection),
    [2031, 12, 24, 23, 59, 58].flatMap(uint16),
    bytesOf('acspAPPL'),
    uint32(1),
    bytesOf('MAKRMODL'),
    uint32(0),
    uint32(0xbadcafe),
    uint32(0),
    uint32(0xf6d6),
    uint32(0x10000),
    uint32(0xd32d),
    bytesOf('CRTR'),
    bytesOf('identity-of-16-b'),
    new Uint8Array(28),
    uint32(elements.length),
  )
  out.set(header)
  elements.forEach(([signature, element], i) => {
    const entry = concat(bytesOf(signature), uint32(places.get(element) ?? 0), uint32(element.length))
    out.set(entry, 132 + i * 12)
  })
  for (const [element, at] of places) out.set(element, at)
  return out
}

/** The primaries of Adobe RGB and a curve of gamma 2.2. */
export function matrixElements(curve = gammaElement(2.2)): [string, Uint8Array][] {
  return [
    ['wtpt', xyzElement(0.9642, 1, 0.8249)],
    ['rXYZ', xyzElement(0.60974, 0.31111, 0.01947)],
    ['gXYZ', xyzElement(0.20528, 0.62567, 0.06087)],
    ['bXYZ', xyzElement(0.14919, 0.06322, 0.74457)],
    ['rTRC', curve],
    ['gTRC', curve],
    ['bTRC', curve],
  ]
}

/** The profile of samples that are the light of sRGB, without any curve. */
export function linearProfile(): Uint8Array {
  const own = new Map(PRIMARIES.map((xyz, i) => [`${'rgb'[i]}XYZ`, xyzElement(...xyz)]))
  const elements = matrixElements(gammaElement(1))
  return encodeProfile({
    space: 'RGB ',
    elements: elements.map(([name, element]) => [name, own.get(name) ?? element]),
  })
}

export function xyzElement(x: number, y: number, z: number): Uint8Array {
  return concat(bytesOf('XYZ \0\0\0\0'), fixed(x), fixed(y), fixed(z))
}

export function gammaElement(gamma: number): Uint8Array {
  return concat(bytesOf('curv\0\0\0\0'), uint32(1), uint16(Math.round(gamma * 256)))
}

/** A curve of this many samples. */
export function curveElement(count: number, curve: (value: number) => number): Uint8Array {
  const samples = Array.from({ length: count }, (_, i) => uint16(level(curve(i / (count - 1)), 65_535)))
  return concat(bytesOf('curv\0\0\0\0'), uint32(count), samples.flat())
}

/** A curve by a formula of `kind` 0–4. */
export function formulaElement(kind: number, ...numbers: number[]): Uint8Array {
  return concat(bytesOf('para\0\0\0\0'), uint16(kind), [0, 0], ...numbers.map(fixed))
}

/** A description as version 2 has it. */
export function nameElement(ascii: string): Uint8Array {
  return concat(bytesOf('desc\0\0\0\0'), uint32(ascii.length + 1), bytesOf(ascii), new Uint8Array(79))
}

/** A text in one language as version 4 has it. */
export function localisedElement(latin1: string): Uint8Array {
  const utf16 = [...bytesOf(latin1)].flatMap((byte) => [0, byte])
  return concat(
    bytesOf('mluc\0\0\0\0'),
    uint32(1),
    uint32(12),
    bytesOf('enUS'),
    uint32(utf16.length),
    uint32(28),
    utf16,
  )
}

/** A table of 8-bit samples with straight curves. */
export function mft1Element({ channels, ...table }: Table): Uint8Array {
  const straight = Array.from({ length: 256 }, (_, i) => i)
  const curves = (count: number) => new Array(count).fill(straight).flat()
  const samples = nodesOf({ channels, ...table }).map((value) => level(value, 255))
  return concat(tableHeader('mft1', channels, table.nodes), curves(channels), samples, curves(3))
}

/** A table of 16-bit samples; inks go through their square root first, the node places are meant behind that. */
export function mft2Element({ channels, ...table }: Table, isCurved = false): Uint8Array {
  const inputs = Array.from({ length: 256 }, (_, i) => level(isCurved ? Math.sqrt(i / 255) : i / 255, 65_535))
  const colourAt = (place: readonly number[]) =>
    table.colourAt(isCurved ? place.map((value) => value ** 2) : place)
  const samples = nodesOf({ channels, nodes: table.nodes, colourAt }).map((value) => level(value, 65_535))
  return concat(
    tableHeader('mft2', channels, table.nodes),
    uint16(256),
    uint16(2),
    new Array(channels).fill(inputs).flat().flatMap(uint16),
    samples.flatMap(uint16),
    [0, 65_535, 0, 65_535, 0, 65_535].flatMap(uint16),
  )
}

/** `mAB `: the colours go through a root, a matrix that turns channels around, and the squares of them. */
export function mabElement({ channels, nodes, colourAt }: Table, width: 1 | 2 = 2): Uint8Array {
  const squares = concat(...new Array(3).fill(formulaElement(0, 2)))
  const roundabout = concat(...[0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0].map(fixed))
  const straight = concat(...new Array(3).fill(formulaElement(0, 1)))
  const inks = concat(...new Array(channels).fill(padded(curveElement(33, (value) => value))))
  const turned = (place: readonly number[]) => {
    const [x = 0, y = 0, z = 0] = colourAt(place).map((value) => Math.sqrt(Math.max(0, value)))
    // The matrix makes (second, third, first) of it.
    return [z, x, y]
  }
  const samples = nodesOf({ channels, nodes, colourAt: turned })
  const grid = concat(
    Uint8Array.from({ length: 16 }, (_, i) => (i < channels ? nodes : 0)),
    [width, 0, 0, 0],
    samples.flatMap((value) => (width === 1 ? [level(value, 255)] : uint16(level(value, 65_535)))),
  )
  const stages = [squares, roundabout, straight, padded(grid), inks]
  const ends = stages.map((_, i) => 32 + stages.slice(0, i).reduce((sum, { length }) => sum + length, 0))
  return concat(bytesOf('mAB \0\0\0\0'), [channels, 3, 0, 0], ...ends.map(uint32), ...stages)
}

/** Stages of `mAB ` without a grid: curves of three channels, and a matrix of twelve numbers. */
export interface Stages {
  first?: Uint8Array
  middle?: Uint8Array
  matrix?: readonly number[]
  last: Uint8Array
}

/** `mAB ` that mixes channels by a matrix alone. */
export function stagesElement({ first, middle, matrix, last }: Stages): Uint8Array {
  const three = (curve: Uint8Array | undefined) => curve && concat(...new Array(3).fill(padded(curve)))
  // In the order in which the header names them; it has a place for the grid as well.
  const stages = [three(last), matrix && concat(...matrix.map(fixed)), three(middle), undefined, three(first)]
  let end = 32
  const places = stages.map((stage) => {
    const at = end
    end += stage?.length ?? 0
    return stage ? at : 0
  })
  const bodies = stages.filter((stage) => stage !== undefined)
  return concat(bytesOf('mAB \0\0\0\0'), [3, 3, 0, 0], ...places.map(uint32), ...bodies)
}

/** The primaries of Adobe RGB as a matrix to encoded XYZ. */
export const ADOBE_MATRIX = [
  [0.60974, 0.20528, 0.14919, 0.31111, 0.62567, 0.06322, 0.01947, 0.06087, 0.74457],
  [0, 0, 0],
].flatMap((numbers) => numbers.map((number) => (number * 32_768) / 65_535))

function tableHeader(type: string, channels: number, nodes: number): Uint8Array {
  const identity = [1, 0, 0, 0, 1, 0, 0, 0, 1].flatMap(fixed)
  return concat(bytesOf(type), uint32(0), [channels, 3, nodes, 0], identity)
}

/** The samples of all nodes, that of the last channel varying fastest. */
function nodesOf({ channels, nodes, colourAt }: Table): number[] {
  return Array.from({ length: nodes ** channels }, (_, index) =>
    colourAt(
      Array.from(
        { length: channels },
        (_, channel) => (Math.floor(index / nodes ** (channels - 1 - channel)) % nodes) / (nodes - 1),
      ),
    ),
  ).flat()
}

function padded(bytes: Uint8Array): Uint8Array {
  return concat(bytes, new Uint8Array(-bytes.length & 3))
}
