/** The dialog that makes a key: for a person or program by role, or for a website. */
import type { RecordOf } from 'estia/client'
import { useState } from 'hono/jsx/dom'
import {
  ADMIN_SCOPES,
  CREATE_ENQUIRIES,
  PUBLIC_LISTINGS,
  WRITE_ENQUIRIES,
} from '../../../catalogue/scopes.ts'
import { call, may, read } from '../call.ts'
import { UserField } from '../names.tsx'
import { Check, Dialog, Form, Result, TextField, textOf } from '../parts.tsx'
import { type MadeKey, useConsole, useLoaded } from '../state.ts'
import { API_SCOPES, ROLE_NAMES, ROLES, type Role } from './roles.ts'

type Kind = Role | 'website' | 'own'

export function NewKey({ onMade, onClose }: { onMade: (key: MadeKey) => void; onClose: () => void }) {
  const { texts, self } = useConsole()
  const [kind, setKind] = useState<Kind>('reception')
  const [scopes, setScopes] = useState<readonly string[]>(ROLES.reception)
  const isToken = self.type === 'token'
  const isGiven = (scope: string) => isToken || !scope.startsWith('admin:')
  const choose = (next: Kind) => {
    setKind(next)
    if (next !== 'website' && next !== 'own') setScopes(ROLES[next].filter(isGiven))
  }
  const toggle = (scope: string) => {
    setKind('own')
    setScopes(scopes.includes(scope) ? scopes.filter((one) => one !== scope) : [...scopes, scope])
  }
  const make = async (form: HTMLFormElement) => {
    if (kind !== 'website' && scopes.length === 0) return texts.chooseScopes
    const until = textOf(form, 'expires')
    const body = {
      name: textOf(form, 'name'),
      expires: until ? `${until} 23:59:59` : null,
      ...(kind === 'website' ? websiteOf(form) : { scopes, user_id: Number(textOf(form, 'user')) || null }),
    }
    const { data } = await call<{ data: { key: string } }>('POST', '/admin/keys', { body })
    return onMade({ name: body.name, key: data.key })
  }
  return (
    <Dialog title={texts.makeKey} onClose={onClose}>
      <Form title={texts.makeKey} work={make}>
        <TextField label={texts.keyName} hint={texts.keyNameHint} name="name" required />
        <fieldset>
          <legend>{texts.keyFor}</legend>
          {[...ROLE_NAMES, 'website' as const, 'own' as const].map((one) => (
            <Check type="radio" name="kind" value={one} checked={kind === one} onChange={() => choose(one)}>
              {texts.roles[one]} <small class="block">{texts.rolesDo[one]}</small>
            </Check>
          ))}
        </fieldset>
        {kind === 'website' ? (
          <Website />
        ) : (
          <details open={kind === 'own'}>
            <summary>
              {texts.scopes} ({scopes.length})
            </summary>
            <Scopes legend={texts.apiScopes} all={API_SCOPES} chosen={scopes} onToggle={toggle} />
            {isToken && (
              <Scopes legend={texts.adminScopes} all={ADMIN_SCOPES} chosen={scopes} onToggle={toggle} />
            )}
          </details>
        )}
        {!isToken && kind !== 'website' && <p class="quiet">{texts.adminScopesOnlyToken}</p>}
        {kind !== 'website' && <UserField label={texts.keyUser} empty={texts.keyProgram} />}
        <TextField
          label={texts.expiresOn}
          name="expires"
          type="date"
          min={new Date().toISOString().slice(0, 10)}
        />
      </Form>
    </Dialog>
  )
}

function Scopes({
  legend,
  all,
  chosen,
  onToggle,
}: {
  legend: string
  all: readonly string[]
  chosen: readonly string[]
  onToggle: (scope: string) => void
}) {
  return (
    <fieldset>
      <legend>{legend}</legend>
      <div class="checks">
        {all.map((scope) => (
          <Check name="scope" value={scope} checked={chosen.includes(scope)} onChange={() => onToggle(scope)}>
            {scope}
          </Check>
        ))}
      </div>
    </fieldset>
  )
}

type Store = RecordOf<'/api/stores'>

/** What a website key may do. The offices come first: fields that are there before lose what was typed when they come. */
function Website() {
  const { self } = useConsole()
  const stores = useLoaded('stores', async () =>
    may(self, 'stores:read') ? await read<Store[]>('/api/stores') : [],
  )
  return <Result loaded={stores}>{(all) => <WebsiteFields stores={all} />}</Result>
}

function WebsiteFields({ stores }: { stores: Store[] }) {
  const { texts } = useConsole()
  const [isPublishable, setPublishable] = useState(true)
  return (
    <>
      <fieldset>
        <legend>{texts.whereKeyStands}</legend>
        {[true, false].map((publishable) => (
          <Check
            type="radio"
            name="publishable"
            value={String(publishable)}
            checked={isPublishable === publishable}
            onChange={() => setPublishable(publishable)}
          >
            {publishable ? texts.inPages : texts.onServer}
          </Check>
        ))}
      </fieldset>
      <Check name="enquiries" value="yes" checked>
        {texts.mayEnquire}
      </Check>
      {isPublishable && (
        <TextField
          label={texts.origins}
          hint={texts.originsHint}
          name="origins"
          placeholder="https://www.example.com"
        />
      )}
      {stores.length > 0 ? (
        <fieldset>
          <legend>{texts.officesOnly}</legend>
          {stores.map(({ id, name }) => (
            <Check name="store" value={String(id)}>
              {name}
            </Check>
          ))}
        </fieldset>
      ) : (
        <TextField label={texts.officesOnly} hint={texts.officeIdsHint} name="stores" inputmode="numeric" />
      )}
    </>
  )
}

/** The part of a website key's body that the form says. */
function websiteOf(form: HTMLFormElement) {
  const data = new FormData(form)
  const publishable = data.get('publishable') === 'true'
  const words = (name: string) =>
    textOf(form, name)
      .split(/[\s,;]+/)
      .filter(Boolean)
  const ids = [...data.getAll('store').map(String), ...words('stores')]
  const enquiries = data.get('enquiries') ? [publishable ? CREATE_ENQUIRIES : WRITE_ENQUIRIES] : []
  return {
    scopes: [PUBLIC_LISTINGS, ...enquiries],
    publishable,
    origins: publishable ? words('origins') : null,
    // What is no number stays as it is, so that the service says what is wrong.
    stores: ids.map((id) => (/^\d{1,15}$/.test(id) ? Number(id) : id)),
  }
}
