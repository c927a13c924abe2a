/** Encodes request bodies once, because a retry must send exactly the same bytes. */

/** One picture, or a form with several, for paths that accept files. */
export type FileBody = Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | FormData

/** An encoded body with the headers that describe it. */
export interface Encoded {
  body?: string | Blob | ArrayBuffer | Uint8Array<ArrayBuffer>
  headers?: Record<string, string>
}

/** Encodes `body` as JSON; files and forms are sent as they are, and undefined means no body. */
export async function encodeBody(body: unknown): Promise<Encoded> {
  if (body === undefined) return {}
  // The service detects the format of a picture from its bytes.
  if (body instanceof Blob || body instanceof ArrayBuffer || isBytes(body)) {
    return { body, headers: { 'Content-Type': 'image/*' } }
  }
  if (!(body instanceof FormData)) {
    return { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
  }
  // Encode the form once: each `Request` made from it would use another boundary.
  const form = new Response(body)
  const type = form.headers.get('Content-Type') ?? ''
  return { body: await form.arrayBuffer(), headers: { 'Content-Type': type } }
}

/** Narrows to what `fetch` accepts: for TypeScript, a plain `Uint8Array` may have a shared buffer. */
const isBytes = (body: unknown): body is Uint8Array<ArrayBuffer> => body instanceof Uint8Array
