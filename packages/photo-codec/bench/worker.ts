/** The contender in workerd: keeps a picture and a watermark and renders JPEGs of them on every call. */
import { accountedBytes } from './memory.ts'
import { codecBytes, processOurs } from './ours.ts'

let picture = new Uint8Array(0)
let watermark = new Uint8Array(0)

/** `X-Memory` of the answer to `/first`: bytes of the codec's memory, then the accounted peak. */
async function handle(request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url)
  if (pathname === '/picture') picture = new Uint8Array(await request.arrayBuffer())
  if (pathname === '/watermark') watermark = new Uint8Array(await request.arrayBuffer())
  if (pathname === '/first') {
    const copies = await processOurs(picture, watermark)
    const memory = `${codecBytes()} ${accountedBytes(picture, copies)}`
    return new Response(copies.original, { headers: { 'X-Memory': memory } })
  }
  for (let times = Number(searchParams.get('times')); times > 0; times -= 1) {
    await processOurs(picture, watermark)
  }
  return new Response('done')
}

// biome-ignore lint/style/noDefaultExport: a Worker is recognised by its default export.
export default { fetch: handle }
