/** The fields of an article of the knowledge base, of its files, and of categories. */
import { color, count, dateTime, flag, key, reference, text } from '../fields/kinds.ts'
import { LONG_TEXT } from '../fields/values.ts'

/** Fields of an article in lists. */
export const article = {
  id: key({ doc: 'Id of the article' }),
  title: text({ doc: 'Title', person: false, required: true }),
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
  content: text({
    doc: 'HTML exactly as written: sanitise it before you display it',
    person: false,
    max: LONG_TEXT,
  }),
}

export const file = {
  id: key({ doc: 'Id of the file' }),
  original_name: text({ doc: 'Name of the uploaded file', person: false, required: true }),
  mime_type: text({ doc: 'Media type', person: false }),
  size: count({ doc: 'Bytes', required: true }),
  /** Stored as a key in the bucket or, after an import, as a URL elsewhere. */
  url: text({
    doc: 'Public URL; anyone who knows it may read the file',
    person: false,
    max: 2000,
    required: true,
  }),
  date_created: dateTime({ doc: 'When it was uploaded', assigned: true }),
}

export const category = {
  id: key({ doc: 'What `category_id` of an article refers to' }),
  name: text({ doc: 'Name', person: false, required: true }),
  description: text({ doc: 'What belongs in it', person: false, max: LONG_TEXT }),
  icon: text({ doc: 'CSS class of an icon', person: false, assigned: true }),
  color: color({ doc: 'Hex colour', required: true }),
  is_active: flag({ doc: 'Whether it is in use', required: true, writeOnly: true }),
}
