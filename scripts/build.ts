/**
 * `npm run generate`: makes what the Worker needs besides its source, unless it is there already: the photo codec, and
 * the files that are served as they are. Wrangler runs it before it bundles, the tests before they start.
 */

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { buildClientPackage } from './build/client-package.ts'
import { buildDocs } from './build/docs.ts'
import { buildViewer } from './build/tours.ts'

/** The codec is built by its package, in a process of its own. */
async function buildCodec(): Promise<void> {
  await promisify(execFile)(process.execPath, ['packages/photo-codec/scripts/build.ts'])
}

await Promise.all([buildCodec(), buildDocs(), buildViewer(), buildClientPackage()])
