/** The schemas of an entry of the change feed, and of the reply that contains it. */
import { z } from 'zod'
import { dateTime, named } from '../../fields/values.ts'
import { status } from '../../http/reply/envelope.ts'

export const change = named('Change', 'The latest change of a record', {
  cursor: z.string().describe('Position in the feed: opaque, and greater than that of every earlier change'),
  resource: z.string().describe('Path of the resource after `/api/`, or `matches`'),
  id: z.int().describe('Id of the record; of `matches`, of the request'),
  change: z
    .enum(['changed', 'deleted'])
    .describe('Whether to read the record again, or it is gone: deleted, of status `deleted`, or removed'),
  date: dateTime().describe('When it changed last'),
})

export const changesBody = named('ChangeList', 'A part of the feed', {
  status,
  data: z.array(change).describe('Entries in the order in which the changes were stored'),
  next: z.string().describe('Value of `after` for the next call; keep it'),
  more: z.boolean().describe('Whether there are further entries already'),
})
