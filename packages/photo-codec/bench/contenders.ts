/** Who does the job: Estia in workerd, and sharp. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import sharp from 'sharp'

sharp.concurrency(1)
sharp.cache(false)

/** A contender that holds a picture and a watermark. */
export interface Session {
  /** The first copy, and the bytes of memory that the codec then has. */
  copy(): Promise<{ original: Uint8Array; memory: number }>
  /** Milliseconds of one job: the mean of so many in a row. */
  run(times: number): Promise<number>
}

/** Runs `work` with a Worker that is bundled as wrangler bundles it. */
export async function withWorkerd(
  picture: Uint8Array,
  watermark: Uint8Array,
  work: (session: Session) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'photo-codec-bench-'))
  await build({
    entryPoints: [join(import.meta.dirname, 'worker.ts')],
    outdir: folder,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2024',
    external: ['node:*'],
    loader: { '.wasm': 'copy' },
  })
  const miniflare = startBundle(folder)
  const url = await miniflare.ready
  const call = async (path: string, body?: Uint8Array) => {
    const answer = await fetch(new URL(path, url), { method: 'POST', ...(body ? { body } : {}) })
    const bytes = new Uint8Array(await answer.arrayBuffer())
    if (!answer.ok) throw new Error(Buffer.from(bytes).toString().split('\n')[0])
    return { original: bytes, memory: Number(answer.headers.get('X-Memory')) }
  }
  const time = async (path: string) => {
    const start = performance.now()
    await call(path)
    return performance.now() - start
  }
  try {
    await call('/picture', picture)
    await call('/watermark', watermark)
    await work({
      copy: () => call('/copy'),
      // Time does not advance in workerd while it computes, so it is taken here, less that of empty calls.
      run: async (times) => {
        const empty: number[] = []
        for (let request = 0; request < 5; request++) empty.push(await time('/empty'))
        return ((await time(`/run?times=${times}`)) - median(empty)) / times
      },
    })
  } finally {
    await miniflare.dispose()
    rmSync(folder, { recursive: true })
  }
}

function startBundle(folder: string): Miniflare {
  const modules = readdirSync(folder)
    .toSorted((a, b) => Number(b.endsWith('.js')) - Number(a.endsWith('.js')))
    .map((file) => ({
      type: file.endsWith('.wasm') ? ('CompiledWasm' as const) : ('ESModule' as const),
      path: join(folder, file),
    }))
  return new Miniflare(
    convertV4MiniflareOptions({
      handleStructuredLogs: () => undefined,
      modules,
      modulesRoot: folder,
      compatibilityDate: '2026-08-15',
    }),
  )
}

/** sharp on one thread: what native code needs for the same job. Its memory is not known. */
export function sharpSession(picture: Uint8Array, watermark: Uint8Array): Session {
  // Decodes once and keeps the small picture raw for both copies: two pipelines from the file take up to twice as long.
  const copy = async () => {
    const fitted = sharp(picture)
      .rotate()
      .resize({ width: 1920, height: 1920, fit: 'inside', withoutEnlargement: true })
    const { data, info } = await fitted.raw().toBuffer({ resolveWithObject: true })
    const raw = { width: info.width, height: info.height, channels: info.channels }
    const original = await sharp(data, { raw }).jpeg({ quality: 90 }).toBuffer()
    const marked = sharp(data, { raw }).composite([{ input: Buffer.from(watermark), gravity: 'centre' }])
    await marked.jpeg({ quality: 90 }).toBuffer()
    return { original, memory: Number.NaN }
  }
  return {
    copy,
    run: async (times) => {
      const start = performance.now()
      for (let time = 0; time < times; time++) await copy()
      return (performance.now() - start) / times
    },
  }
}

/** The middle of the values. */
export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
}
