/** Feeds for portals, without a key, under unguessable names, of what visitors may see. */
import { z } from 'zod'
import { RATE_LIMITS } from '../catalogue/rate-limits.ts'
import { database } from '../db/client.ts'
import { int } from '../fields/values.ts'
import { keptTextKey } from '../files/kept-texts.ts'
import { countCall, rateLimit } from '../http/caller/rate-limits.ts'
import { Router } from '../http/endpoint/router.ts'
import { databaseBusy } from '../http/errors.ts'
import { clientNetwork } from '../http/networks.ts'
import { streamToAnyone } from '../http/reply/stream.ts'
import { basesOf, publicUrlBuilder } from '../http/urls.ts'
import { LARGE_PORTION, SMALL_PORTION } from '../resources/listings/public/walk.ts'
import { FORMATS } from './formats.ts'
import { readOrKeep } from './kept.ts'
import { countReader, fileNotFound, isKnown, replyWithFile, TOKEN } from './reply.ts'
import { digestOf, findFeedByToken } from './stored.ts'

export const feedRoutes = new Router(
  'Feeds',
  'Active listings for property portals, readers of feeds and search engines. Anyone who knows their URL may read them.',
)

feedRoutes.get(
  '/feeds/{token}/{file}',
  {
    summary: 'A feed',
    operationId: 'getFeedFile',
    description:
      'What the public may see of the listings of a feed, as it is now. After a fault the end of the file is missing, so ' +
      'that it cannot be parsed. See [Portals](/docs/portals.md).',
    params: z.object({
      token: z.string().describe('Token of the feed: 32 hexadecimal digits'),
      file: z
        .string()
        .describe(
          '`kyero.xml`, `feed.json` or `sitemap.xml`, according to the format of the feed; `sitemap-1.xml` and so on are the ' +
            'files of a sitemap that is an index',
        ),
    }),
    filters: z.object({
      after: int()
        .min(0)
        .nullish()
        .describe('`feed.json` only: the page of the listings with higher ids than this'),
    }),
    headers: z.object({
      'If-None-Match': z.string().optional().describe('Answers 304 if the feed has one of these `ETag`s'),
      'If-Modified-Since': z
        .string()
        .optional()
        .describe('Answers 304 if nothing that feeds show has changed since'),
    }),
    replyType: 'application/xml',
    replyHeaders: {
      ETag: 'Changes with everything that the feed shows',
      'Last-Modified': 'When something that feeds show last changed',
    },
    otherReplies: { 304: 'Not modified since the client last had it' },
    errors: { 503: databaseBusy().message },
  },
  async (c, input) => {
    await countReader(c)
    const { token, file } = input.params()
    const db = database(c.env)
    const feed = TOKEN.test(token) ? await findFeedByToken(db, token) : null
    const match = feed && FORMATS[feed.format].file.exec(file)
    if (!feed || !match) throw fileNotFound()
    const after = (feed.format === 'json' ? input.filters().complete().after : null) ?? 0
    const url = publicUrlBuilder(c)
    const bases = basesOf(url)
    const version = {
      caches: 'public' as const,
      tag: digestOf([...feed.state, ...bases, file, after]),
      modified: Date.parse(`${feed.changed.replace(' ', 'T')}Z`),
    }
    if (isKnown(version, input.headers)) return replyWithFile(c, version, null)
    const { type, make: makeFile } = FORMATS[feed.format]
    // Nothing is made for it: only a GET finds out that a sitemap has no file of this number.
    if (c.req.method === 'HEAD') return replyWithFile(c, version, { type, body: '' })
    const make = (portionBytes: number) =>
      makeFile({
        ...{ db, feed, url, portionBytes },
        file: { number: match[1] ? Number(match[1]) : null, after },
      })
    if (feed.format !== 'json') {
      const kept = await readOrKeep(
        c,
        { key: keptTextKey(digestOf([feed.id, ...bases, file])), tag: version.tag, type },
        {
          count: () => countCall(rateLimit(c, RATE_LIMITS.feedMaking), clientNetwork(c)),
          make: () => make(LARGE_PORTION),
        },
      )
      if (kept === null) throw fileNotFound()
      if (kept) {
        c.header('Content-Length', String(kept.size))
        return replyWithFile(c, version, { type, body: kept.body })
      }
    }
    const texts = await make(SMALL_PORTION)
    if (!texts) throw fileNotFound()
    return replyWithFile(c, version, { type, body: await streamToAnyone(c, texts) })
  },
)
