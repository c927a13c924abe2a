/** Sends the lines of a file, from any line on, and adds up what the service says of them. */
import type { Posted } from '../../admin.ts'
import { call } from '../../call.ts'
import { type Portion, portionFrom, portionsOf } from '../../portions.ts'

type Answer = Posted<'/admin/import'>['data']

/** How lines are imported. */
export interface Options {
  isDryRun: boolean
  isStrict: boolean
  fetchesPhotos: boolean
}

/** What became of a file so far. */
export interface Progress extends Answer, Options {
  /** The line to go on from. */
  next: number
  /** From 0 to 1. */
  share: number
}

/** Refused lines, warnings and ignored lines that are shown. */
export const MAX_SHOWN = 100

export const noProgress = (options: Options): Progress => ({
  ...options,
  ...{ accepted: 0, rejected: 0, errors: [], warnings: [], ignored: [], next: 1, share: 0 },
})

/** Sends the lines from `done.next` on. When it throws, `done` is as far as the service has answered. */
export async function sendFile(file: Blob, done: Progress, onProgress: () => void): Promise<void> {
  for await (const portion of portionsOf(file)) {
    const skipped = done.next - portion.firstLine
    for (let rest = skipped > 0 ? portionFrom(portion, skipped + 1) : portion; rest.text.trim() !== ''; ) {
      rest = await send(rest, done)
      done.next = rest.firstLine
      onProgress()
    }
    done.share = portion.share
  }
  onProgress()
}

/** Sends a portion. Returns the lines that the service has not looked at. */
async function send(portion: Portion, done: Progress): Promise<Portion> {
  const { firstLine, text } = portion
  const query = new URLSearchParams({
    ...(done.isDryRun ? { dry_run: 'true' } : {}),
    ...(done.isStrict ? { strict: 'true' } : {}),
    ...(done.fetchesPhotos ? { photos: 'fetch' } : {}),
  })
  const raw = { type: 'application/x-ndjson', text }
  const { data } = await call<{ data: Answer }>('POST', `/admin/import?${query}`, { raw })
  const added = <One extends { line: number }>(shown: One[], more: One[]) =>
    [...shown, ...more.map((one) => ({ ...one, line: one.line + firstLine - 1 }))].slice(0, MAX_SHOWN)
  done.accepted += data.accepted
  done.rejected += data.rejected
  done.errors = added(done.errors, data.errors)
  done.warnings = added(done.warnings, data.warnings)
  done.ignored = added(done.ignored, data.ignored)
  return portionFrom(portion, data.next ?? text.split('\n').length + 1)
}
