import { beforeAll, describe, expect, it } from 'vitest'
import { expectData, get, ORIGIN } from '../../support/api.ts'
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
})
