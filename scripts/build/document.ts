/** Makes the OpenAPI document exactly as the service serves it, and what else follows from its source, without running it. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'

/** Leaves out the photo codec, which the document does not need and which may not be compiled yet. */
const withoutCodec: Plugin = {
  name: 'without-codec',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\.wasm$/ }, ({ path }) => ({ path, namespace: 'without-codec' }))
    onLoad({ filter: /.*/, namespace: 'without-codec' }, () => ({ loader: 'empty', contents: '' }))
  },
}

interface Made {
  document: string
  entities: typeof import('../../src/admin/transfer/entities.ts').ENTITIES
}

let made: Promise<Made> | undefined

/** The document of the current source, as JSON text; made once. */
export async function openApiDocument(): Promise<string> {
  made ??= make()
  return (await made).document
}

/** The entities of an import. */
export async function entitiesOfImport(): Promise<Made['entities']> {
  made ??= make()
  return (await made).entities
}

async function make(): Promise<Made> {
  const folder = await mkdtemp(join(tmpdir(), 'estia-document-'))
  try {
    const outfile = join(folder, 'app.mjs')
    await build({
      stdin: {
        contents:
          "export { app } from './src/app.ts'; export { ENTITIES } from './src/admin/transfer/entities.ts'",
        resolveDir: '.',
      },
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      plugins: [withoutCodec],
      // Removes the log line of the call.
      drop: ['console'],
      logLevel: 'error',
    })
    const { app, ENTITIES } = (await import(
      /* @vite-ignore */ pathToFileURL(outfile).href
    )) as typeof import('../../src/app.ts') & typeof import('../../src/admin/transfer/entities.ts')
    const answer = await app.request('/openapi.json', {}, {})
    if (!answer.ok) throw new Error(`/openapi.json answers ${answer.status}`)
    return { document: await answer.text(), entities: ENTITIES }
  } finally {
    await rm(folder, { recursive: true })
  }
}
