/**
 * `npm run generate`: makes what the Worker needs besides its source, unless it is there already. Wrangler runs it
 * before it bundles, the tests before they start.
 */

import { buildCodec } from './build/codec.ts'

await buildCodec()
