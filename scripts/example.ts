/** `npm run example` and `npm run example -- --webhooks`: run a program of `examples/` beside a running service. */
import { join } from 'node:path'
import { readCommandLine, refuseCommandLine, runScript } from './service/terminal.ts'
import { readPort, requireFreePort } from './start/port.ts'

const SYNC = `Keeps an exact copy of the listings in SQLite (examples/sync-listings.ts).

Usage: ESTIA_KEY=… npm run example [-- --help]

  ESTIA_KEY       a key with listings:read
  ESTIA_URL       the service (default: http://localhost:8787)
  DATABASE        the file of the copy (default: listings.db)`

const WEBHOOKS = `Keeps the copy of \`npm run example\` current by webhooks (examples/webhook-receiver.ts).

Usage: ESTIA_KEY=… WEBHOOK_SECRET=… npm run example -- --webhooks [--help]

  ESTIA_KEY       a key with listings:read
  WEBHOOK_SECRET  the secret of the webhook
  PORT            where deliveries are received (default: 8788)
  ESTIA_URL       the service (default: http://localhost:8787)
  DATABASE        the file of the copy (default: listings.db)`

async function main(): Promise<void> {
  const { values } = readCommandLine(process.argv.includes('--webhooks') ? WEBHOOKS : SYNC, {
    webhooks: { type: 'boolean', default: false },
  })
  for (const name of ['ESTIA_KEY', ...(values.webhooks ? ['WEBHOOK_SECRET'] : [])])
    if (!process.env[name]) refuseCommandLine(`Set ${name}.`)
  if (values.webhooks)
    await requireFreePort(readPort(process.env.PORT ?? '8788'), 'npm run example -- --webhooks')
  const program = values.webhooks ? 'webhook-receiver.ts' : 'sync-listings.ts'
  await import(join(import.meta.dirname, '../examples', program))
}

await runScript(main)
