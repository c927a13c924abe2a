import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { ApiError } from '../../../src/http/errors.ts'
import { readMultipart } from '../../../src/http/request/multipart.ts'
import { parseParameters } from '../../../src/http/request/multipart-headers.ts'

const TYPE = 'multipart/form-data; boundary=xyz'
const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))

/** The bytes as chunks of a stream, of these sizes in turn. */
async function* inChunks(bytes: Uint8Array, ...sizes: number[]) {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? bytes.length
    yield bytes.slice(at, at + size)
    at += size
  }
}

async function read(text: string, type = TYPE, size?: number) {
  const bytes = latin1(text)
  const { files, others } = await readMultipart(inChunks(bytes, ...(size ? [size] : [])), type, bytes.length)
  return { files: files.map((file) => String.fromCharCode(...file)), others }
}

/** A part with these headers. */
const part = (headers: string, content: string) => `--xyz\r\n${headers}\r\n\r\n${content}\r\n`
const disposed = (how: string, content: string) => part(`Content-Disposition: form-data; ${how}`, content)
const file = (content: string, name = 'photos') => disposed(`name="${name}"; filename="a.jpg"`, content)
const END = '--xyz--\r\n'

describe('readMultipart', () => {
  it.each<[what: string, text: string, files: string[], others: string[]]>([
    ['one file', file('abc') + END, ['abc'], []],
    ['text before and behind', `hello\r\n--xy\r\n${file('abc')}${END}bye\r\n--xyz\r\n`, ['abc'], []],
    ['spaces behind boundaries', `${file('abc').replace('--xyz', '--xyz \t')}--xyz-- \r\n`, ['abc'], []],
    [
      'a picture without a file name',
      part('content-disposition: form-data; name=a\r\ncontent-type: IMAGE/png', 'abc') + END,
      ['abc'],
      [],
    ],
    ['a picture without a name', part('Content-Type: image/png', 'abc') + END, ['abc'], []],
    ['a file name in UTF-8', disposed(`filename*=UTF-8''a.jpg`, 'abc') + END, ['abc'], []],
    ['no file chosen', disposed('name="photos"; filename=""', '') + END, [], ['photos']],
    ['a file with an empty name', disposed('name="photos"; filename=""', 'abc') + END, ['abc'], []],
    ['no parts', END, [], []],
  ])('%s', async (_, text, files, others) => {
    for (const size of [undefined, 1, 2, 3, 7, 64])
      expect(await read(text, TYPE, size)).toEqual({ files, others })
  })

  const NO_NAME = 'a part has neither a name nor a file'
  const [NO_BOUNDARY, NO_PART, TOO_EARLY] = [
    'its Content-Type names no boundary',
    'it has no part',
    'it ends too early',
  ]
  const LONG_NAME = 'the name of a part has at most 255 characters'
  const LONG_HEADERS = 'the headers of a part have at most 8192 bytes'

  it.each<[reason: string, text: string, type?: string]>([
    [NO_BOUNDARY, file('abc') + END, 'multipart/form-data'],
    [NO_BOUNDARY, file('abc') + END, 'multipart/form-data; boundary=""'],
    [
      'a boundary has at most 70 characters',
      file('abc') + END,
      `multipart/form-data; boundary=${'x'.repeat(71)}`,
    ],
    [NO_PART, ''],
    [NO_PART, '{"photos":[]}'],
    [NO_PART, file('abc') + END, 'multipart/form-data; boundary=other'],
    [TOO_EARLY, '--xyz'],
    [TOO_EARLY, '--xyz\r\n'],
    [TOO_EARLY, '--xyz\r\nContent-Disposition: form-data; name="a"'],
    [TOO_EARLY, file('abc')],
    [TOO_EARLY, `${file('abc')}--xyz\r\n`],
    [NO_NAME, '--xyz\r\n\r\nx\r\n--xyz--'],
    ['a boundary is not followed by a new line', '--xyzzy\r\n\r\n'],
    [NO_NAME, part('Content-Disposition: form-data', 'x') + END],
    [NO_NAME, part('X: y', 'x') + END],
    [LONG_HEADERS, part(`X: ${'y'.repeat(8192)}`, 'x') + END],
    [LONG_HEADERS, part('X: y\r\n'.repeat(2000), 'x') + END],
    [LONG_NAME, file('x', 'n'.repeat(256)) + END],
    [LONG_NAME, file('x', '\\"'.repeat(256)) + END],
  ])('refuses what makes no sense: %s (%#)', async (reason, text, type) => {
    for (const size of [undefined, 1, 5]) {
      await expect(read(text, type, size)).rejects.toMatchObject({
        status: 400,
        message: `Invalid form body: ${reason}`,
      })
    }
  })

  it('refuses more than a thousand parts', async () => {
    expect((await read(file('').repeat(1000) + END)).files).toHaveLength(1000)
    await expect(read(file('').repeat(1001) + END)).rejects.toMatchObject({
      status: 413,
      message: 'Body too large: at most 1000 parts are accepted',
    })
  })

  it('keeps the first 20 names of parts that are no files, each once', async () => {
    const names = Array.from({ length: 999 }, (_, index) => `${index}`.padEnd(255, 'x'))
    const text = ['0'.padEnd(255, 'x'), ...names].map((name) => disposed(`name="${name}"`, 'y'))
    expect((await read(text.join('') + END)).others).toEqual(names.slice(0, 20))
  })

  it('reads the headers of a part at once, however many lines they are', async () => {
    const concat = vi.spyOn(Buffer, 'concat')
    try {
      const headers = `${'a:b\r\n'.repeat(1500)}Content-Disposition: form-data; name="note"`
      expect((await read(part(headers, 'x') + END)).others).toEqual(['note'])
      expect(concat.mock.calls.length).toBeLessThan(10)
    } finally {
      concat.mockRestore()
    }
  })

  it.each<[what: string, text: string]>([
    ['that makes sense', file('abc') + END],
    ['that makes none', `--xyzzy\r\n${'x'.repeat(1000)}`],
    ['of too many parts', file('').repeat(1002) + END],
  ])('lets go of a body %s', async (_, text) => {
    let isReleased = false
    async function* released() {
      try {
        yield* inChunks(latin1(text), 50)
      } finally {
        isReleased = true
      }
    }
    await readMultipart(released(), TYPE, 0).catch(() => undefined)
    expect(isReleased).toBe(true)
  })

  it('returns each file in its own buffer, whatever length was declared', async () => {
    const sizes = [0, 10, 70_000, 300_000, 1]
    const bytes = latin1(sizes.map((size) => file('x'.repeat(size))).join('') + END)
    for (const length of [0, 5, bytes.length, bytes.length * 2]) {
      const { files } = await readMultipart(inChunks(bytes, 65_536), TYPE, length)
      expect(files.map((content) => content.length)).toEqual(sizes)
      expect(new Set(files.map(({ buffer }) => buffer)).size).toBe(sizes.length)
      for (const content of files)
        expect(content.buffer.byteLength - content.length).toBeLessThanOrEqual(65_536)
    }
  })

  it('finds what was put in, and refuses or reads whatever becomes of it, however it is cut', async () => {
    const boundary = fc.string({ unit: fc.constantFrom(...`-xy'()+_,./:=?`), minLength: 1, maxLength: 70 })
    const forms = boundary.chain((mark) =>
      fc.record({ mark: fc.constant(mark), parts: fc.array(partWithin(mark), { maxLength: 5 }) }),
    )
    const sizes = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 4 })
    const property = fc.asyncProperty(
      forms,
      sizes,
      fc.array(DAMAGE, { maxLength: 5 }),
      async (form, cuts, damages) => {
        const { mark, parts } = form
        const type = `multipart/form-data; boundary="${mark}"`
        const texts = parts.map(({ headers, content }) => `--${mark}\r\n${headers}\r\n\r\n${content}\r\n`)
        const text = `${texts.join('')}--${mark}--`
        const contents = parts.filter(({ isFile }) => isFile).map(({ content }) => content)
        expect(await outcome(text, type, cuts)).toEqual({
          files: contents,
          others: parts.every(({ isFile }) => isFile) ? [] : ['a'],
        })
        const damaged = damages.reduce(damage, text)
        const found = await outcome(damaged, type, cuts)
        for (const others of [[1], [100_000]]) expect(await outcome(damaged, type, others)).toEqual(found)
      },
    )
    await fc.assert(property, { numRuns: 200 })
  })
})

describe('the hash of a form', () => {
  /** A part as the hash must distinguish it, and how it may be written in a body. */
  const entry = fc.record({
    name: fc.constantFrom('a', 'b', 'a","b'),
    type: fc.constantFrom('', 'image/png', 'text/plain'),
    content: fc.constantFrom('', 'x', 'y', '\r\n--', 'x\n'),
    isFile: fc.boolean(),
  })
  const look = fc.record({
    boundary: fc.stringMatching(/^[0-9a-f]{5,60}$/),
    fileName: fc.constantFrom('a.jpg', 'other.png', 'ά'),
    isTurned: fc.boolean(),
    before: fc.constantFrom('', 'hello\r\n'),
    after: fc.constantFrom('', '\r\nbye'),
    size: fc.integer({ min: 1, max: 200 }),
  })
  type Entry = typeof entry extends fc.Arbitrary<infer T> ? T : never
  type Look = typeof look extends fc.Arbitrary<infer T> ? T : never

  async function hashOf(entries: Entry[], { boundary, fileName, isTurned, before, after, size }: Look) {
    const parts = entries.map(({ name, type, content, isFile }) => {
      const quoted = name.replaceAll('"', '\\"')
      const headers = [
        `Content-Disposition: form-data; name="${quoted}"${isFile ? `; filename="${fileName}"` : ''}`,
        ...(type ? [`content-type: ${isTurned ? type.toUpperCase() : type}`] : []),
      ]
      return `--${boundary}\r\n${(isTurned ? headers.toReversed() : headers).join('\r\n')}\r\n\r\n${content}\r\n`
    })
    const bytes = Buffer.from(`${before}${parts.join('')}--${boundary}--${after}`)
    const hash = createHash('sha256')
    await readMultipart(
      inChunks(bytes, size),
      `multipart/form-data; boundary=${boundary}`,
      bytes.length,
      hash,
    )
    return hash.digest('hex')
  }

  it('is the same for the same parts, whatever is between and around them', async () => {
    const property = fc.asyncProperty(
      fc.array(entry, { maxLength: 5 }),
      look,
      look,
      async (parts, one, other) => {
        expect(await hashOf(parts, one)).toBe(await hashOf(parts, other))
      },
    )
    await fc.assert(property, { numRuns: 200 })
  })

  it('is another for other parts, or in another order', async () => {
    const parts = fc.array(entry, { maxLength: 3 })
    /** A picture is a file with or without a file name. */
    const meaning = (entries: Entry[]) =>
      JSON.stringify(entries.map((part) => ({ ...part, isFile: part.isFile || part.type === 'image/png' })))
    const property = fc.asyncProperty(parts, parts, look, async (some, others, form) => {
      const isSame = (await hashOf(some, form)) === (await hashOf(others, form))
      expect(isSame).toBe(meaning(some) === meaning(others))
    })
    await fc.assert(property, { numRuns: 300 })
  })
})

/** A part whose content is as much like a boundary as it may be. */
function partWithin(mark: string) {
  const pieces = [
    '\r',
    '\n',
    '\r\n',
    '--',
    mark,
    mark.slice(1),
    `--${mark.slice(0, -1)}`,
    `\r\n--${mark.slice(0, -1)}`,
  ]
  const content = fc
    .array(fc.constantFrom(...pieces, '\0', 'x'), { maxLength: 15 })
    .map((some) => some.join(''))
    .filter((text) => !`\r\n${text}\r\n`.includes(`\r\n--${mark}`))
  const kind = fc.constantFrom(
    { headers: 'Content-Disposition: form-data; name="a"; filename="b"', isFile: true },
    { headers: 'X: y\r\nCONTENT-TYPE: image/png\r\ncontent-disposition: form-data', isFile: true },
    { headers: 'Content-Type: text/plain\r\nContent-Disposition: form-data; name=a', isFile: false },
  )
  return fc.record({ kind, content }).map((made) => ({ ...made.kind, content: made.content }))
}

/** Something that happens to a text at a place. */
const DAMAGE = fc.record({
  at: fc.nat(),
  taken: fc.nat({ max: 40 }),
  put: fc.constantFrom('', '\r', '\n', '\r\n', '-', '"', ';', '=', ':', ' ', '\xff'),
})

function damage(text: string, { at, taken, put }: { at: number; taken: number; put: string }): string {
  const place = at % (text.length || 1)
  return text.slice(0, place) + put + text.slice(place + taken)
}

/** The result, or the message of the ApiError. Throws other errors. */
async function outcome(text: string, type: string, cuts: number[]) {
  try {
    const { files, others } = await readMultipart(inChunks(latin1(text), ...cuts), type, text.length)
    return { files: files.map((file) => String.fromCharCode(...file)), others }
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return error.message
    throw error
  }
}

describe('parametersOf', () => {
  it.each<[header: string, parameters: Record<string, string>]>([
    ['form-data', {}],
    ['form-data; name="a b"; filename="c.jpg"', { name: 'a b', filename: 'c.jpg' }],
    ['form-data;NAME=a;b', { name: 'a', b: '' }],
    ['x; a="b;c=d"; e=f', { a: 'b;c=d', e: 'f' }],
    [String.raw`x; a="b\"c\\d"; e = f `, { a: String.raw`b"c\\d`, e: 'f' }],
    ['x; a="b', { a: 'b' }],
    ['x; a=1; a=2', { a: '1' }],
    ['x;', {}],
    ['x; __proto__=1', { ['__proto__']: '1' }],
  ])('%s', (header, parameters) => {
    expect([...parseParameters(header)]).toEqual(Object.entries(parameters))
  })
})
