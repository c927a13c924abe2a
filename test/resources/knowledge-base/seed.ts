/** A small knowledge base, and short ways to read it. */
import { get, importRecords } from '../../support/api.ts'
import { importLine } from '../../support/transfer.ts'

/** Two files of article 1, the second elsewhere. */
const FILES = [
  {
    id: 11,
    original_name: 'Οδηγός αγοράς.pdf',
    mime_type: 'application/pdf',
    size: 1234,
    url: 'files/0123456789abcdef0123456789abcdef.pdf',
    date_created: '2024-01-02 10:00:00',
  },
  {
    id: 12,
    original_name: 'link',
    mime_type: null,
    size: 0,
    url: 'https://elsewhere.example/φ.txt',
    date_created: '2024-01-03 10:00:00',
  },
] as const

const ARTICLE = {
  id: 1,
  title: 'Φόρος μεταβίβασης: 100% _Οδηγός_',
  category_id: 2,
  created_by: 2,
  date_created: '2024-01-01 10:00:00',
  date_updated: '2024-06-01 10:00:00',
  views: 7,
  content: '<p onclick="x()">Γεια σου 🏠</p>',
  files: FILES,
}

export const CATEGORIES = [
  { id: 1, name: 'Νομικά', description: 'Τίτλοι', icon: 'fa-scale', color: '#7c3aed', is_active: true },
  { id: 2, name: 'Φορολογία', description: null, icon: '', color: '#D97', is_active: true },
  { id: 3, name: 'Αρχείο', description: null, icon: 'fa-box', color: '#6b7280', is_active: false },
]

/** Users 1 and 2, `CATEGORIES`, `ARTICLE`, and bare articles 2 (category 1) and 3 (the inactive category). */
export async function seedKnowledgeBase(): Promise<void> {
  await importRecords([
    ['users', { id: 1, name: 'User One' }],
    ['users', { id: 2, name: 'User Two' }],
    ...CATEGORIES.map((data): [string, Record<string, unknown>] => ['knowledge_base_categories', data]),
    ['knowledge_base_articles', ARTICLE],
    [
      'knowledge_base_articles',
      { id: 2, title: 'Élan vital', category_id: 1, created_by: 1, date_created: '2024-02-01 00:00:00' },
    ],
    [
      'knowledge_base_articles',
      { id: 3, title: 'ΠΑΛΙΟΣ ΟΔΗΓΟΣ', category_id: 3, created_by: 1, date_created: '2024-03-01 23:59:59' },
    ],
  ])
}

/** An article as the API reads it back. */
export async function readArticle(id: number) {
  return (await get(`/api/knowledge-base/articles/${id}`)).body.data
}

/** Imports one article; the reason when it is refused. */
export function importArticle(data: Record<string, unknown>): Promise<string | null> {
  return importLine('knowledge_base_articles', data)
}
