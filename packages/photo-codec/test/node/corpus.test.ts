import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fromRaw } from '../../corpus/looks.ts'
import { concat } from '../../fixtures/bytes.ts'
import { scene } from '../../fixtures/scene.ts'

const COMMAND = join(import.meta.dirname, '../../corpus/main.ts')

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'estia-corpus-'))
  await mkdir(join(folder, 'more', 'deeper'), { recursive: true })
  const picture = fromRaw(scene(320, 240))
  const png = await picture.png().toBuffer()
  await writeFile(join(folder, 'house.webp'), await picture.webp().toBuffer())
  await writeFile(join(folder, 'more', 'cut.png'), png.subarray(0, 400))
  // More than the service takes of a file.
  await writeFile(join(folder, 'more', 'deeper', 'large.png'), concat(png, new Uint8Array(20 << 20)))
  await writeFile(join(folder, 'more', 'note.txt'), 'no picture')
})

afterAll(() => rm(folder, { recursive: true, force: true }))

async function corpus(...parameters: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [COMMAND, ...parameters])
  return stdout
}

describe('a folder of pictures', () => {
  it('is compared with what sharp makes of it', async () => {
    const lines = (await corpus(folder)).split('\n')
    expect(lines).toContainEqual(
      expect.stringMatching(
        /^house\.webp: 320 × 240, \d\d\.\d dB, largest difference \d+ \(a JPEG by sharp \d\d\.\d dB, \d+\)$/,
      ),
    )
    expect(lines).toContainEqual(
      expect.stringMatching(/^more\/cut\.png: refused by both \(Could not decode image/),
    )
    expect(lines).toContain(
      'only sharp accepts: more/deeper/large.png: refused (Could not decode image), accepted by sharp',
    )
    expect(lines).toContain('1 differences')
    expect(lines.at(-2)?.split(', ').sort()).toEqual(['agreed: 2', 'no picture: 1', 'only sharp accepts: 1'])
  })

  it('is reported only by differences if requested', async () => {
    const output = await corpus(folder, '--differences')
    expect(output).toContain('large.png')
    expect(output).not.toContain('house.webp')
  })

  it('must be there', async () => {
    await expect(corpus(join(folder, 'missing'))).rejects.toThrow(/no such file or directory/)
  })
})
