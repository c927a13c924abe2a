/** Makes the OpenAPI document exactly as the service serves it, without a running service. */
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

let document: Promise<string> | undefined

/** The document of the current source, as JSON text; made once. */
export function openApiDocument(): Promise<string> {
  document ??= makeDocument()
  return document
}

async function makeDocument(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'estia-document-'))
  try {
    const outfile = join(folder, 'app.mjs')
    await build({
      entryPoints: ['src/app.ts'],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      plugins: [withoutCodec],
      // Removes the log line of the call.
      drop: ['console'],
      logLevel: 'error',
    })
    const { app } = (await import(
      /* @vite-ignore */ pathToFileURL(outfile).href
    )) as typeof import('../../src/app.ts')
    const answer = await app.request('/openapi.json', {}, {})
    if (!answer.ok) throw new Error(`/openapi.json answers ${answer.status}`)
    return await answer.text()
  } finally {
    await rm(folder, { recursive: true })
  }
}
