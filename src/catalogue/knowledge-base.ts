/** The fields of an article of the knowledge base, of its files, and of categories. */
import { color, count, dateTime, flag, key, reference, text } from '../fields/kinds.ts'
import { LONG_TEXT } from '../fields/values.ts'

/** Fields of an article in lists. */
export const article = {
  id: key({ doc: 'Id of the article' }),
  title: text({ doc: 'Title', required: true }),
  category_id: reference({
    doc: 'Id from the categories lookup',
    to: 'knowledge_base_categories',
    required: true,
  }),
  created_by: reference({ doc: 'User who created it', to: 'users', required: true }),
  date_created: dateTime({ doc: 'When it was created', assigned: true }),
  date_updated: dateTime({ doc: 'When it last changed; null if it never did' }),
  views: count({
    doc: 'Number of views in other systems; reads through this API do not count',
    assigned: true,
  }),
}

/** Further fields of an article in single reads. */
export const body = {
  content: text({ doc: 'HTML exactly as written: sanitise it before you display it', max: LONG_TEXT }),
}

export const file = {
  id: key({ doc: 'Id of the file' }),
  original_name: text({ doc: 'Name of the uploaded file', required: true }),
  mime_type: text({ doc: 'Media type' }),
  size: count({ doc: 'Bytes', required: true }),
  /** Stored as a key in the bucket or, after an import, as a URL elsewhere. */
  url: text({ doc: 'Public URL; anyone who knows it may read the file', max: 2000, required: true }),
  date_created: dateTime({ doc: 'When it was uploaded', assigned: true }),
}

export const category = {
  id: key({ doc: 'What `category_id` of an article refers to' }),
  name: text({ doc: 'Name', required: true }),
  description: text({ doc: 'What belongs in it', max: LONG_TEXT }),
  icon: text({ doc: 'CSS class of an icon', assigned: true }),
  color: color({ doc: 'Hex colour', required: true }),
  is_active: flag({ doc: 'Whether it is in use', required: true, writeOnly: true }),
}
