import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  call,
  expectData,
  expectError,
  expectInvalid,
  get,
  keyWith,
  ORIGIN,
  query,
} from '../../support/api.ts'
import { execute, selectAll } from '../../support/database.ts'
import { expectOnePage, found, idsOf } from '../../support/reads.ts'
import { ARTICLE, CATEGORIES, FILES, readArticle, seedKnowledgeBase } from './seed.ts'

beforeAll(seedKnowledgeBase)

const ARTICLES = '/api/knowledge-base/articles'
const active = ({ is_active, ...category }: (typeof CATEGORIES)[number]) => category

describe('GET /api/knowledge-base/articles', () => {
  it('answers the list form, newest first', async () => {
    const { content, files, ...listed } = ARTICLE
    await expectOnePage(ARTICLES, [
      {
        id: 3,
        title: 'ΠΑΛΙΟΣ ΟΔΗΓΟΣ',
        category_id: 3,
        created_by: 1,
        date_created: '2024-03-01 23:59:59',
        date_updated: null,
        views: 0,
      },
      {
        id: 2,
        title: 'Élan vital',
        category_id: 1,
        created_by: 1,
        date_created: '2024-02-01 00:00:00',
        date_updated: null,
        views: 0,
      },
      listed,
    ])
  })

  it('answers the single form with fields=all', async () => {
    const { body } = await get(`${ARTICLES}?fields=all&category_id=2`)
    expect(body.data).toEqual([await readArticle(1)])
    expect(body.total_results).toBe(1)
  })

  it.each<[Record<string, unknown>, number[]]>([
    [{ category_id: 1 }, [2]],
    [{ category_id: 3 }, [3]],
    [{ category_id: 99 }, []],
    [{ search: 'φορος' }, [1]],
    [{ search: 'ΦΌΡΟΣ ΜΕΤΑΒΊΒΑΣΗΣ' }, [1]],
    [{ search: 'ΟΔΗΓΟΣ' }, [3, 1]],
    [{ search: 'οδηγός' }, [3, 1]],
    [{ search: 'οδηγοσ_' }, [1]],
    [{ search: 'ELAN' }, [2]],
    [{ search: 'élan v' }, [2]],
    [{ search: '%' }, [1]],
    [{ search: '_' }, [1]],
    [{ search: '0% _' }, [1]],
    [{ search: 'έ' }, [1]],
    [{ search: 'φ%ρος' }, []],
    [{ search: 'φ_ρος' }, []],
    [{ search: 'Γεια' }, []],
    [{ search: `${'x'.repeat(300)}%` }, []],
    [{ search: ' ' }, [3, 2, 1]],
    [{ search: null, category_id: null }, [3, 2, 1]],
    [{ search: 'οδηγος', category_id: 2 }, [1]],
    [{ date_created: { min: '2024-02-01', max: '2024-03-01' } }, [3, 2]],
    [{ date_created: { min: '2024-02-01 00:00:01' } }, [3]],
    [{ date_created: { max: '2024-01-31' }, search: 'φορος' }, [1]],
  ])('%j → %j', async (filters, ids) => {
    expect(await found(ARTICLES, filters)).toEqual(ids)
  })

  it('takes filters as query parameters', async () => {
    const { body } = await get(
      `${ARTICLES}?search=${encodeURIComponent('οδηγός')}&date_created[min]=2024-03-01`,
    )
    expect(idsOf(body)).toEqual([3])
    expect((await get(`${ARTICLES}?search=100`)).body.total_results).toBe(1)
  })

  it.each<[Record<string, unknown>, string]>([
    [{ category_id: 'legal' }, 'Invalid category_id: must be an integer'],
    [{ category_id: [1] }, 'Invalid category_id: must be an integer'],
    [{ search: 5 }, 'Invalid search: must be text'],
    [{ search: 'a\0' }, 'Invalid search: must not contain NUL or broken Unicode'],
    [{ date_created: {} }, 'Invalid date_created: must have min, max or both'],
    [{ page: -1 }, 'Invalid page: must be at least 1'],
    [{ fields: 'content' }, 'Invalid fields: must be one of all'],
  ])('%j → 400', (filters, message) => expectInvalid(query(ARTICLES, filters), message))

  it('needs the scope knowledge-base:read', async () => {
    expect((await get(ARTICLES, { key: await keyWith('knowledge-base:write') })).status).toBe(403)
    expect((await get(ARTICLES, { key: await keyWith('knowledge-base:read') })).status).toBe(200)
    expect((await get(ARTICLES, { key: null })).status).toBe(401)
    expect((await call('POST', ARTICLES, { body: {} })).status).toBe(405)
  })

  it('finds by indexes', async () => {
    for (const where of ['category_id = 1', "instr(title_search, 'x') > 0", 'date_created > 1']) {
      const results = await selectAll(
        `explain query plan select count(*) from knowledge_base_articles where ${where}`,
      )
      expect(String(results[0]?.detail), where).toContain('USING COVERING INDEX')
    }
  })

  it('pages by 50', async () => {
    await execute(
      `insert into knowledge_base_articles
        (title, title_search, category_id, created_by, date_created)
      select 'Many', 'many', 1, 1, '2001-01-01 00:00:00' from json_each(?)`,
      JSON.stringify(Array.from({ length: 51 }, (_, index) => index)),
    )
    const replies = await Promise.all([1, 2, 3].map((page) => query(ARTICLES, { page, search: 'MANY' })))
    expect(replies.map(({ body }) => body.data.length)).toEqual([50, 1, 0])
    for (const { body } of replies) expect(body).toMatchObject({ total_pages: 2, total_results: 51 })
    await env.DB.exec("delete from knowledge_base_articles where title = 'Many'")
  })
})

describe('GET /api/knowledge-base/articles/{id}', () => {
  it('answers the single form, and counts no view', async () => {
    const data = {
      ...ARTICLE,
      category_name: 'Φορολογία',
      files: [{ ...FILES[0], url: `${ORIGIN}/${FILES[0].url}` }, FILES[1]],
    }
    for (const path of ['1', '1/', '1?fields=all']) {
      await expectData(get(`${ARTICLES}/${path}`), data)
    }
    expect(await readArticle(2)).toMatchObject({ content: null, files: [], date_updated: null })
    // Of an inactive category, too.
    expect(await readArticle(3)).toMatchObject({ id: 3, category_name: 'Αρχείο' })
  })

  it.each(['0', '-1', '999', '1.5', 'abc'])('%s → 404', (id) =>
    expectError(get(`${ARTICLES}/${id}`), 404, 'Article not found'),
  )
})

describe('GET /api/knowledge-base/categories', () => {
  it('answers the active ones', async () => {
    await expectData(get('/api/knowledge-base/categories'), CATEGORIES.slice(0, 2).map(active))
    expect((await get('/api/knowledge-base/categories?fields=all')).body.data).toEqual(CATEGORIES.slice(0, 2))
  })

  it('answers any by its id', async () => {
    for (const category of CATEGORIES) {
      const path = `/api/knowledge-base/categories/${category.id}`
      await expectData(get(path), active(category))
      await expectData(get(`${path}?fields=all`), category)
    }
  })

  it.each(['0', '99', 'abc'])('%s → 404', (id) =>
    expectError(get(`/api/knowledge-base/categories/${id}`), 404, 'Category not found'),
  )
})
