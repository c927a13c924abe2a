import { beforeAll, describe, expect, it } from 'vitest'
import { expectError, get, post, put, remove } from '../../support/api.ts'
import { selectAll, selectFirst } from '../../support/database.ts'
import { importArticle, readArticle, seedKnowledgeBase } from './seed.ts'

beforeAll(seedKnowledgeBase)

const ARTICLES = '/office/knowledge-base/articles'
const CATEGORIES = '/office/knowledge-base/categories'
const DATE = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)

const create = async (path: string, body: object): Promise<number> => (await post(path, body)).body.created_id
const change = (resource: string, id: number) =>
  selectFirst<{ change: string }>('select change from changes where resource = ? and id = ?', resource, id)
const trail = (resource: string, id: number) =>
  selectAll(
    `select method, route, version, changed, others from trail
    where resource = ? and record_id = ? and others is not null order by id`,
    resource,
    String(id),
  )

describe('POST of an article', () => {
  it('stores it, finds it by its title, and enters it in feed and trail', async () => {
    const { status, headers, body } = await post(ARTICLES, { title: 'Νέο Άρθρο', category_id: 1 })
    const id = body.created_id
    expect({ status, body }).toEqual({ status: 200, body: { status: 200, created_id: id } })
    expect(await readArticle(id)).toEqual({
      id,
      title: 'Νέο Άρθρο',
      category_id: 1,
      created_by: 1,
      date_created: DATE,
      date_updated: null,
      views: 0,
      content: null,
      category_name: 'Νομικά',
      files: [],
    })
    const read = await get(`/api/knowledge-base/articles/${id}`)
    expect(headers.get('ETag')).toBe(read.headers.get('ETag'))
    const search = encodeURIComponent('νεο αρθρο')
    expect((await get(`/api/knowledge-base/articles?search=${search}`)).body.total_results).toBe(1)
    expect(await change('knowledge-base/articles', id)).toEqual({ change: 'changed' })
    expect(await trail('knowledge-base/articles', id)).toEqual([
      { method: 'POST', route: ARTICLES, version: 1, changed: null, others: '[]' },
    ])
  })
})

describe('DELETE of an article', () => {
  it('removes it with its files, says so in feed and trail, and never gives its id again', async () => {
    const id = await create(ARTICLES, { title: 'Gone', category_id: 1 })
    await importArticle({ id, files: [{ id: 900, original_name: 'a', size: 1, url: 'https://a.example/a' }] })
    expect((await remove(`${ARTICLES}/${id}`)).body).toEqual({ status: 200, deleted_id: id })
    await expectError(get(`/api/knowledge-base/articles/${id}`), 404, 'Article not found')
    await expectError(remove(`${ARTICLES}/${id}`), 404, 'Article not found')
    expect(await selectAll('select id from knowledge_base_files where article_id = ?', id)).toEqual([])
    expect(await change('knowledge-base/articles', id)).toEqual({ change: 'deleted' })
    expect((await trail('knowledge-base/articles', id)).at(-1)).toEqual({
      method: 'DELETE',
      route: `${ARTICLES}/{id}`,
      version: 3,
      changed: '{"is_deleted":[false,true]}',
      others: '[]',
    })
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
    expect(await trail('knowledge-base/categories', id)).toHaveLength(1)
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
