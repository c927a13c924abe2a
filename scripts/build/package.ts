/** `npm run build`, after wrangler has bundled the Worker into `dist/`: adds the typed client, and the types of the console. */

import { readCommandLine } from '../service/terminal.ts'
import { buildAdminTypes, buildClient } from './client.ts'

readCommandLine(
  `Bundles the Worker and the typed client into dist/.

Usage: npm run build [-- --help]`,
  {},
)

await buildClient()
await buildAdminTypes()
