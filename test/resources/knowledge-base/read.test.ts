import { beforeAll, describe, expect, it } from 'vitest'
import { expectData, get } from '../../support/api.ts'
import { found, idsOf } from '../../support/reads.ts'
import { CATEGORIES, readArticle, seedKnowledgeBase } from './seed.ts'

beforeAll(seedKnowledgeBase)

const ARTICLES = '/api/knowledge-base/articles'
const active = ({ is_active, ...category }: (typeof CATEGORIES)[number]) => category

describe('GET /api/knowledge-base/articles', () => {
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
  it('counts no view, and names an inactive category', async () => {
    expect(await readArticle(3)).toMatchObject({ id: 3, category_name: 'Αρχείο', views: 0 })
    expect(await readArticle(3)).toMatchObject({ views: 0 })
  })
})

describe('GET /api/knowledge-base/categories', () => {
  it('answers the active ones', async () => {
    await expectData(get('/api/knowledge-base/categories'), CATEGORIES.slice(0, 2).map(active))
    expect((await get('/api/knowledge-base/categories?fields=all')).body.data).toEqual(CATEGORIES.slice(0, 2))
  })
})
