/** Reading the feed of changes as a client does. */
import { expect } from 'vitest'
import { type CallOptions, get } from '../../support/api.ts'

export interface Entry {
  cursor: string
  resource: string
  id: number
  change: 'changed' | 'deleted'
  date: string
}

/** One answer of the feed. */
export async function readFeed(
  options: { after?: string; resources?: string; limit?: number } = {},
  call: CallOptions = {},
): Promise<{ data: Entry[]; next: string; more: boolean }> {
  const { after, resources, limit } = options
  const query = new URLSearchParams({
    ...(after ? { after } : {}),
    ...(resources ? { resources } : {}),
    ...(limit ? { limit: String(limit) } : {}),
  })
  const { status, body } = await get(`/api/changes?${query}`, call)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

/** Where the feed ends now. */
export async function newest(): Promise<string> {
  let { next, more } = await readFeed({ limit: 1000 })
  while (more) ({ next, more } = await readFeed({ after: next, limit: 1000 }))
  return next
}

/** Every entry behind `after`, page by page, and where to go on. */
export async function follow(
  after: string | undefined,
  options: { resources?: string; limit?: number } = {},
) {
  const found: Entry[] = []
  let position = after
  for (;;) {
    const page = await readFeed({ ...options, ...(position ? { after: position } : {}) })
    found.push(...page.data)
    position = page.next
    if (!page.more) return { found, next: page.next }
  }
}

/** What `work` enters into the feed, as `resource id change`, in order. */
export async function entered(work: () => Promise<unknown>): Promise<string[]> {
  const before = await newest()
  await work()
  const { found } = await follow(before)
  return found.map(({ resource, id, change }) => `${resource} ${id} ${change}`)
}
