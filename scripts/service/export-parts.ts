/** Reads the whole database of a service part by part: each is one call, which is repeated if it breaks off. */
import { adminCall, type Service } from './admin.ts'

const ATTEMPTS = 3
const NEWLINE = 0x0a

/** The parts of an export, each with whole lines. */
export async function* exportParts(service: Service): AsyncGenerator<Buffer> {
  for (let path: string | null = '/admin/export?after=start'; path; ) {
    const part: Part = await readPart(service, path)
    if (part.bytes.length > 0) yield part.bytes
    path = part.next
  }
}

/** Whether a service holds no records. */
export async function isWithoutRecords(service: Service): Promise<boolean> {
  return (await readPart(service, '/admin/export?after=start')).bytes.length === 0
}

interface Part {
  bytes: Buffer
  /** Path of the next part. */
  next: string | null
}

async function readPart(service: Service, path: string): Promise<Part> {
  for (let attempt = 1; ; attempt++) {
    try {
      const answer = await adminCall(service, 'GET', path)
      const bytes = Buffer.from(await answer.arrayBuffer())
      if (bytes.length > 0 && bytes.at(-1) !== NEWLINE) throw new Error('A part of the export has no end')
      const [, link] = /<([^>]+)>; rel="next"/.exec(answer.headers.get('Link') ?? '') ?? []
      // The service may know itself by another address than the one it is called at.
      return { bytes, next: link ? `/admin/export${new URL(link).search}` : null }
    } catch (error) {
      service.signal?.throwIfAborted()
      if (attempt === ATTEMPTS) throw error
    }
  }
}
