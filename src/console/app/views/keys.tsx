/** API keys: who may call, and what. */

import { useEffect, useRef, useState } from 'hono/jsx/dom'
import type { Admin } from '../admin.ts'
import { call, read } from '../call.ts'
import { Meaning } from '../names.tsx'
import { Badge, Button, Confirm, Heading, RowButton, Table } from '../parts.tsx'
import { type MadeKey, useConsole, useLoaded } from '../state.ts'
import { NewKey } from './new-key.tsx'
import { roleOf } from './roles.ts'

type Key = Admin<'/admin/keys'>

export function Keys() {
  const { texts, self, made, setMade, formatDate } = useConsole()
  const keys = useLoaded('keys', () => read<Key[]>('/admin/keys'))
  const [isMaking, setMaking] = useState(false)
  const [revoked, setRevoked] = useState<Key | null>(null)
  const administers = ({ scopes }: Key) => scopes.some((scope) => scope.startsWith('admin:'))
  const mayChange = (key: Key) => self.type === 'token' || !administers(key)
  return (
    <>
      <Heading title={texts.keys}>
        <Button kind="main" title={texts.makeKey} onPress={() => setMaking(true)} />
      </Heading>
      {made.map((one, index) => (
        <Secret key={one.key} made={one} id={`made-key-${index}`} />
      ))}
      <Table
        caption={texts.keys}
        rows={keys}
        columns={[
          { title: texts.name, cell: (key) => <Name {...key} /> },
          { title: texts.id, cell: ({ id }) => <code>{id}</code> },
          { title: texts.keyFor, cell: (key) => <Purpose {...key} /> },
          { title: texts.lastUsed, cell: ({ last_used }) => formatDate(last_used) },
          { title: texts.expires, cell: ({ expires }) => formatDate(expires) },
          {
            title: texts.actions,
            cell: (key) =>
              mayChange(key) && (
                <RowButton title={texts.revoke} of={key.name} onPress={() => setRevoked(key)} />
              ),
          },
        ]}
      />
      {isMaking && (
        <NewKey
          onMade={(key) => {
            setMade([...made, key])
            setMaking(false)
            keys.reload()
          }}
          onClose={() => setMaking(false)}
        />
      )}
      {revoked && (
        <Confirm
          verb={texts.revoke}
          name={revoked.name}
          question={texts.revokeAsk}
          work={async () => {
            await call('DELETE', `/admin/keys/${revoked.id}`)
            setRevoked(null)
            keys.reload()
          }}
          onClose={() => setRevoked(null)}
        />
      )}
    </>
  )
}

/** What a key is called, and whose it is. */
function Name({ name, user_id }: Key) {
  return (
    <>
      <strong>{name}</strong>
      {user_id !== null && (
        <span class="block">
          <Meaning meaning={{ list: 'users' }} id={user_id} />
        </span>
      )}
    </>
  )
}

/** What a key is for: its role, its website, or its scopes. */
function Purpose({ scopes, publishable, origins, stores, key }: Key) {
  const { texts } = useConsole()
  const role = roleOf(scopes)
  return (
    <>
      <Badge>
        {publishable === undefined ? texts.roles[role ?? 'own'] : texts.roles.website}
        {publishable === false ? ` · ${texts.onServer}` : ''}
      </Badge>
      {origins?.map((origin) => (
        <span class="block">{origin}</span>
      ))}
      {stores && stores.length > 0 && (
        <span class="block">
          {texts.officesOnly}: {stores.join(', ')}
        </span>
      )}
      {key && <code class="block">{key}</code>}
      <details>
        <summary>
          {texts.scopes} ({scopes.length})
        </summary>
        {scopes.join(', ')}
      </details>
    </>
  )
}

/** A key that was just made. It stays, in other views too, until somebody says that it is kept. */
function Secret({ made, id }: { made: MadeKey; id: string }) {
  const { texts, made: all, setMade } = useConsole()
  const [isCopied, setCopied] = useState(false)
  const secret = useRef<HTMLElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(made.key)
      setCopied(true)
    } catch {
      // Browsers that let no page write there: the person copies what is selected.
      if (secret.current) getSelection()?.selectAllChildren(secret.current)
    }
  }
  return (
    <section class="notice warm" aria-labelledby={id}>
      <h2 id={id} tabindex={-1} ref={heading}>
        {made.name}
      </h2>
      <p>{texts.keyMade}</p>
      <p class="secret">
        <code ref={secret}>{made.key}</code>
      </p>
      <div class="actions">
        <Button kind="main" title={isCopied ? texts.copied : texts.copy} onPress={() => void copy()} />
        <Button title={texts.keyKept} onPress={() => setMade(all.filter((one) => one !== made))} />
      </div>
    </section>
  )
}
