/**
 * Makes one part of a backup and puts it into the bucket. It carries where the next part begins, so a run that finds it there
 * goes on behind it. A part is never overwritten by another of the same run: what follows it was made from its end.
 */
import { createHash } from 'node:crypto'
import { type Database, mayCall } from '../../db/client.ts'
import { partFrom } from '../transfer/export.ts'
import { keyOf } from './bucket.ts'

/** Bytes of text after which a part ends. Compressed, it stays far below 64 MB and is held in memory. */
const PART_BYTES = 32 * 1024 * 1024
/** Calls to D1 that have to be left for a part to go on. */
const CALLS = 10

/** What a part in the bucket says of itself. All of it is text, as R2 keeps nothing else. */
interface PartLabels {
  run: string
  /** The cursor behind it; empty at the end of the file. */
  next: string
  sha256: string
  lines: string
  /** Lines by entity, as JSON. */
  counts: string
}

export interface StoredPart {
  key: string
  bytes: number
  sha256: string
  lines: number
  counts: Record<string, number>
  /** The cursor of the next part; null behind the last one. */
  next: string | null
}

/** Where a part belongs. */
export interface PartPlace {
  name: string
  run: string
  /** From 1. */
  number: number
  /** The cursor at which it begins; null for the first. */
  from: string | null
}

export interface PartLimits {
  bytes?: number
  isLate: () => boolean
}

/** A part that is not in the bucket, and that no run can put there: its backup will never be whole. */
export class LostPart extends Error {}

/** Puts a part into the bucket, unless an earlier run has done so. */
export async function storePart(
  db: Database,
  bucket: R2Bucket,
  place: PartPlace,
  limits: PartLimits,
): Promise<StoredPart> {
  const key = keyOf.part(place.name, place.number)
  const found = await findPart(bucket, key, place.run)
  if (found) return found
  const { bytes, labels } = await makePart(db, place, limits)
  // Another run may have put it there meanwhile.
  const put = await bucket.put(key, bytes, {
    onlyIf: { etagDoesNotMatch: '*' },
    sha256: labels.sha256,
    httpMetadata: { contentType: 'application/gzip' },
    customMetadata: { ...labels },
  })
  const stored = put ? partOf(put, place.run) : await findPart(bucket, key, place.run)
  if (!stored) throw new LostPart(`${key} is taken by another run`)
  return stored
}

async function findPart(bucket: R2Bucket, key: string, run: string): Promise<StoredPart | null> {
  const object = await bucket.head(key)
  return object && partOf(object, run)
}

/** What an object says of itself; null if it is no part of `run`. */
export function partOf({ key, size, customMetadata }: R2Object, run: string): StoredPart | null {
  const {
    next = '',
    sha256 = '',
    lines,
    counts = '{}',
    ...labels
  }: Partial<PartLabels> = customMetadata ?? {}
  if (labels.run !== run) return null
  return { key, bytes: size, sha256, lines: Number(lines), counts: JSON.parse(counts), next: next || null }
}

async function makePart(
  db: Database,
  { run, from }: PartPlace,
  { bytes: limit = PART_BYTES, isLate }: PartLimits,
): Promise<{ bytes: ArrayBuffer; labels: PartLabels }> {
  const texts = partFrom(db, from, (length) => length >= limit || isLate() || !mayCall(db, CALLS))
  const counts: Record<string, number> = {}
  let next: string | null = null
  const source = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await texts.next()
      if (done) {
        next = value
        controller.close()
      } else {
        countLines(value.text, counts)
        controller.enqueue(value.bytes)
      }
    },
  })
  const hash = createHash('sha256')
  const pieces: Uint8Array[] = []
  for await (const piece of source.pipeThrough(new CompressionStream('gzip'))) {
    hash.update(piece)
    pieces.push(piece)
  }
  const lines = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const labels = {
    ...{ run, next: next ?? '', sha256: hash.digest('hex'), lines: String(lines) },
    counts: JSON.stringify(counts),
  }
  return { bytes: await new Blob(pieces).arrayBuffer(), labels }
}

/** What each line begins with, before the name of its entity. */
const BEFORE_NAME = '{"entity":"'

function countLines(text: string, counts: Record<string, number>): void {
  for (let start = 0; start < text.length; start = text.indexOf('\n', start) + 1) {
    const name = start + BEFORE_NAME.length
    const entity = text.slice(name, text.indexOf('"', name))
    counts[entity] = (counts[entity] ?? 0) + 1
  }
}
