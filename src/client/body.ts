/** Bodies that go as they are instead of as JSON. */

/** A picture, where a path takes them: its bytes, whatever they are called. */
export type FileBody = Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | FormData

interface Sent {
  body?: unknown
  headers?: Record<string, string>
}

/** What `openapi-fetch` has to be told of `sent` so that files stay what they are. */
export function withFiles<S extends Sent>(sent: S): S {
  const { body, headers } = sent
  // It knows forms by itself, and the boundary is for `fetch` to name.
  if (body instanceof FormData) return sent
  if (!(body instanceof Blob || body instanceof ArrayBuffer || body instanceof Uint8Array)) return sent
  return {
    ...sent,
    // The service tells the format from the bytes.
    headers: { 'Content-Type': 'image/*', ...headers },
    bodySerializer: (bytes: unknown) => bytes,
  }
}
