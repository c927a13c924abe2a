/** Schemas of the lookups of listings. */
import { z } from 'zod'
import { ALL_SUBCATEGORIES, CATEGORIES } from '../../catalogue/enums.ts'
import { FEATURE_GROUPS } from '../../catalogue/features.ts'

export const subtype = z
  .object({
    id: z.int().describe('Id that `subtype` of a listing refers to'),
    subcategory: z.enum(ALL_SUBCATEGORIES).describe('The subcategory that it refines'),
    translations: z
      .array(
        z
          .object({
            language_id: z.int().describe('Id from `/api/languages`'),
            name: z.string().describe('Name in that language'),
          })
          .meta({ id: 'SubtypeTranslation', description: 'The name of a subtype in one language' }),
      )
      .describe('Its names'),
  })
  .meta({ id: 'Subtype', description: 'A finer kind of property within a subcategory' })

export const feature = z
  .object({
    group: z.enum(FEATURE_GROUPS).describe('The list of a listing that it belongs to'),
    key: z.string().describe('Key in replies'),
    input: z.string().describe('Key in create bodies; both are accepted'),
    name_en: z.string().describe('Name in English'),
    name_el: z.string().describe('Name in Greek'),
    categories: z.array(z.enum(CATEGORIES)).describe('Categories that it applies to'),
  })
  .meta({ id: 'Feature', description: 'A key of features, positioning, view or flooring' })
