/** An entry of the feed, and the answer that it comes in. */
import { z } from 'zod'
import { dateTime } from '../../fields/values.ts'

export const change = z
  .object({
    cursor: z
      .string()
      .describe('Where it stands in the feed: opaque, and greater than that of every earlier change'),
    resource: z.string().describe('Path of the resource after `/api/`, or `matches`'),
    id: z.int().describe('Id of the record; of `matches`, of the request'),
    change: z
      .enum(['changed', 'deleted'])
      .describe(
        'Whether the record is to be read again, or is gone: deleted, of status `deleted`, or removed',
      ),
    date: dateTime().describe('When it changed last'),
  })
  .meta({ id: 'Change', description: 'The latest change of a record' })

export const changesBody = z
  .object({
    status: z.literal(200).describe('Repeats the HTTP status code'),
    data: z.array(change).describe('In the order in which the changes were stored'),
    next: z.string().describe('What `after` of the next call has to be: keep it'),
    more: z.boolean().describe('Whether there are further entries by now'),
  })
  .meta({ id: 'ChangeList', description: 'A part of the feed' })
