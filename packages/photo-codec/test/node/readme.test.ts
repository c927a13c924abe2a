import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const PACKAGE = join(import.meta.dirname, '../..')

it('has an example that runs, and prints what it says', async () => {
  const readme = await readFile(join(PACKAGE, 'README.md'), 'utf8')
  const [example = '', output] = ['ts', 'text'].map(
    (language) => new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(readme)?.[1],
  )
  // Inside the package, so that its name is known; the example reads and writes below the root.
  const folder = await mkdtemp(join(PACKAGE, 'build/readme-'))
  try {
    await writeFile(join(folder, 'example.ts'), example)
    const parameters = ['--import', join(PACKAGE, 'scripts/wasm-hook.ts'), join(folder, 'example.ts')]
    const root = join(PACKAGE, '../..')
    await mkdir(join(root, 'build'), { recursive: true })
    const { stdout } = await promisify(execFile)(process.execPath, parameters, { cwd: root })
    expect(stdout).toBe(output)
  } finally {
    await rm(folder, { recursive: true })
  }
})
