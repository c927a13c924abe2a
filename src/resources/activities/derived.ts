/** The search text of activities that other code has written. */
import { derivedText } from '../../db/derived.ts'
import { activities } from '../../db/tables/activities.ts'
import form from './form.json' with { type: 'json' }
import { searchText } from './search.ts'

const { subject, text } = activities

export const ACTIVITY_SEARCH = derivedText(activities, 'search', { subject, text }, searchText, form)
