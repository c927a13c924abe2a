/**
 * `npm run generate`: makes what the Worker needs besides its source, unless it is there already: the photo codec, and
 * the files that are served as they are. Wrangler runs it before it bundles, the tests before they start.
 */

import { buildClientPackage } from './build/client-package.ts'
import { buildCodec } from './build/codec.ts'
import { buildDocs } from './build/docs.ts'
import { buildViewer } from './build/tours.ts'

await Promise.all([buildCodec(), buildDocs(), buildViewer(), buildClientPackage()])
