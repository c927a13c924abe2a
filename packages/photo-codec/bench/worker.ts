/** Estia in workerd: keeps a picture and a watermark, and makes the copies as often as it is asked. */
import { codecMemory } from '../src/codec-instance.ts'
import { processPhoto } from '../src/process.ts'

let picture = new Uint8Array(0)
let watermark = new Uint8Array(0)

async function handle(request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url)
  if (pathname === '/picture') picture = new Uint8Array(await request.arrayBuffer())
  if (pathname === '/watermark') watermark = new Uint8Array(await request.arrayBuffer())
  if (pathname === '/copy') {
    const { original } = processPhoto(picture, { maxSide: 1920, watermark })
    return new Response(original, { headers: { 'X-Memory': String(codecMemory()) } })
  }
  for (let times = Number(searchParams.get('times')); times > 0; times--)
    processPhoto(picture, { maxSide: 1920, watermark })
  return new Response()
}

// biome-ignore lint/style/noDefaultExport: a Worker is recognised by its default export.
export default { fetch: handle }
