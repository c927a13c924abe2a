/** What a subscription is made of. */
import { z } from 'zod'
import { RESOURCES } from '../../db/changes.ts'
import { filledText, LONG_URL, list, optionalText, text, unique } from '../../fields/values.ts'

const names = RESOURCES.map((name) => `\`${name}\``).join(', ')

const fields = {
  url: filledText(LONG_URL).describe(
    'Where changes are sent: an https URL of a public host, without credentials. On a machine where ' +
      '`ALLOW_PRIVATE_PHOTO_URLS` is `"true"` also http to that machine itself',
  ),
  resources: list(
    z.string().refine((name) => RESOURCES.includes(name), `must be one of ${RESOURCES.join(', ')}`),
    { min: 1, max: 100 },
  )
    .overwrite(unique)
    .nullish()
    .describe(`Only changes of these: ${names}; null: all, also those that later versions add`),
  description: optionalText().nullish().describe('What it is for'),
}

const after = text().nullish()

export const webhookInput = z
  .object({
    ...fields,
    after: after.describe('A cursor of `/api/changes`: where it begins. Without it, at the present'),
  })
  .meta({ id: 'WebhookInput', description: 'A subscription as it is made' })

export const webhookUpdate = z
  .object({
    ...fields,
    url: fields.url.optional(),
    enabled: z
      .boolean()
      .optional()
      .describe('`true` goes on where it stood, at once, whatever was to be waited for; `false` stops it'),
    after: after.describe('A cursor of `/api/changes`: where it goes on instead'),
  })
  .meta({ id: 'WebhookUpdate', description: 'What is changed of a subscription' })
