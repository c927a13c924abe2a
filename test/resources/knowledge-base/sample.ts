/** Records of the knowledge base that tests of all resources use. */
import { dates, OLD } from '../../support/factories/dates.ts'
import type { Samples } from '../../support/factories/samples.ts'

export const samples: Samples = {
  knowledge_base_categories: {
    smallest: { name: 'C', icon: 'i', color: '#fff', is_active: true },
    whole: { id: 50, name: 'How', description: 'D', icon: 'i', color: '#123456', is_active: true },
    change: { description: null },
    create: { name: 'C', color: '#fff' },
  },
  knowledge_base_articles: {
    smallest: { title: 'T', category_id: 1, created_by: 1, content: '' },
    whole: {
      id: 50,
      title: 'Title',
      category_id: 50,
      content: 'C',
      views: 7,
      created_by: 1,
      ...dates,
      files: [
        { id: 50, original_name: 'a', mime_type: 'text/plain', size: 3, url: 'files/a', date_created: OLD },
      ],
    },
    change: { views: 8 },
    create: { title: 'T', category_id: 1, content: '' },
  },
}
