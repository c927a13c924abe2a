import { beforeAll, describe, expect, it } from 'vitest'
import { expectData, get } from '../../support/api.ts'
import { CATEGORIES, readArticle, seedKnowledgeBase } from './seed.ts'

beforeAll(seedKnowledgeBase)
const active = ({ is_active, ...category }: (typeof CATEGORIES)[number]) => category

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
