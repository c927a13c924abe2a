/** Folders beside each other import one way only, so that each can be read without the other. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, it } from 'vitest'

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
