// @module-tag slow
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { displayP3 } from '../../corpus/forms.ts'
import { GIFS } from '../../corpus/gifs.ts'
import { JPEGS } from '../../corpus/jpegs.ts'
import { resize } from '../../corpus/oracle.ts'
import { PNGS } from '../../corpus/pngs.ts'
import { WEBPS } from '../../corpus/webps.ts'
import { openProfile } from '../../src/icc/profile.ts'
import { processPhoto } from '../../src/process.ts'
import { type JsquashFormat, readWithJsquash } from './jsquash.ts'
import { flaws, floorsFor, itIsFaithful, LARGE, smallBound, store } from './likeness.ts'

const ALL = [...JPEGS, ...PNGS, ...GIFS, ...WEBPS]

describe('a PNG', () => {
  itIsFaithful(PNGS)
})

describe('a GIF', () => {
  itIsFaithful(GIFS)
})

describe('a WebP', () => {
  itIsFaithful(WEBPS)
})

describe('a picture in the eyes of jsquash', () => {
  // It turns no picture, knows no animations, wants files to be tidy, and believes alpha that is not announced.
  const read = [...PNGS, ...WEBPS].filter(
    ({ name }) => !/orientation|animated|checksum|8-bytes|untidy/.test(name),
  )

  it.each(read)('looks the same: $name', async (picture) => {
    const seen = await readWithJsquash(await picture.bytes(), picture.name.split('/')[0] as JsquashFormat)
    for (const bound of [LARGE, smallBound(picture)]) {
      const { width, height, found } = await store(picture, bound)
      expect(flaws(found, await resize(seen, width, height), floorsFor(picture, bound))).toEqual([])
    }
  })
})

describe('what else is in a file', () => {
  it.each(ALL.filter(({ name }) => name.endsWith('display-p3')))(
    'what the profile says of colours is kept: $name',
    async (picture) => {
      const { original } = processPhoto(await picture.bytes(), { maxSide: 300, watermark: null })
      const { icc = new Uint8Array(0) } = await sharp(original).metadata()
      const [stored, came] = [icc, await displayP3()].map((profile) => new Map(openProfile(profile)?.tags))
      for (const tags of [stored, came]) for (const signature of ['desc', 'cprt']) tags?.delete(signature)
      expect(stored?.size).toBeGreaterThan(6)
      expect(stored).toEqual(came)
    },
  )

  it.each(ALL.filter(({ name }) => /orientation/.test(name)))('the EXIF is gone: $name', async (picture) => {
    const bytes = await picture.bytes()
    const { original } = processPhoto(bytes, { maxSide: 300, watermark: null })
    expect((await sharp(bytes).metadata()).exif).toBeDefined()
    const { exif, icc, xmp, orientation } = await sharp(original).metadata()
    expect({ exif, icc, xmp, orientation }).toEqual({})
  })
})
