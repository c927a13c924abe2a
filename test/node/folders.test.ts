/** What folders may import: beside each other one way only, so that each can be read without the other. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { transformSync } from 'esbuild'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const FILES = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => join('src', file))

/** The folders beside each other that a file and what it imports are in; null if one is within the other. */
function arrow(from: string, to: string): string | null {
  const [a, b] = [dirname(from).split('/'), dirname(to).split('/')]
  const parting = a.findIndex((name, index) => name !== b[index])
  if (parting < 0 || parting >= b.length) return null
  return [a, b].map((names) => names.slice(0, parting + 1).join('/')).join(' → ')
}

it('folders beside each other never import each other', () => {
  const arrows = new Set(
    FILES.flatMap((file) => {
      const imported = readFileSync(join(root, file), 'utf8').matchAll(/ from '(\.[^'\n]*)'/g)
      return [...imported].flatMap(([, path = '']) => arrow(file, normalize(join(dirname(file), path))) ?? [])
    }),
  )
  expect(arrows.size).toBeGreaterThan(50)
  expect([...arrows].filter((one) => arrows.has(one.split(' → ').toReversed().join(' → ')))).toEqual([])
})

/** The nouns of the API that mean nothing to HTTP itself, as a request or a contract does. */
const RESOURCES =
  /listing|enquir|contacts?\b|offer|income|expense|article|knowledge|location|feed|webhook|tours?\b|panorama|photo/i

describe.each(FILES.filter((file) => file.startsWith('src/http/')))('%s', (file) => {
  const text = readFileSync(join(root, file), 'utf8')

  it('names no resource', () => {
    // Comments are left out: they may show a resource that uses it.
    const { code } = transformSync(text, {
      loader: 'ts',
      charset: 'utf8',
      tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
    })
    expect(code.split('\n').filter((line) => RESOURCES.test(line))).toEqual([])
  })

  it('imports nothing above it', () => {
    const paths = Array.from(text.matchAll(/ from '(\.[^']+)'/g), ([, path = '']) =>
      join(dirname(file), path),
    )
    expect(paths.filter((path) => !/^src\/(http|fields|net)\//.test(path))).toEqual([])
  })
})
