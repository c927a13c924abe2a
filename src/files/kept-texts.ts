/**
 * Texts that take long to make, kept in the bucket until what they are made of changes.
 *
 *     const kept = { key: keptTextKey('…'), tag, type: 'application/xml' }
 *     await keepText(env.PHOTOS, kept, texts)
 *     const body = await readKeptText(env.PHOTOS, kept)   // null: none with this tag
 *
 * There is one of each key, so a new one takes the place of the last. It is there only once it is whole: R2 shows nothing
 * of an upload before its end. No row refers to them, so the sweep deletes each a day or two after it was made.
 */
import { inPieces } from '../http/reply/stream.ts'
import { isFileKey } from './keys.ts'
import { StorageError } from './store.ts'

/** The least that R2 takes as a part, and all parts but the last are equally long. */
const PART_BYTES = 5 * 1024 * 1024

const FOLDER = 'feeds/'

export interface KeptText {
  key: string
  /** What it was made of: another tag, another text. */
  tag: string
  type: string
}

/** The key of an XML text, by 32 hexadecimal digits. */
export function keptTextKey(digest: string): string {
  const key = `${FOLDER}${digest}.xml`
  if (!isFileKey(key)) throw new Error('The name of a text must be 32 hexadecimal digits')
  return key
}

/** The text, if one with this tag is kept. Throws a StorageError if the bucket fails. */
export async function readKeptText(bucket: R2Bucket, { key, tag }: KeptText): Promise<R2ObjectBody | null> {
  const object = await stored(bucket.get(key))
  if (!object || object.customMetadata?.tag === tag) return object
  await object.body.cancel()
  return null
}

/**
 * Makes a text and keeps it. What making it throws is thrown, and nothing is kept then. Throws a StorageError if the
 * bucket fails.
 * @param onPart called with each part that is made
 */
export async function keepText(
  bucket: R2Bucket,
  { key, tag, type }: KeptText,
  texts: AsyncIterable<string>,
  onPart: () => void,
): Promise<void> {
  const options = { httpMetadata: { contentType: type }, customMetadata: { tag } }
  const parts: R2UploadedPart[] = []
  let upload: R2MultipartUpload | undefined
  try {
    for await (const piece of inPieces(texts, PART_BYTES)) {
      onPart()
      if (!upload && piece.length < PART_BYTES) {
        await stored(bucket.put(key, piece, options))
      } else {
        upload ??= await stored(bucket.createMultipartUpload(key, options))
        parts.push(await stored(upload.uploadPart(parts.length + 1, piece)))
      }
    }
    if (upload) await stored(upload.complete(parts))
  } catch (error) {
    // R2 itself gives up an upload after a week.
    await upload?.abort().catch(() => undefined)
    throw error
  }
}

/** Removes all kept texts: they are made anew when they are asked for. Throws a StorageError if the bucket fails. */
export async function forgetKeptTexts(bucket: R2Bucket): Promise<void> {
  const { objects } = await stored(bucket.list({ prefix: FOLDER }))
  await stored(bucket.delete(objects.map(({ key }) => key)))
}

function stored<T>(work: Promise<T>): Promise<T> {
  return work.catch((cause) => {
    throw new StorageError(cause)
  })
}
