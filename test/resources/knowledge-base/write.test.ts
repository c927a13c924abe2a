/** Articles and categories: calls, and import of articles. */
import { beforeAll, describe, expect, it } from 'vitest'
import { expectData, expectError, get, post, put, remove } from '../../support/api.ts'
import { selectAll, selectFirst } from '../../support/database.ts'
import { entriesOf } from '../../support/trail.ts'
import { importLines } from '../../support/transfer.ts'
import { importArticle, readArticle, CATEGORIES as SEEDED, seedKnowledgeBase } from './seed.ts'

beforeAll(seedKnowledgeBase)

const ARTICLES = '/office/knowledge-base/articles'
const CATEGORIES = '/office/knowledge-base/categories'

const create = async (path: string, body: object): Promise<number> => (await post(path, body)).body.created_id
const change = (resource: string, id: number) =>
  selectFirst<{ change: string }>('select change from changes where resource = ? and id = ?', resource, id)

describe('GET /api/knowledge-base/articles/{id}', () => {
  it('counts no view, and names an inactive category', async () => {
    expect(await readArticle(3)).toMatchObject({ id: 3, category_name: 'Αρχείο', views: 0 })
    expect(await readArticle(3)).toMatchObject({ views: 0 })
  })
})

describe('GET /api/knowledge-base/categories', () => {
  it('answers the active ones', async () => {
    const active = SEEDED.slice(0, 2)
    await expectData(
      get('/api/knowledge-base/categories'),
      active.map(({ is_active, ...category }) => category),
    )
    expect((await get('/api/knowledge-base/categories?fields=all')).body.data).toEqual(active)
  })
})

describe('POST of an article', () => {
  it('stores it, and finds it by its title', async () => {
    const { status, headers, body } = await post(ARTICLES, { title: 'Νέο Άρθρο', category_id: 1 })
    const id = body.created_id
    expect({ status, body }).toEqual({ status: 200, body: { status: 200, created_id: id } })
    expect(await readArticle(id)).toMatchObject({ title: 'Νέο Άρθρο', category_name: 'Νομικά', views: 0 })
    const read = await get(`/api/knowledge-base/articles/${id}`)
    expect(headers.get('ETag')).toBe(read.headers.get('ETag'))
    const search = encodeURIComponent('νεο αρθρο')
    expect((await get(`/api/knowledge-base/articles?search=${search}`)).body.total_results).toBe(1)
  })
})

describe('DELETE of an article', () => {
  it('removes it with its files, says so in the feed, and never gives its id again', async () => {
    const id = await create(ARTICLES, { title: 'Gone', category_id: 1 })
    await importArticle({ id, files: [{ id: 900, original_name: 'a', size: 1, url: 'https://a.example/a' }] })
    expect((await remove(`${ARTICLES}/${id}`)).body).toEqual({ status: 200, deleted_id: id })
    await expectError(get(`/api/knowledge-base/articles/${id}`), 404, 'Article not found')
    await expectError(remove(`${ARTICLES}/${id}`), 404, 'Article not found')
    expect(await selectAll('select id from knowledge_base_files where article_id = ?', id)).toEqual([])
    expect(await change('knowledge-base/articles', id)).toEqual({ change: 'deleted' })
    expect(await create(ARTICLES, { title: 'Next', category_id: 1 })).toBe(id + 1)
  })
})

describe('categories', () => {
  it('tell the articles that show their name of a new one', async () => {
    const id = await create(CATEGORIES, { name: 'Before', color: '#fff' })
    const article = await create(ARTICLES, { title: 'Shows', category_id: id })
    const cursor = async () =>
      (
        await selectFirst<{ cursor: number }>(
          "select cursor from changes where resource = 'knowledge-base/articles' and id = ?",
          article,
        )
      )?.cursor ?? 0
    const before = await cursor()
    await put(`${CATEGORIES}/${id}`, { name: 'After' })
    expect(await cursor()).toBeGreaterThan(before)
    expect(await readArticle(article)).toMatchObject({ category_name: 'After' })
  })

  it('stay while articles are in them', async () => {
    const id = await create(CATEGORIES, { name: 'Used', color: '#fff' })
    const first = await create(ARTICLES, { title: '1', category_id: id })
    const second = await create(ARTICLES, { title: '2', category_id: id })
    const { headers } = await get(`/api/knowledge-base/categories/${id}`)
    await expectError(remove(`${CATEGORIES}/${id}`), 409, 'Category is used by 2 articles')
    await remove(`${ARTICLES}/${first}`)
    await expectError(remove(`${CATEGORIES}/${id}`), 409, 'Category is used by 1 article')
    // A refused call changes nothing: the tag is that of before.
    expect((await get(`/api/knowledge-base/categories/${id}`)).headers.get('ETag')).toBe(headers.get('ETag'))
    expect(await entriesOf('knowledge-base/categories', id)).toHaveLength(1)
    await put(`${ARTICLES}/${second}`, { category_id: 1 })
    expect((await remove(`${CATEGORIES}/${id}`)).body).toEqual({ status: 200, deleted_id: id })
    expect(await change('knowledge-base/categories', id)).toEqual({ change: 'deleted' })
    await expectError(remove(`${CATEGORIES}/${id}`), 404, 'Category not found')
    expect(await create(CATEGORIES, { name: 'Next', color: '#fff' })).toBe(id + 1)
  })

  it('are in use or gone, whatever comes first', async () => {
    for (let round = 0; round < 8; round++) {
      const id = await create(CATEGORIES, { name: 'Race', color: '#fff' })
      const [made, removed] = await Promise.all([
        post(ARTICLES, { title: 'Race', category_id: id }),
        remove(`${CATEGORIES}/${id}`),
      ])
      const outcome = [made.status, removed.status]
      expect([
        [200, 409],
        [400, 200],
      ]).toContainEqual(outcome)
      if (made.status === 400) expect(made.body.error_message).toBe(`Unknown category_id ${id}`)
      const orphans =
        'select 1 from knowledge_base_articles where category_id not in (select id from knowledge_base_categories)'
      expect(await selectAll(orphans)).toEqual([])
    }
  })
})

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
    await importArticle({ id: 113, ...bare, files: [file(131)] })
    const refused = 'Invalid files: id 131 belongs to another record, 113'
    expect(await importArticle({ id: 114, ...bare, files: [file(131)] })).toBe(refused)
  })

  it('replaces the files whole, in the order of their ids', async () => {
    await importArticle({ id: 112, ...bare, files: [file(122), file(121)] })
    expect(idsOf(await readArticle(112))).toEqual([121, 122])
    await importArticle({ id: 112, ...bare, files: [file(123), file(122, { size: 5 })] })
    expect((await readArticle(112)).files).toEqual([file(122, { size: 5 }), file(123)])
    await importArticle({ id: 112, ...bare, files: [] })
    expect(await readArticle(112)).toMatchObject({ files: [] })
  })

  it.each([
    [{}, 'merge', 0],
    [{ views: 7 }, 'merge', 7],
    [{}, 'merge', 7],
    [{}, 'replace', 7],
    [{ views: null }, 'merge', 0],
  ])('with %j in mode=%s leaves %i views, one after the other', async (views, mode, left) => {
    await importLines('knowledge_base_articles', [{ id: 116, ...bare, ...views }], mode)
    expect(await readArticle(116)).toMatchObject({ views: left })
  })
})
