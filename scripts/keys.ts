/**
 * API keys from the command line, with the deployment's ADMIN_TOKEN in the environment:
 *
 *     npm run keys -- create --name website --scope listings:read [--scope …] [--expires '2027-01-01 00:00:00']
 *     npm run keys -- list
 *     npm run keys -- revoke ID
 */
import { parseArgs } from 'node:util'
import { adminCall, createApiKey, serviceFrom } from './service/admin.ts'
import { runScript } from './service/terminal.ts'

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      url: { type: 'string' },
      name: { type: 'string' },
      scope: { type: 'string', multiple: true },
      expires: { type: 'string' },
    },
  })
  const [command, id] = positionals

  if (command === 'create' && values.name && values.scope) {
    const { id, key } = await createApiKey(serviceFrom(values.url), values.name, values.scope, values.expires)
    console.log(`${key}\n\nKey ${id}. It is shown only this once.`)
  } else if (command === 'list') {
    const answer = await adminCall(serviceFrom(values.url), 'GET', '/admin/keys')
    const { data } = (await answer.json()) as { data: Record<string, unknown>[] }
    console.table(data)
  } else if (command === 'revoke' && id) {
    await adminCall(serviceFrom(values.url), 'DELETE', `/admin/keys/${id}`)
    console.log(`Key ${id} is revoked.`)
  } else {
    console.error(
      'Usage: npm run keys -- create --name NAME --scope SCOPE… [--expires WHEN] | list | revoke ID  [--url URL]',
    )
    process.exit(2)
  }
}

await runScript(main)
