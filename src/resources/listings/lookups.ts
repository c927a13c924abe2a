/** Schemas of the lookups of listings. */
import { z } from 'zod'
import { ALL_SUBCATEGORIES, CATEGORIES } from '../../catalogue/enums.ts'
import { FEATURE_GROUPS } from '../../catalogue/features.ts'
import { named } from '../../fields/values.ts'

export const subtype = named('Subtype', 'A finer kind of property within a subcategory', {
  id: z.int().describe('Id that `subtype` of a listing refers to'),
  subcategory: z.enum(ALL_SUBCATEGORIES).describe('The subcategory that it refines'),
  translations: z
    .array(
      named('SubtypeTranslation', 'The name of a subtype in one language', {
        language_id: z.int().describe('Id from `/api/languages`'),
        name: z.string().describe('Name in that language'),
      }),
    )
    .describe('Its names'),
})

export const feature = named('Feature', 'A key of features, positioning, view or flooring', {
  group: z.enum(FEATURE_GROUPS).describe('The list of a listing that it belongs to'),
  key: z.string().describe('Key in replies'),
  input: z.string().describe('Key in create bodies; both are accepted'),
  name_en: z.string().describe('Name in English'),
  name_el: z.string().describe('Name in Greek'),
  categories: z.array(z.enum(CATEGORIES)).describe('Categories that it applies to'),
})
