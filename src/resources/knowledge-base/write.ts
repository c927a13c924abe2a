/** How articles and categories are created and updated. */
import { category } from '../../catalogue/knowledge-base.ts'
import { knowledge_base_categories } from '../../db/tables/knowledge-base.ts'
import { writesOf } from '../plain/plain-writes.ts'
import { selectCategory } from './present.ts'
import { articles } from './resource.ts'

export const articleWrites = writesOf(articles, {
  create: {
    takes: ['title', 'category_id', 'content', 'created_by'],
    optional: ['created_by'],
    description: 'Its files are added once it is stored.',
  },
  update: {
    takes: ['title', 'category_id', 'content'],
    description: 'Only the keys sent change. Null clears the content.',
  },
  decide: () => ({}),
})

export const categoryWrites = writesOf(
  {
    resource: 'knowledge-base/categories',
    table: knowledge_base_categories,
    fields: category,
    parts: {} as Record<never, never>,
    select: selectCategory,
  },
  {
    create: {
      takes: ['name', 'color', 'description', 'icon', 'is_active'],
      optional: ['is_active'],
      description: 'A category is active unless the body says otherwise.',
    },
    update: {
      takes: ['name', 'color', 'description', 'icon', 'is_active'],
      description: 'Only the keys sent change. Null clears the description and the icon.',
    },
    decide: ({ values: { icon, is_active } }, _, { current }) => ({
      set: {
        ...((icon === null || !current) && { icon: icon ?? '' }),
        ...(!current && { is_active: is_active ?? true }),
      },
    }),
  },
)
