/** The console: sign-in, the menu, and the view that the address names. */
import { render, useEffect, useState } from 'hono/jsx/dom'
import { CallError, may, read, type Self, useCredential } from './call.ts'
import { Problem, TextField, textOf } from './parts.tsx'
import { ConsoleContext, describeError, useConsole } from './state.ts'
import { type Language, TEXTS, type Texts } from './texts.ts'
import { Backups } from './views/backups.tsx'
import { Enquiries } from './views/enquiries.tsx'
import { Feeds } from './views/feeds.tsx'
import { Imports } from './views/imports.tsx'
import { Keys } from './views/keys.tsx'
import { Overview } from './views/overview.tsx'
import { People } from './views/people.tsx'
import { Trail } from './views/trail.tsx'
import { Webhooks } from './views/webhooks.tsx'

/** The views, in the order of the menu, with the scope that each needs. */
const VIEWS = {
  overview: { scope: 'admin:stats', View: Overview },
  enquiries: { scope: 'enquiries:read', View: Enquiries },
  trail: { scope: 'admin:trail', View: Trail },
  people: { scope: 'admin:people', View: People },
  keys: { scope: 'admin:keys', View: Keys },
  webhooks: { scope: 'admin:webhooks', View: Webhooks },
  feeds: { scope: 'admin:settings', View: Feeds },
  imports: { scope: 'admin:import', View: Imports },
  backups: { scope: 'admin:export', View: Backups },
} as const

type ViewName = keyof typeof VIEWS

const isViewName = (name: string): name is ViewName => Object.hasOwn(VIEWS, name)

function Console() {
  const [language, setLanguage] = useState<Language>(firstLanguage)
  const [self, setSelf] = useState<Self | null>(null)
  const [isAsking, setAsking] = useState(true)
  const [message, setMessage] = useState<string | null>(null)
  const texts = TEXTS[language]
  useEffect(() => {
    document.documentElement.lang = language
    document.title = `Estia · ${texts.console}`
  }, [language])
  const signIn = async (credential: string | null) => {
    useCredential(credential)
    try {
      setSelf(await read<Self>('/admin/self'))
      setMessage(null)
    } catch (error) {
      useCredential(null)
      const isWrong = error instanceof CallError && error.status === 401
      if (credential !== null || !isWrong)
        setMessage(isWrong ? texts.wrongCredential : describeError(error, texts))
    }
    setAsking(false)
  }
  // Somebody whom Cloudflare Access has signed in needs no key.
  useEffect(() => void signIn(null), [])
  const signOut = () => {
    useCredential(null)
    setSelf(null)
  }
  const switchLanguage = () => setLanguage(language === 'en' ? 'el' : 'en')
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        {texts.skip}
      </button>
      <header>
        <span class="logo">
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="M3 11l9-7 9 7v9H3zM9 20v-6h6v6" />
          </svg>
          Estia <span class="quiet">{texts.console}</span>
        </span>
        <span class="who">
          {self && (
            <>
              <span class="quiet name">{self.name}</span>
              {self.type !== 'person' && (
                <button type="button" class="link" onClick={signOut}>
                  {texts.signOut}
                </button>
              )}
            </>
          )}
          <button type="button" class="link" lang={language === 'en' ? 'el' : 'en'} onClick={switchLanguage}>
            {texts.language}
          </button>
        </span>
      </header>
      {self ? (
        <ConsoleContext.Provider value={{ self, language, texts, onSignedOut: signOut }}>
          <Signed />
        </ConsoleContext.Provider>
      ) : (
        <main id="main" tabindex={-1} class="sign-in">
          {isAsking ? (
            <p class="quiet">{texts.loading}</p>
          ) : (
            <SignIn texts={texts} message={message} onSubmit={signIn} />
          )}
        </main>
      )}
    </>
  )
}

function SignIn({
  texts,
  message,
  onSubmit,
}: {
  texts: Texts
  message: string | null
  onSubmit: (credential: string) => Promise<void>
}) {
  const submit = (event: Event) => {
    event.preventDefault()
    const credential = textOf(event.target as HTMLFormElement, 'credential')
    if (credential) void onSubmit(credential)
  }
  return (
    <form class="card" onSubmit={submit}>
      <h1>{texts.signIn}</h1>
      <p class="quiet">{texts.signInLead}</p>
      <TextField
        label={texts.credential}
        name="credential"
        type="password"
        required
        spellcheck={false}
        aria-invalid={message ? 'true' : undefined}
      />
      <Problem text={message} />
      <button type="submit" class="button main">
        {texts.signIn}
      </button>
    </form>
  )
}

function Signed() {
  const { self, texts } = useConsole()
  const allowed = Object.keys(VIEWS)
    .filter(isViewName)
    .filter((name) => may(self, VIEWS[name].scope))
  const current = useHash()
  const name = allowed.find((one) => one === current) ?? allowed[0]
  const View = name && VIEWS[name].View
  return (
    <div class="layout">
      <nav class="menu" aria-label={texts.console}>
        {allowed.map((one) => (
          <a href={`#${one}`} aria-current={one === name ? 'page' : undefined}>
            {texts[one]}
          </a>
        ))}
      </nav>
      <main id="main" tabindex={-1}>
        {View ? <View key={name} /> : <p class="notice">{texts.nothingAllowed}</p>}
      </main>
    </div>
  )
}

function useHash(): string {
  const [hash, setHash] = useState(location.hash.slice(1))
  useEffect(() => {
    const follow = () => setHash(location.hash.slice(1))
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  return hash
}

function firstLanguage(): Language {
  return navigator.languages.find((one) => /^(el|en)\b/.test(one))?.startsWith('el') ? 'el' : 'en'
}

const root = document.getElementById('console')
if (root) render(<Console />, root)
