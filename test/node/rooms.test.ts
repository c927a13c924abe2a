import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { transformSync } from 'esbuild'
import { describe, expect, it } from 'vitest'

const HTTP = join(import.meta.dirname, '../../src/http')
const files = readdirSync(HTTP, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))

/** The nouns of the API that mean nothing to HTTP itself, as a request or a contract does. */
const RESOURCES =
  /listing|enquir|contacts?\b|offer|income|expense|article|knowledge|location|feed|webhook|tours?\b|panorama|photo/i

describe('http', () => {
  it.each(files)('%s names no resource', (file) => {
    // Comments are left out: they may show a resource that uses it.
    const { code } = transformSync(readFileSync(join(HTTP, file), 'utf8'), {
      loader: 'ts',
      charset: 'utf8',
      tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
    })
    expect(code.split('\n').filter((line) => RESOURCES.test(line))).toEqual([])
  })

  it.each(files)('%s imports nothing above it', (file) => {
    const sources = readFileSync(join(HTTP, file), 'utf8').matchAll(/ from '(\.[^']+)'/g)
    const paths = Array.from(sources, ([, source = '']) => join('http', file, '..', source))
    expect(paths.filter((path) => !/^(http|fields|net)\//.test(path))).toEqual([])
  })
})
