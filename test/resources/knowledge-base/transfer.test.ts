import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { importLines } from '../../support/transfer.ts'
import { importArticle, readArticle, seedKnowledgeBase } from './seed.ts'

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
  it('lets no article take a file of another', async () => {
    await importArticle({ id: 13, ...bare, files: [file(131)] })
    const refused = 'Invalid files: id 131 belongs to another record, 13'
    expect(await importArticle({ id: 14, ...bare, files: [file(131)] })).toBe(refused)
  })

  it('replaces the files whole, in the order of their ids', async () => {
    await importArticle({ id: 12, ...bare, files: [file(122), file(121)] })
    expect(idsOf(await readArticle(12))).toEqual([121, 122])
    await importArticle({ id: 12, ...bare, files: [file(123), file(122, { size: 5 })] })
    expect((await readArticle(12)).files).toEqual([file(122, { size: 5 }), file(123)])
    await importArticle({ id: 12, ...bare, files: [] })
    expect(await readArticle(12)).toMatchObject({ files: [] })
  })

  it.each([
    [{}, 'merge', 0],
    [{ views: 7 }, 'merge', 7],
    [{}, 'merge', 7],
    [{}, 'replace', 7],
    [{ views: null }, 'merge', 0],
  ])('with %j in mode=%s leaves %i views, one after the other', async (views, mode, left) => {
    await importLines('knowledge_base_articles', [{ id: 16, ...bare, ...views }], mode)
    expect(await readArticle(16)).toMatchObject({ views: left })
  })
})
