/**
 * `npm run generate`: builds what the Worker needs besides its source, unless it exists: the photo codec and the static
 * files. Wrangler runs it before it bundles, and the tests run it before they start.
 */

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { buildClientPackage } from './build/client-package.ts'
import { buildConsole } from './build/console.ts'
import { buildDocs } from './build/docs.ts'
import { buildViewer } from './build/tours.ts'
import { readCommandLine } from './service/terminal.ts'

readCommandLine(
  `Builds what the Worker needs besides its source, unless it exists.

Usage: npm run generate [-- --help]`,
  {},
)

/** The package of the codec builds it, in a separate process. */
async function buildCodec(): Promise<void> {
  await promisify(execFile)(process.execPath, ['packages/photo-codec/scripts/build.ts'])
}

await Promise.all([buildCodec(), buildDocs(), buildViewer(), buildConsole(), buildClientPackage()])
