/** The website: which address shows which page. */
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import { AGENCY } from './agency.ts'
import type { EnquiryState } from './components/enquiry-form.tsx'
import { Layout, type Page } from './components/layout.tsx'
import { readForm, readReference, sendEnquiry, validate } from './enquiry.ts'
import { Estia, isRefusal, isTooMany } from './estia.ts'
import { headers } from './headers.ts'
import { NotFound, Privacy, ThankYou, TooMany, Unavailable } from './pages/message.tsx'
import { queryOf, readSearch, searchPath } from './search.ts'
import type { Settings } from './settings.ts'
import { robots, sitemap } from './sitemap.ts'
import { isLanguage, LANGUAGES, type Language, texts } from './texts.ts'
import { showHome, showListing, showOffice, showSearch, type View, type Visit } from './views.tsx'

type Call = Context<{ Bindings: Settings }>
type Status = 200 | 404 | 413 | 422 | 429 | 503

/** Longest form, in bytes: a letter of the message may take six. */
const MAX_FORM = 64 * 1024

const app = new Hono<{ Bindings: Settings }>()
app.use(headers)

/** The address without a language leads to that of the visitor. */
app.get('/', (c) => {
  c.header('Vary', 'Accept-Language')
  return c.redirect(`/${preferredLanguage(c)}/`)
})
app.get('/robots.txt', (c) => c.text(robots(siteOf(c), c.env)))
app.get('/sitemap.xml', async (c) => (await sitemap(c.env)) ?? notFound(c))

for (const language of LANGUAGES) {
  app.get(`/${language}`, (c) => c.redirect(`/${language}/`, 301))
  app.get(`/${language}/`, async (c) => render(c, await showHome(visitOf(c, language))))

  app.get(`/${language}/search`, async (c) => {
    const { searchParams, search: sent } = new URL(c.req.url)
    const visit = visitOf(c, language)
    const [labels, features] = await Promise.all([
      visit.estia.labels(language),
      searchParams.has('features') ? visit.estia.searchedFeatures() : new Set<string>(),
    ])
    const search = readSearch(searchParams, { labels, features })
    // A form sends its empty fields, too: the address bar shows what is set.
    if (queryOf(search) !== sent) return c.redirect(searchPath(language, search))
    const { sort, view } = search
    try {
      return render(c, await showSearch(visit, search))
    } catch (error) {
      // Estia refuses what this website takes for a search.
      if (!isRefusal(error) || sent === queryOf({ sort, view })) throw error
      return c.redirect(searchPath(language, { sort, view }))
    }
  })

  app.get(`/${language}/listings/:id{[1-9][0-9]{0,9}}`, async (c) => {
    const view = await showListing(visitOf(c, language), Number(c.req.param('id')), newEnquiry())
    return view ? render(c, view) : notFound(c)
  })
  app.get(`/${language}/office`, async (c) => render(c, await showOffice(visitOf(c, language), newEnquiry())))

  const limit = bodyLimit({
    maxSize: MAX_FORM,
    onError: (c) => renderMessage(c, <NotFound language={language} />, 413),
  })
  app.post(`/${language}/listings/:id{[1-9][0-9]{0,9}}`, limit, async (c) => {
    const id = Number(c.req.param('id'))
    return receive(c, language, id, (enquiry) => showListing(visitOf(c, language), id, enquiry))
  })
  app.post(`/${language}/office`, limit, (c) =>
    receive(c, language, null, (enquiry) => showOffice(visitOf(c, language), enquiry)),
  )

  const { sentTitle, privacyTitle } = texts[language]
  app.get(`/${language}/thank-you`, (c) => {
    const { listing = '', reference = '' } = c.req.query()
    const id = /^[1-9]\d{0,9}$/.test(listing) ? Number(listing) : null
    const path = id === null ? '/thank-you' : `/thank-you?listing=${id}`
    const body = <ThankYou {...{ listing: id, reference: readReference(reference), language }} />
    c.header('Cache-Control', 'no-store')
    return render(c, { page: { language, site: siteOf(c), path, title: sentTitle, isHidden: true }, body })
  })
  app.get(`/${language}/privacy`, (c) => {
    const page = { language, site: siteOf(c), path: '/privacy', title: privacyTitle }
    return render(c, { page, body: <Privacy language={language} /> })
  })
}

app.notFound((c) => notFound(c))

app.onError((error, c) => {
  console.error(error)
  const language = languageOf(c)
  const t = texts[language]
  if (isTooMany(error)) {
    c.header('Retry-After', '60')
    return renderMessage(c, <TooMany language={language} again={pathOf(c)} />, 429, t.tooManyTitle)
  }
  c.header('Retry-After', '30')
  return renderMessage(c, <Unavailable language={language} again={pathOf(c)} />, 503, t.unavailableTitle)
})

/** Takes an enquiry: shows the page again with what is wrong, or leads to the thanks. */
async function receive(
  c: Call,
  language: Language,
  listing: number | null,
  show: (enquiry: EnquiryState) => Promise<View | null>,
): Promise<Response> {
  // What is no form has no fields.
  const form = readForm(await c.req.formData().catch(() => new FormData()))
  const key = form.key || crypto.randomUUID()
  const again = async (state: Omit<EnquiryState, 'key' | 'form'>, status: Status) => {
    const view = await show({ ...state, form, key })
    return view ? render(c, view, status) : notFound(c)
  }
  const thanks = (reference: string | null = null) => {
    const query = new URLSearchParams({
      ...(listing === null ? {} : { listing: String(listing) }),
      ...(reference === null ? {} : { reference }),
    })
    return c.redirect(`/${language}/thank-you${query.size > 0 ? `?${query}` : ''}`, 303)
  }
  // A program has filled in what people do not see. It learns nothing.
  if (form.website) return thanks()
  const errors = validate(form)
  if (Object.keys(errors).length > 0) return again({ errors }, 422)
  const languages = await estiaOf(c).languages()
  const sent = await sendEnquiry(c.env, form, {
    listingId: listing,
    languageId: languages.get(language),
    pageUrl: siteOf(c) + new URL(c.req.url).pathname,
    visitor: addressOf(c),
  })
  if ('reference' in sent) return thanks(sent.reference)
  if ('errors' in sent) return again(sent, 422)
  return again(sent, sent.failure === 'sendLimit' ? 429 : 503)
}

const newEnquiry = (): EnquiryState => ({ key: crypto.randomUUID() })

const visitOf = (c: Call, language: Language): Visit => ({
  env: c.env,
  estia: estiaOf(c),
  language,
  site: siteOf(c),
})

const estiaOf = (c: Call) => new Estia(c.env, addressOf(c))

/** Where the visitor calls from. Without Cloudflare in front, everybody is one visitor. */
const addressOf = (c: Call) => c.req.header('CF-Connecting-IP') ?? ''

/** The path and query of the page. */
function pathOf(c: Call): string {
  const { pathname, search } = new URL(c.req.url)
  // Two slashes at the beginning would name another host.
  return pathname.replace(/^\/+/, '/') + search
}

/** The origin of the website, as search engines shall know it. */
const siteOf = (c: Call) => (c.env.SITE_URL || new URL(c.req.url).origin).replace(/\/+$/, '')

/** The language of an address, or that of the visitor. */
function languageOf(c: Call): Language {
  const [, first = ''] = new URL(c.req.url).pathname.split('/')
  return isLanguage(first) ? first : preferredLanguage(c)
}

/** The first of the visitor's languages that the website has. */
function preferredLanguage(c: Call): Language {
  const languages = (c.req.header('Accept-Language') ?? '').slice(0, 200).toLowerCase().split(',')
  return languages.map((part) => part.trim().slice(0, 2)).find(isLanguage) ?? AGENCY.defaultLanguage
}

function render(c: Call, { page, body }: View, status: Status = 200) {
  return c.html(<Document page={page}>{body}</Document>, status)
}

/** A page that search engines shall not keep. */
function renderMessage(c: Call, body: Child, status: Status, title = texts[languageOf(c)].notFoundTitle) {
  const page: Page = { language: languageOf(c), site: siteOf(c), path: '/', title, isHidden: true }
  return render(c, { page, body }, status)
}

const notFound = (c: Call) => renderMessage(c, <NotFound language={languageOf(c)} />, 404)

function Document({ page, children }: { page: Page; children: Child }) {
  return (
    <>
      {raw('<!doctype html>')}
      <Layout page={page}>{children}</Layout>
    </>
  )
}

export default app
