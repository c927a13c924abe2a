import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson } from '../../../src/http/request/json.ts'
import { MIN_EXTRACTED_BYTES } from '../../../src/http/request/json-bytes.ts'
import { loadPhoto, parsePhotoEntry } from '../../../src/photos/entry.ts'

/** As long as a text has to be to be taken, and what is decoded at once. */
const LONG = 'Q/JD'.repeat(MIN_EXTRACTED_BYTES / 4)
const PIECE = 32 * 1024

const prefix = fc.constantFrom(
  ...['', '', '', 'data:image/png;base64,', 'DATA:image/x.y-z+1;Base64,', ' data:image/png;base64,'],
  ...['data:image/png;base64, ', 'data:text/plain;base64,', 'data:image/;base64,', 'data:image/png,'],
  `data:image/${'x'.repeat(200)};base64,`,
  'data:image/png;base64,data:image/png;base64,',
)
const end = fc.constantFrom(
  ...['', '', '', 'Q', 'QQ', 'QUI', 'QQ=', 'QQ==', 'QUI=', 'QR==', 'QUJ=', '=', '==', '====', 'A===', '-_-_'],
  ...['    ', 'ΣΣ', '\n', '\u0000', '"', '\\', '😀', '\ud800'],
)
/** What stands somewhere within, and where. */
const inside = fc.tuple(
  fc.constantFrom(' ', '    ', '=', 'QQ==', 'QUI=', '-', '_', '\n\n\n\n', 'é', 'ÿ', '"', '\\', '\\/', 'Σ'),
  fc.oneof(fc.constantFrom(0, PIECE - 4, PIECE, 2 * PIECE - 4, LONG.length - 4), fc.nat(LONG.length)),
)
const more = fc.constantFrom(-8, -4, -3, -2, -1, 4, 2 * PIECE + 4)
const PLAIN = { before: '', more: 0, inside: ['', 0] as const, behind: '' }

/** Base64 of about the length that one has to have, with one thing strange about it, or several. */
const photo = fc
  .oneof(
    fc.record({ before: prefix, more, inside, behind: end }),
    fc.record({ before: prefix }),
    fc.record({ more }),
    fc.record({ inside }),
    fc.record({ inside }),
    fc.record({ behind: end }),
  )
  .map((parts) => {
    const {
      before,
      more: length,
      inside: [text, at],
      behind,
    } = { ...PLAIN, ...parts }
    const groups = length < 0 ? LONG.slice(0, length) : LONG + LONG.slice(0, length)
    return `${before}${groups.slice(0, at)}${text}${groups.slice(at)}${behind}`
  })

/** The same as JSON has it, some with the slashes escaped, all or one. */
const written = fc
  .tuple(photo, fc.constantFrom('/', /\//g, /(?!)/))
  .map(([text, escaped]) => JSON.stringify(text).replace(escaped, '\\/'))

const key = fc.constantFrom(
  ...['"data"', '"data"', '"data"', '"\\u0064ata"', '"x\\"data"', '"\\\\"', '"Data"', '"url"', '"__proto__"'],
)
const space = fc.constantFrom('', '', ' ', '   ', '\n', '\t', '\r\n ')

/** The text of a value: photos in all places where JSON may have a text, and in some where it may not. */
const { value } = fc.letrec<{ value: string; object: string; list: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.oneof(
      { arbitrary: written, weight: 4 },
      photo.map((text) => JSON.stringify(text).replace('Q', '\\u0051')),
      fc.constantFrom('null', '7', '"Σ"', '""', 'true', '{}', '[]', '{"data":"QUJD"}'),
    ),
    tie('object'),
    tie('list'),
  ),
  object: fc
    .array(fc.tuple(key, space, space, tie('value')), { maxLength: 3 })
    .map((entries) => `{${entries.map(([name, a, b, it]) => `${name}${a}:${b}${it}`).join(',')}}`),
  list: fc.array(tie('value'), { maxLength: 3 }).map((entries) => `[${entries.join(' , ')}]`),
}))

/** What can be done to the bytes of a body. */
const spoil = fc.constantFrom<(bytes: Buffer) => Buffer>(
  ...[(bytes: Buffer) => bytes, (bytes: Buffer) => bytes, (bytes: Buffer) => bytes],
  (bytes) => bytes.subarray(0, -1),
  (bytes) => bytes.subarray(0, bytes.length >> 1),
  (bytes) => Buffer.concat([Buffer.from('\ufeff'), bytes]),
  (bytes) => Buffer.concat([bytes, Buffer.from('"')]),
  (bytes) => Buffer.concat([bytes.subarray(0, 9), Buffer.from([0xff]), bytes.subarray(9)]),
)

const photoBody = fc
  .tuple(fc.array(written, { minLength: 1, maxLength: 3 }), value)
  .map(([photos, more]) => `{"photos":[${photos.map((text) => `{"data":${text}},`).join('')}${more}]}`)
const body = fc.tuple(fc.oneof(value, photoBody), spoil).map(([text, damage]) => damage(Buffer.from(text)))

/** The value of a body, everything in it a text. */
function parseWhole(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes))
  } catch {
    return undefined
  }
}

/** What a photo comes to: its bytes, or why it has none. */
async function outcomeOf(entry: unknown): Promise<unknown> {
  try {
    const source = parsePhotoEntry(entry)
    return 'url' in source ? source : Buffer.from(await loadPhoto(source, { env: {} }))
  } catch (error) {
    return String(error)
  }
}

/** Holds every value of a body to the same of another, where what was taken must be what the text comes to. */
async function compare(taken: unknown, whole: unknown): Promise<void> {
  if (taken instanceof Uint8Array) {
    expect(typeof whole === 'string' && 2 * whole.length >= MIN_EXTRACTED_BYTES).toBe(true)
    const expected = await outcomeOf({ data: whole })
    expect(expected instanceof Uint8Array && Buffer.compare(expected, taken)).toBe(0)
  } else if (typeof taken !== 'object' || taken === null) {
    expect(taken === whole).toBe(true)
  } else {
    expect(Array.isArray(whole)).toBe(Array.isArray(taken))
    expect(Object.keys(taken)).toEqual(Object.keys(whole as object))
    const [ours, theirs] = [await outcomeOf(taken), await outcomeOf(whole)]
    expect(Buffer.isBuffer(ours) ? Buffer.from(ours).equals(theirs as Buffer) : ours).toEqual(
      Buffer.isBuffer(ours) ? true : theirs,
    )
    for (const [name, inner] of Object.entries(taken)) {
      await compare(inner, (whole as Record<string, unknown>)[name])
    }
  }
}

describe('a body whose long base64 is not made a text', () => {
  it('says what it says as a text', { timeout: 120_000 }, async () => {
    let takenAtAll = 0
    await fc.assert(
      fc.asyncProperty(body, async (bytes) => {
        const whole = parseWhole(bytes)
        const taken = parseJson(new Uint8Array(bytes), { extractsBytes: true })
        await compare(taken, whole)
        if (String(JSON.stringify(taken)) !== String(JSON.stringify(whole))) takenAtAll++
      }),
      { numRuns: 150, endOnFailure: true },
    )
    expect(takenAtAll).toBeGreaterThan(3)
  })
})
