/** `npm run build`, after wrangler has bundled the Worker into `dist/`: adds the typed client. */

import { buildClient } from './client.ts'

await buildClient()
