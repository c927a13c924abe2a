/** `npm run keys`: manages API keys from the command line. */
import { ADMIN_SCOPES, RESOURCES } from '../src/catalogue/scopes.ts'
import { formatDateTime, isDateTime } from '../src/fields/values.ts'
import { adminCall, adminData, createApiKey, serviceFrom } from './service/admin.ts'
import { readCommandLine, refuseCommandLine, runScript } from './service/terminal.ts'

/** Words in indented lines of at most six. */
function wrap(words: readonly string[]): string {
  const rows = Array.from({ length: Math.ceil(words.length / 6) }, (_, row) =>
    words.slice(row * 6, row * 6 + 6),
  )
  return rows.map((row) => `  ${row.join('  ')}`).join('\n')
}

const USAGE = `Makes, lists and revokes API keys.

Usage: ADMIN_TOKEN=… npm run keys -- create --name NAME --scope SCOPE [--scope SCOPE …] [--expires WHEN]
       ADMIN_TOKEN=… npm run keys -- create --name NAME --scope listings:public [--origin ORIGIN …] [--store ID …]
       ADMIN_TOKEN=… npm run keys -- list
       ADMIN_TOKEN=… npm run keys -- revoke ID

  --name NAME      what the key is for
  --scope SCOPE    what the key may do, from the list below
  --origin ORIGIN  where pages may call a publishable key from: https://www.example.com (default: anywhere)
  --store ID       the stores whose listings exist for the key (default: all)
  --secret         a website key for the server of the website, not for its pages
  --expires WHEN   '2027-01-01 00:00:00', in UTC (default: never)
  --url URL        the service (default: http://localhost:8787)
  --help           shows this

Scopes of ordinary keys, where RESOURCE is one of
${wrap(RESOURCES)}:
  RESOURCE:read  RESOURCE:write  *:read  *:write     write does not include read
Scopes of keys that administer, which only ADMIN_TOKEN makes:
${wrap(ADMIN_SCOPES)}
Scopes of website keys, which act for visitors; with --secret, enquiries:write may stand beside them:
  listings:public  enquiries:create`

const OPTIONS = {
  url: { type: 'string' },
  name: { type: 'string' },
  scope: { type: 'string', multiple: true },
  expires: { type: 'string' },
  origin: { type: 'string', multiple: true },
  store: { type: 'string', multiple: true },
  secret: { type: 'boolean' },
} as const

async function main(): Promise<void> {
  const { values, positionals } = readCommandLine(USAGE, OPTIONS, true)
  const [command, id] = positionals

  if (values.expires && isPast(values.expires)) refuseCommandLine(`--expires ${values.expires} is past.`)
  if (command === 'create' && values.name && values.scope) {
    const { id, key, publishable } = await createApiKey(serviceFrom(values.url), values.name, values.scope, {
      expires: values.expires,
      origins: values.origin,
      stores: values.store?.map(Number),
      ...(values.secret ? { publishable: false } : {}),
    })
    console.log(`${key}\n\nKey ${id}. ${publishable ? 'It is no secret.' : 'It is shown only this once.'}`)
  } else if (command === 'list') {
    console.table(await adminData(serviceFrom(values.url), 'GET', '/admin/keys'))
  } else if (command === 'revoke' && id) {
    await adminCall(serviceFrom(values.url), 'DELETE', `/admin/keys/${encodeURIComponent(id)}`)
    console.log(`Key ${id} is revoked.`)
  } else {
    refuseCommandLine(missingPart(command))
  }
}

function missingPart(command: string | undefined): string {
  if (command === 'create') return 'A key needs --name and at least one --scope.'
  if (command === 'revoke') return 'Which key? `npm run keys -- list` shows their ids.'
  return command ? `Unknown command: ${command}.` : 'No command is given.'
}

/** Anything but a date-time is left to the service, which says what is wrong with it. */
function isPast(expires: string): boolean {
  return isDateTime(expires) && expires <= formatDateTime(new Date())
}

await runScript(main)
