import { z } from 'zod'
import { type FeatureGroup, findFeatures, inputKeys } from '../../../catalogue/features.ts'
import { list, unique } from '../../../fields/values.ts'

/** Keys of one group of the feature table, one or several; replies and bodies may name a key differently. */
export const keysFilter = (group: FeatureGroup) => {
  const key = z.string().meta({ enum: inputKeys(group) })
  return z
    .union([key, list(key)])
    .transform((sent, context) => {
      const keys = [sent].flat()
      return unique(findFeatures(group, keys, (message) => context.addIssue(message)).map((one) => one.key))
    })
    .nullish()
}
