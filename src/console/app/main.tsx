/** The console: sign-in, the menu, and the view that the address names. */
import { render, useEffect, useState } from 'hono/jsx/dom'
import { CallError, may, read, type Self, useCredential } from './call.ts'
import { failureOf, said } from './errors.tsx'
import { Button, Heading, Problem, Result, TextField, textOf } from './parts.tsx'
import { ConsoleContext, type MadeKey, useConsole, useLoaded } from './state.ts'
import { type Language, TEXTS, type Texts } from './texts.ts'
import { Backups } from './views/backups.tsx'
import { Enquiries } from './views/enquiries.tsx'
import { Feeds } from './views/feeds.tsx'
import { Keys } from './views/keys.tsx'
import { Lists } from './views/lists.tsx'
import { Overview } from './views/overview.tsx'
import { People } from './views/people.tsx'
import { maySearch, Search } from './views/search.tsx'
import { Trail } from './views/trail.tsx'
import { Webhooks } from './views/webhooks.tsx'

/** The views, in the order of the menu, with the scopes of which each needs one. */
const VIEWS = {
  overview: { scope: 'admin:stats', View: Overview },
  enquiries: { scope: 'enquiries:read', View: Enquiries },
  trail: { scope: 'admin:trail', View: Trail },
  people: { scope: ['contacts:read', 'admin:people'], View: People },
  lists: { scope: 'admin:settings', View: Lists },
  keys: { scope: 'admin:keys', View: Keys },
  webhooks: { scope: 'admin:webhooks', View: Webhooks },
  feeds: { scope: 'admin:settings', View: Feeds },
  imports: { scope: 'admin:import', View: Imports },
  backups: { scope: 'admin:export', View: Backups },
} as const

/** The view of imports, a script of its own: few open it. */
function Imports() {
  const script = useLoaded('imports', () =>
    import('./views/imports/imports.tsx').catch(() => {
      throw new CallError(0, '')
    }),
  )
  return <Result loaded={script}>{(loaded) => <loaded.Imports />}</Result>
}

type ViewName = keyof typeof VIEWS

/** Whether Cloudflare Access has signed in whoever got this page: then no key is needed. */
const IS_ACCESS = document.documentElement.dataset.access === 'on'

const isViewName = (name: string): name is ViewName => Object.hasOwn(VIEWS, name)

/** Whether the caller may open a view. */
const mayOpen = (self: Self, name: ViewName) => [VIEWS[name].scope].flat().some((scope) => may(self, scope))

function Console() {
  const [language, setLanguage] = useState<Language>(firstLanguage)
  const [self, setSelf] = useState<Self | null>(null)
  const [isAsking, setAsking] = useState(IS_ACCESS)
  const [made, setMade] = useState<MadeKey[]>([])
  const [message, setMessage] = useState<string | null>(null)
  const texts = TEXTS[language]
  const { view, argument } = useAddress()
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
        setMessage(
          isWrong ? texts.wrongCredential : said(failureOf(error).message, language) || texts.noAnswer,
        )
    }
    setAsking(false)
  }
  useEffect(() => {
    if (IS_ACCESS) void signIn(null)
  }, [])
  const signOut = () => {
    useCredential(null)
    setMade([])
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
        <ConsoleContext.Provider
          value={{ self, language, texts, onSignedOut: signOut, made, setMade, argument }}
        >
          <Signed view={view} />
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
      <Problem failure={message} />
      <Button type="submit" kind="main" title={texts.signIn} />
    </form>
  )
}

function Signed({ view: current }: { view: string }) {
  const { self, texts, argument } = useConsole()
  // The admin token has no scope of the API: where one is missing, the view says what to do.
  const allowed = Object.keys(VIEWS)
    .filter(isViewName)
    .filter((name) => mayOpen(self, name) || self.type === 'token')
  const isSearch = current === 'search' && maySearch(self)
  const name = isSearch ? undefined : (allowed.find((one) => one === current) ?? allowed[0])
  const View = name && VIEWS[name].View
  // Who uses the keyboard begins with what has come.
  useEffect(() => document.getElementById('main')?.focus(), [name, argument])
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
        {maySearch(self) && <SearchBox />}
        {/* Of a view without an element of its own, parts stayed when another took its place. */}
        <div class="view" key={`${name ?? 'search'}/${argument}`}>
          {isSearch && <Search />}
          {!isSearch && !View && <p class="notice">{texts.nothingAllowed}</p>}
          {View && (mayOpen(self, name) ? <View /> : <NeedsKey title={texts[name]} />)}
        </div>
      </main>
    </div>
  )
}

function NeedsKey({ title }: { title: string }) {
  const { texts } = useConsole()
  return (
    <>
      <Heading title={title} />
      <p class="notice">
        {texts.tokenReadsNothing} <a href="#keys">{texts.makeKey}</a>
      </p>
    </>
  )
}

/** The view that the address names, and what within it: `#people/12`. */
function useAddress(): { view: string; argument: string } {
  const [hash, setHash] = useState(location.hash.slice(1))
  useEffect(() => {
    const follow = () => setHash(location.hash.slice(1))
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  const [view = '', ...rest] = hash.split('/')
  try {
    return { view, argument: decodeURIComponent(rest.join('/')) }
  } catch {
    return { view, argument: '' }
  }
}

/** One box for everything that has a name. */
function SearchBox() {
  const { texts } = useConsole()
  const search = (event: Event) => {
    event.preventDefault()
    const text = textOf(event.target as HTMLFormElement, 'search')
    if (text) location.hash = `search/${encodeURIComponent(text)}`
  }
  return (
    <search>
      <form class="search" onSubmit={search}>
        <label>
          <span class="hidden">{texts.search}</span>
          <input type="search" name="search" maxlength={200} placeholder={texts.searchHint} />
        </label>
        <Button type="submit" title={texts.find} />
      </form>
    </search>
  )
}

function firstLanguage(): Language {
  return navigator.languages.find((one) => /^(el|en)\b/.test(one))?.startsWith('el') ? 'el' : 'en'
}

const root = document.getElementById('console')
if (root) render(<Console />, root)
