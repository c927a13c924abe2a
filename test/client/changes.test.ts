import { describe, expect, it } from 'vitest'
import { type Change, readChanges } from '../../src/client/changes.ts'
import { createClient, EstiaError } from '../../src/client/index.ts'

const change = (id: number): Change => ({ cursor: `c${id}`, resource: 'matches', id }) as Change

/** Follows a feed that answers `pages`, and notes what it is asked. */
function follow(pages: [ids: number[], next: string, more: boolean][]) {
  const asked: object[] = []
  const get = (init: object) => {
    asked.push(init)
    const [ids, next, more] = pages[asked.length - 1] ?? []
    return Promise.resolve({ status: 200, data: ids?.map(change), next, more })
  }
  return { asked, get }
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

describe('changes', () => {
  it('gives every page, each with the cursor behind it, until there is no more', async () => {
    const { asked, get } = follow([
      [[1, 2], 'c2', true],
      [[], 'c5', true],
      [[6], 'c7', false],
    ])
    const signal = new AbortController().signal
    const wanted = { after: 'c0', resources: ['matches', 'matches'] as const, limit: 2, signal }
    expect(await collect(readChanges(get, wanted))).toEqual([
      { changes: [change(1), change(2)], next: 'c2' },
      { changes: [], next: 'c5' },
      { changes: [change(6)], next: 'c7' },
    ])
    const query = { resources: 'matches,matches', limit: 2 }
    expect(asked).toEqual(['c0', 'c2', 'c5'].map((after) => ({ signal, query: { ...query, after } })))
  })

  it('gives a page even when nothing changed, from the beginning too', async () => {
    const { asked, get } = follow([[[], 'c0', false]])
    expect(await collect(readChanges(get))).toEqual([{ changes: [], next: 'c0' }])
    expect(await collect(readChanges(follow([[[], 'c0', false]]).get, { after: null }))).toHaveLength(1)
    expect(asked).toEqual([{ query: { after: undefined, resources: undefined, limit: undefined } }])
  })

  it('the client does not read ahead of the page that is used', async () => {
    const { asked, get } = follow([[[1], 'c1', true]])
    for await (const { next } of readChanges(get)) if (next === 'c1') break
    expect(asked).toHaveLength(1)
  })

  it('throws what tells that the cursor is too old', async () => {
    const tooOld = { status: 410, error_message: 'Cursor too old: read everything anew' }
    const urls: string[] = []
    const estia = createClient({
      baseUrl: 'https://agency.example',
      key: 'estia_',
      fetch: (request) => {
        urls.push(request.url)
        return Promise.resolve(Response.json(tooOld, { status: 410 }))
      },
    })
    const error = await collect(estia.changes({ after: 'c1' })).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(EstiaError)
    expect(error).toMatchObject({ status: 410, message: tooOld.error_message })
    expect(urls).toEqual(['https://agency.example/api/changes?after=c1'])
  })
})
