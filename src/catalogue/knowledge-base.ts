/** What an article of the knowledge base is, its files, and the categories of articles. */
import { color, count, dateTime, flag, key, reference, text } from '../fields/kinds.ts'
import { LONG_TEXT } from '../fields/values.ts'

/** What lists show of an article. */
export const article = {
  id: key({ doc: 'Id of the article' }),
  title: text({ doc: 'Its title', required: true }),
  category_id: reference({
    doc: 'Id from the categories lookup',
    to: 'knowledge_base_categories',
    required: true,
  }),
  created_by: reference({ doc: 'User who created it', to: 'users', required: true }),
  date_created: dateTime({ doc: 'When it was created', assigned: true }),
  date_updated: dateTime({ doc: 'Null while it was never updated' }),
  views: count({ doc: 'How often it was read elsewhere; reading it here does not count', assigned: true }),
}

/** What else the single read shows. */
export const body = {
  content: text({ doc: 'HTML as it was written: sanitise it before you show it', max: LONG_TEXT }),
}

export const file = {
  id: key({ doc: 'Id of the file' }),
  original_name: text({ doc: 'Its name when it was uploaded', required: true }),
  mime_type: text({ doc: 'Its media type' }),
  size: count({ doc: 'Bytes', required: true }),
  /** Stored as a key in the bucket, or a URL elsewhere that came by import. */
  url: text({ doc: 'Public; whoever knows it may read the file', max: 2000, required: true }),
  date_created: dateTime({ doc: 'When it was uploaded', assigned: true }),
}

export const category = {
  id: key({ doc: 'What `category_id` of an article refers to' }),
  name: text({ doc: 'Its name', required: true }),
  description: text({ doc: 'What belongs in it', max: LONG_TEXT }),
  icon: text({ doc: 'CSS class of an icon', assigned: true }),
  color: color({ doc: 'Hex colour', required: true }),
  is_active: flag({ doc: 'Whether it is in use', required: true, writeOnly: true }),
}
