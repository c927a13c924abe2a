/** `npm run keys`: manages API keys from the command line. */
import { adminCall, createApiKey, serviceFrom } from './service/admin.ts'
import { exitWithUsage, readCommandLine, runScript } from './service/terminal.ts'

const USAGE = `Makes, lists and revokes API keys.

Usage: ADMIN_TOKEN=… npm run keys -- create --name NAME --scope SCOPE [--scope SCOPE …] [--expires WHEN]
       ADMIN_TOKEN=… npm run keys -- create --name NAME --scope listings:public [--origin ORIGIN …] [--store ID …]
       ADMIN_TOKEN=… npm run keys -- list
       ADMIN_TOKEN=… npm run keys -- revoke ID

  --name NAME      what the key is for
  --scope SCOPE    listings:read, contacts:write, …; '*:read' and '*:write' cover every resource;
                   listings:public makes a publishable key for the pages of a website
  --origin ORIGIN  where pages may call a publishable key from: https://www.example.com (default: anywhere)
  --store ID       the stores whose listings exist for the key (default: all)
  --secret         a key with listings:public for the server of the website, not for its pages
  --expires WHEN   '2027-01-01 00:00:00', in UTC (default: never)
  --url URL        the service (default: http://localhost:8787)
  --help           shows this`

async function main(): Promise<void> {
  const { values, positionals } = readCommandLine(USAGE, {
    url: { type: 'string' },
    name: { type: 'string' },
    scope: { type: 'string', multiple: true },
    expires: { type: 'string' },
    origin: { type: 'string', multiple: true },
    store: { type: 'string', multiple: true },
    secret: { type: 'boolean' },
  })
  const [command, id] = positionals

  if (command === 'create' && values.name && values.scope) {
    const { id, key, publishable } = await createApiKey(serviceFrom(values.url), values.name, values.scope, {
      expires: values.expires,
      origins: values.origin,
      stores: values.store?.map(Number),
      ...(values.secret ? { publishable: false } : {}),
    })
    console.log(`${key}\n\nKey ${id}. ${publishable ? 'It is no secret.' : 'It is shown only this once.'}`)
  } else if (command === 'list') {
    const answer = await adminCall(serviceFrom(values.url), 'GET', '/admin/keys')
    const { data } = (await answer.json()) as { data: Record<string, unknown>[] }
    console.table(data)
  } else if (command === 'revoke' && id) {
    await adminCall(serviceFrom(values.url), 'DELETE', `/admin/keys/${encodeURIComponent(id)}`)
    console.log(`Key ${id} is revoked.`)
  } else {
    exitWithUsage(USAGE, missingPart(command))
  }
}

function missingPart(command: string | undefined): string {
  if (command === 'create') return 'A key needs --name and at least one --scope.'
  if (command === 'revoke') return 'Which key? `npm run keys -- list` shows their ids.'
  return command ? `Unknown command: ${command}` : 'No command is given.'
}

await runScript(main)
