/** `npm run build`, after wrangler has bundled the Worker into `dist/`: the typed client beside it. */

import { buildClient } from './client.ts'

await buildClient()
