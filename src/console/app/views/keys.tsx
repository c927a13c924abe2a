/** API keys: who may call, and what. */
import { useState } from 'hono/jsx/dom'
import { ADMIN_SCOPES, RESOURCES } from '../../../catalogue/scopes.ts'
import { call, read } from '../call.ts'
import { Action, Badge, Dialog, Heading, Problem, Result, Table, TextField, textOf } from '../parts.tsx'
import { formatDate, useConsole, useLoaded } from '../state.ts'

interface Key {
  id: string
  name: string
  scopes: string[]
  publishable?: boolean
  expires: string | null
  date_created: string
  last_used: string | null
  key?: string
}

/** Read only, where nothing can be written. */
const READ_ONLY = [
  'contracts',
  'expenses',
  'incomes',
  'knowledge-base',
  'languages',
  'locations',
  'offers',
  'special-locations',
  'stores',
  'users',
]

export function Keys() {
  const state = useConsole()
  const { texts, self } = state
  const keys = useLoaded('keys', () => read<Key[]>('/admin/keys'))
  const [isMaking, setMaking] = useState(false)
  const [revoked, setRevoked] = useState<Key | null>(null)
  const administers = ({ scopes }: Key) => scopes.some((scope) => scope.startsWith('admin:'))
  const mayChange = (key: Key) => self.type === 'token' || !administers(key)
  return (
    <>
      <Heading title={texts.keys}>
        <button type="button" class="button main" onClick={() => setMaking(true)}>
          {texts.makeKey}
        </button>
      </Heading>
      <Result loaded={keys}>
        {(rows) => (
          <Table
            caption={texts.keys}
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              { title: texts.name, cell: ({ name }) => <strong>{name}</strong> },
              { title: texts.id, cell: ({ id }) => <code>{id}</code> },
              { title: texts.scopes, cell: ({ scopes }) => scopes.map((scope) => <Badge>{scope}</Badge>) },
              { title: texts.lastUsed, cell: ({ last_used }) => formatDate(last_used, state) },
              { title: texts.expires, cell: ({ expires }) => formatDate(expires, state) },
              {
                title: texts.actions,
                cell: (key) =>
                  mayChange(key) && (
                    <button type="button" class="link" onClick={() => setRevoked(key)}>
                      {texts.revoke}
                      <span class="hidden"> {key.name}</span>
                    </button>
                  ),
              },
            ]}
          />
        )}
      </Result>
      {isMaking && (
        <NewKey
          onClose={() => {
            setMaking(false)
            keys.reload()
          }}
        />
      )}
      {revoked && (
        <Dialog title={`${texts.revoke}: ${revoked.name}`} onClose={() => setRevoked(null)}>
          <p>{texts.revokeAsk}</p>
          <Action
            kind="danger"
            title={texts.revoke}
            work={async () => {
              await call('DELETE', `/admin/keys/${revoked.id}`)
              setRevoked(null)
              keys.reload()
            }}
          />
        </Dialog>
      )}
    </>
  )
}

function NewKey({ onClose }: { onClose: () => void }) {
  const { texts, self } = useConsole()
  const [secret, setSecret] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [isCopied, setCopied] = useState(false)
  const make = async (event: Event) => {
    event.preventDefault()
    const form = event.target as HTMLFormElement
    const scopes = new FormData(form).getAll('scope').map(String)
    if (scopes.length === 0) return setError(texts.chooseScopes)
    try {
      const body = { name: textOf(form, 'name'), scopes }
      setSecret((await call<{ data: { key: string } }>('POST', '/admin/keys', { body })).data.key)
    } catch (failure) {
      setError(failure instanceof Error ? failure.message || texts.noAnswer : texts.noAnswer)
    }
  }
  return (
    <Dialog title={texts.makeKey} onClose={onClose}>
      {secret ? (
        <>
          <p>{texts.keyMade}</p>
          <p class="secret">
            <code>{secret}</code>
          </p>
          <button
            type="button"
            class="button quiet"
            onClick={() => void navigator.clipboard.writeText(secret).then(() => setCopied(true))}
          >
            {isCopied ? texts.copied : texts.copy}
          </button>
        </>
      ) : (
        <form onSubmit={(event: Event) => void make(event)}>
          <TextField label={texts.keyName} name="name" required />
          <Scopes
            legend={texts.apiScopes}
            scopes={[
              '*:read',
              '*:write',
              ...RESOURCES.flatMap((name) => [
                `${name}:read`,
                ...(READ_ONLY.includes(name) ? [] : [`${name}:write`]),
              ]),
            ]}
          />
          {self.type === 'token' ? (
            <Scopes legend={texts.adminScopes} scopes={[...ADMIN_SCOPES]} />
          ) : (
            <p class="quiet">{texts.adminScopesOnlyToken}</p>
          )}
          <Problem text={error} />
          <button type="submit" class="button main">
            {texts.makeKey}
          </button>
        </form>
      )}
    </Dialog>
  )
}

function Scopes({ legend, scopes }: { legend: string; scopes: string[] }) {
  return (
    <fieldset>
      <legend>{legend}</legend>
      <div class="checks">
        {scopes.map((scope) => (
          <label class="check">
            <input type="checkbox" name="scope" value={scope} /> {scope}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
