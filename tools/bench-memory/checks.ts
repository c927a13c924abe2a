/** Whether a call did what it was to do: a refusal takes little memory. */
import sharp from 'sharp'

/** The answer to a call, and a way to ask for what it made. */
export interface Answered {
  answer: Response
  get: (path: string) => Promise<Response>
}

/** Longer side of a photo that was fitted. */
const FITTED = 1920

/** Checks that `count` photos were stored, and that each is a picture of the size that photos are fitted into. */
export function storesPhotos(count: number) {
  return async ({ answer, get }: Answered): Promise<void> => {
    const text = await answer.text()
    const { data } = JSON.parse(text) as { data?: { success: boolean; original_image?: string }[] }
    expect(answer.status === 200 && data?.length === count, text)
    for (const { success, original_image = '' } of data ?? []) {
      expect(success, text)
      const stored = await get(original_image)
      const { format, width, height } = await sharp(await stored.arrayBuffer()).metadata()
      expect(format === 'jpeg' && Math.max(width, height) === FITTED, `${format} of ${width} × ${height}`)
    }
  }
}

/** Checks what `check` does, unless the call was refused because too many pictures were waiting. */
export function orIsBusy(check: (answered: Answered) => Promise<void>) {
  return async (answered: Answered): Promise<void> => {
    if (answered.answer.status !== 503) return check(answered)
    expect(answered.answer.headers.get('retry-after') === '15', await answered.answer.text())
  }
}

/** Checks that the answer is a WebP. */
export async function isWebp({ answer }: Answered): Promise<void> {
  const bytes = await answer.arrayBuffer()
  const { format } = await sharp(bytes).metadata()
  expect(answer.status === 200 && format === 'webp', `${answer.status} ${format}`)
}

/** Checks that a body was read to its end: its unknown key is named. */
export async function ignoresNote({ answer }: Answered): Promise<void> {
  const text = await answer.text()
  expect(answer.status === 200 && answer.headers.get('x-ignored-fields') === 'note', text)
}

/** Checks that an export has `count` listings and came to its end. Keeps nothing of it. */
export function doesExport(count: number) {
  return async ({ answer }: Answered): Promise<void> => {
    const { found, rest } = await countLines(answer, '{"entity":"listings"')
    expect(answer.ok && rest === '' && found === count, `${found} listings, then ${rest.slice(0, 100)}`)
  }
}

/** Checks that a Kyero feed has at least `count` properties and came to its end. Keeps nothing of it. */
export function doesFeed(count: number) {
  return async ({ answer }: Answered): Promise<void> => {
    const { found, last, rest } = await countLines(answer, '<property>')
    const isWhole = answer.ok && last === '</root>' && rest === ''
    expect(isWhole && found >= count, `${found} properties, then ${rest.slice(0, 100)}`)
  }
}

/** How many lines of a body begin so, its last line, and what is behind that. */
async function countLines({ body }: Response, start: string) {
  let [found, last, rest] = [0, '', '']
  for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const lines = (rest + part).split('\n')
    rest = lines.pop() ?? ''
    last = lines.at(-1) ?? last
    found += lines.filter((line) => line.startsWith(start)).length
  }
  return { found, last, rest }
}

function expect(isDone: boolean, message: string): void {
  if (!isDone) throw new Error(message.slice(0, 200))
}
