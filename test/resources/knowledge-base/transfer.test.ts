import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { get } from '../../support/api.ts'
import { selectFirst } from '../../support/database.ts'
import { expectSameAfterReimport, exported, importLine, importLines } from '../../support/transfer.ts'
import { empty } from '../offers/seed.ts'
import { ARTICLE, FILES, importArticle, readArticle, seedKnowledgeBase } from './seed.ts'

const ENTITIES = ['knowledge_base_categories', 'knowledge_base_articles']

beforeAll(seedKnowledgeBase)
beforeEach(() => env.DB.exec('delete from knowledge_base_files where article_id > 3'))

const bare = { title: 'New', category_id: 1, created_by: 1 }
const file = (id: number, more: Record<string, unknown> = {}) => ({
  id,
  original_name: `${id}.txt`,
  mime_type: 'text/plain',
  size: id,
  url: `https://files.example/${id}`,
  date_created: '2024-01-01 00:00:00',
  ...more,
})
const idsOf = ({ files }: { files: { id: number }[] }) => files.map(({ id }) => id)

describe('import of articles', () => {
  it('changes nothing the second time, and keeps views, dates and files that a line leaves open', async () => {
    const { views, date_created, date_updated, files, ...open } = ARTICLE
    const before = await exported(...ENTITIES)
    expect(await importArticle(ARTICLE)).toBeNull()
    expect(await importArticle(open)).toBeNull()
    expect(
      await importArticle({ ...ARTICLE, files: FILES.map(({ date_created, ...rest }) => rest) }),
    ).toBeNull()
    expect(await exported(...ENTITIES)).toEqual(before)
  })

  it('fills a new one: no views, created now, never updated', async () => {
    expect(await importArticle({ id: 10, ...bare, files: [{ ...file(101), date_created: null }] })).toBeNull()
    const { date_created, files, ...rest } = await readArticle(10)
    expect(rest).toMatchObject({ views: 0, date_updated: null, content: null })
    expect(Math.abs(Date.parse(`${date_created}Z`) - Date.now())).toBeLessThan(60_000)
    expect(files).toEqual([file(101, { date_created })])
  })

  it('finds the new title, no longer the old one', async () => {
    await importArticle({ id: 11, ...bare, title: 'Ζεύγος Ά' })
    await importArticle({ id: 11, ...bare, title: 'Ψάρι' })
    const search = async (text: string) =>
      (await get(`/api/knowledge-base/articles?search=${encodeURIComponent(text)}`)).body.total_results
    expect([await search('ζευγος'), await search('ΨΑΡΙ')]).toEqual([0, 1])
  })

  it('replaces the files whole, in the order of their ids', async () => {
    await importArticle({ id: 12, ...bare, files: [file(122), file(121)] })
    expect(idsOf(await readArticle(12))).toEqual([121, 122])
    await importArticle({ id: 12, ...bare, files: [file(123), file(122, { size: 5 })] })
    expect((await readArticle(12)).files).toEqual([file(122, { size: 5 }), file(123)])
    await importArticle({ id: 12, ...bare, files: [] })
    expect(await readArticle(12)).toMatchObject({ files: [] })
  })

  it('lets no article take a file of another, unless that gave it away above', async () => {
    await importArticle({ id: 13, ...bare, files: [file(131), file(132)] })
    const refused = 'Invalid files: id 131 belongs to another record, 13'
    expect(await importArticle({ id: 14, ...bare, files: [file(131)] })).toBe(refused)
    const send = (...lines: [number, number[]][]) =>
      importLines(
        'knowledge_base_articles',
        lines.map(([id, files]) => ({ id, ...bare, files: files.map((n) => file(n)) })),
      )
    expect(await send([14, [131]], [13, [132]])).toEqual([refused])
    expect(await send([13, [131]], [14, [131]])).toEqual([refused])
    expect(await send([13, [132]], [14, [131]])).toEqual([])
    expect([idsOf(await readArticle(13)), idsOf(await readArticle(14))]).toEqual([[132], [131]])
    expect(await send([13, [132, 131]], [14, []])).toEqual([
      'Invalid files: id 131 belongs to another record, 14',
    ])
  })

  it.each<[Record<string, unknown>, string]>([
    [{ id: undefined }, 'Missing id'],
    [{ title: '' }, 'Missing title'],
    [{ title: 'x'.repeat(256) }, 'Invalid title: must be at most 255 characters'],
    [{ category_id: 99 }, 'Unknown category_id 99'],
    [{ created_by: undefined }, 'Missing created_by'],
    [{ created_by: 99 }, 'Unknown created_by 99'],
    [{ content: 'x'.repeat(65_536) }, 'Invalid content: must be at most 65535 characters'],
    [{ views: -1 }, 'Invalid views: must be at least 0'],
    [{ date_updated: 'now' }, 'Invalid date_updated: must be a date-time, YYYY-MM-DD HH:MM:SS'],
    [{ files: 'a.pdf' }, 'Invalid files: must be an array'],
    [{ files: [{}] }, 'Missing files.0.id'],
    [{ files: [file(1, { original_name: null })] }, 'Missing files.0.original_name'],
    [{ files: [file(1, { size: -1 })] }, 'Invalid files.0.size: must be at least 0'],
    [{ files: [file(1, { url: 'x'.repeat(2001) })] }, 'Invalid files.0.url: must be at most 2000 characters'],
    [{ files: [file(1), file(1)] }, 'Invalid files: id 1 stands twice'],
  ])('refuses what is not right: %#', async (change, message) => {
    expect(await importArticle({ id: 900, ...bare, ...change })).toBe(message)
    expect(await selectFirst('select id from knowledge_base_articles where id = 900')).toBeNull()
  })

  it('keeps 65,535 Greek characters', async () => {
    const content = 'ξ'.repeat(65_535)
    expect(await importArticle({ id: 15, ...bare, content })).toBeNull()
    expect((await readArticle(15)).content).toBe(content)
  })
})

describe('import of categories', () => {
  const category = { id: 50, name: 'A', icon: 'fa-a', color: '#abc', is_active: true }
  it.each<[Record<string, unknown>, string | null]>([
    [{}, null],
    [{ description: null }, null],
    [{ name: '' }, 'Missing name'],
    [{ color: 'red' }, 'Invalid color: must be a hex colour, #rrggbb'],
    [{ is_active: 1 }, 'Invalid is_active: must be true or false'],
  ])('%j: %s', async (change, message) => {
    expect(await importLine('knowledge_base_categories', { ...category, ...change })).toBe(message)
  })
})

describe('export of the knowledge base', () => {
  it('gives what import takes, and comes back the same', async () => {
    const tables = ['files', 'articles', 'categories'].map((name) => `knowledge_base_${name}`)
    const before = await expectSameAfterReimport(ENTITIES, () => empty(...tables))
    expect(before).toContain(JSON.stringify({ entity: 'knowledge_base_articles', data: ARTICLE }))
  })
})
