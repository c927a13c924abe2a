/** Pictures in linear light: what their profile says is that of sRGB without its curve. */

import { deflateSync } from 'node:zlib'
import { bytesOf, concat } from '../fixtures/bytes.ts'
import { pngChunk, profileSegments } from '../fixtures/containers.ts'
import { encodePng } from '../fixtures/png.ts'
import { type Rgb, scene } from '../fixtures/scene.ts'
import { sharpJpeg } from './forms.ts'
import { linearProfile } from './icc.ts'
import { lightOf } from './icc-colours.ts'
import { type SoundPicture, sound } from './picture.ts'

const [WIDTH, HEIGHT] = [320, 243]

/** A scene whose shadows are not lost in so many levels of light. */
const bright = (): Rgb => {
  const { data, ...size } = scene(WIDTH, HEIGHT)
  return { ...size, data: data.map((level) => 64 + level * 0.75) }
}

const lightIn = ({ data }: Rgb, most: number) =>
  Uint16Array.from(data, (level) => Math.round(most * lightOf(level)))

export const LINEAR: readonly SoundPicture[] = [
  sound(
    'png/linear-light-16',
    {
      width: WIDTH,
      height: HEIGHT,
      bytes: () => {
        const before = [pngChunk('iCCP', concat(bytesOf('linear\0\0'), deflateSync(linearProfile())))]
        const samples = lightIn(scene(WIDTH, HEIGHT), 65_535)
        return encodePng({ width: WIDTH, height: HEIGHT, colourType: 2, depth: 16, samples, before })
      },
      expected: () => scene(WIDTH, HEIGHT),
    },
    [38.8, 27.2, 37.1, 26.7],
  ),
  sound(
    'jpeg/linear-light',
    {
      width: WIDTH,
      height: HEIGHT,
      bytes: async () => {
        const data = Uint8Array.from(lightIn(bright(), 255))
        const file = await sharpJpeg({ width: WIDTH, height: HEIGHT, data }, { quality: 98 })
        return concat(file.subarray(0, 2), ...profileSegments(linearProfile()), file.subarray(2))
      },
      expected: bright,
    },
    [37.9, 28.7, 37.6, 28.6],
  ),
]
