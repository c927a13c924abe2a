import { cp, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { hasChanged, hashOfFiles } from '../../scripts/passed.ts'

const PACKAGE = join(import.meta.dirname, '../..')

it('notices each changed, new and renamed file, but not what is made from them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'estia-codec-'))
  try {
    for (const name of ['src', 'scripts', 'package.json'])
      await cp(join(PACKAGE, name), join(folder, name), { recursive: true })
    const passed = hashOfFiles(folder)
    await writeFile(join(folder, 'passed.txt'), `${passed}\n`)
    await cp(join(PACKAGE, 'build'), join(folder, 'build'), { recursive: true })
    expect(hasChanged(folder)).toBe(false)

    await rename(join(folder, 'src/index.ts'), join(folder, 'src/main.ts'))
    expect(hasChanged(folder)).toBe(true)
    await rename(join(folder, 'src/main.ts'), join(folder, 'src/index.ts'))
    expect(hasChanged(folder)).toBe(false)
    await writeFile(join(folder, 'src/new.ts'), '')
    expect(hasChanged(folder)).toBe(true)
  } finally {
    await rm(folder, { recursive: true })
  }
})
