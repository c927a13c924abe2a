/** Bodies as they are sent: made once, as a call that is made again has to be the same to the byte. */

/** A picture, where a path takes them: its bytes, whatever they are called. */
export type FileBody = Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | FormData

/** A body that is ready to be sent, with the headers that tell what it is. */
export interface Encoded {
  body?: string | Blob | ArrayBuffer | Uint8Array<ArrayBuffer>
  headers?: Record<string, string>
}

/** `body` as JSON, or as it is where it is a file or a form; undefined is no body. */
export async function encodeBody(body: unknown): Promise<Encoded> {
  if (body === undefined) return {}
  // The service tells the format of a picture from its bytes.
  if (body instanceof Blob || body instanceof ArrayBuffer || isBytes(body)) {
    return { body, headers: { 'Content-Type': 'image/*' } }
  }
  if (!(body instanceof FormData)) {
    return { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
  }
  // Each `Request` that is made of a form would part its files by another boundary.
  const form = new Response(body)
  const type = form.headers.get('Content-Type') ?? ''
  return { body: await form.arrayBuffer(), headers: { 'Content-Type': type } }
}

const isBytes = (body: unknown): body is Uint8Array<ArrayBuffer> => body instanceof Uint8Array
