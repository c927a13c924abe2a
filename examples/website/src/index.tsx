/** The website: which address shows which page. */
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import { AGENCY } from './agency.ts'
import type { EnquiryState } from './components/enquiry-form.tsx'
import { Layout } from './components/layout.tsx'
import { readForm, readReference, sendEnquiry, validate } from './enquiry.ts'
import { Estia, isRefusal, isTooMany, send } from './estia.ts'
import { headers } from './headers.ts'
import { Names } from './names.ts'
import { showHome } from './pages/home.tsx'
import { showListing } from './pages/listing.tsx'
import { NotFound, Privacy, ThankYou, Unavailable } from './pages/message.tsx'
import { showOffice } from './pages/office.tsx'
import { showSearch } from './pages/search.tsx'
import { queryOf, readSearch, searchPath } from './search.ts'
import type { Settings } from './settings.ts'
import { isLanguage, LANGUAGES, type Language, texts } from './texts.ts'
import { InVisit, type View, type Visit } from './visit.ts'

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

app.get('/robots.txt', (c) =>
  c.text(`User-agent: *\nAllow: /\n${c.env.SITEMAP_URL ? `\nSitemap: ${siteOf(c)}/sitemap.xml\n` : ''}`),
)
/** A feed of Estia, at the address of the website. */
app.get('/sitemap.xml', async (c) => {
  if (!c.env.SITEMAP_URL) return notFound(c)
  const feed = await send(c.env, new Request(c.env.SITEMAP_URL), '')
  if (!feed.ok) throw new Error(`The sitemap feed answers ${feed.status}`)
  return new Response(feed.body, { headers: { 'Content-Type': 'application/xml; charset=utf-8' } })
})

for (const language of LANGUAGES) {
  const t = texts[language]
  app.get(`/${language}`, (c) => c.redirect(`/${language}/`, 301))
  app.get(`/${language}/`, async (c) => {
    const visit = await visitOf(c, language)
    return render(c, visit, await showHome(visit))
  })

  app.get(`/${language}/search`, async (c) => {
    const { searchParams, search: sent } = new URL(c.req.url)
    const visit = await visitOf(c, language)
    const search = readSearch(searchParams, visit.names)
    // A form sends its empty fields, too: the address bar shows what is set.
    if (queryOf(search) !== sent) return c.redirect(searchPath(language, search))
    const { sort, view } = search
    try {
      return render(c, visit, await showSearch(visit, search))
    } catch (error) {
      // Estia refuses what this website takes for a search.
      if (!isRefusal(error) || sent === queryOf({ sort, view })) throw error
      return c.redirect(searchPath(language, { sort, view }))
    }
  })

  const limit = bodyLimit({ maxSize: MAX_FORM, onError: (c) => notFound(c, 413) })
  const listing = `/${language}/listings/:id{[1-9][0-9]{0,9}}`
  app.get(listing, (c) => showForm(c, language, newEnquiry()))
  app.post(listing, limit, (c) => receive(c, language))
  app.get(`/${language}/office`, (c) => showForm(c, language, newEnquiry()))
  app.post(`/${language}/office`, limit, (c) => receive(c, language))

  app.get(`/${language}/thank-you`, (c) => {
    const { listing = '', reference = '' } = c.req.query()
    const id = /^[1-9]\d{0,9}$/.test(listing) ? Number(listing) : null
    const path = id === null ? '/thank-you' : `/thank-you?listing=${id}`
    c.header('Cache-Control', 'no-store')
    return render(c, plainVisit(c, language), {
      page: { path, title: t.sentTitle, isHidden: true },
      body: <ThankYou listing={id} reference={readReference(reference)} />,
    })
  })
  app.get(`/${language}/privacy`, (c) =>
    render(c, plainVisit(c, language), {
      page: { path: '/privacy', title: t.privacyTitle },
      body: <Privacy />,
    }),
  )
}

app.notFound((c) => notFound(c))

app.onError((error, c) => {
  console.error(error)
  const isMuch = isTooMany(error)
  const { unavailableTitle, tooManyTitle } = texts[languageOf(c)]
  c.header('Retry-After', isMuch ? '60' : '30')
  const body = <Unavailable isTooMany={isMuch} again={pathOf(c)} />
  return isMuch ? renderMessage(c, body, 429, tooManyTitle) : renderMessage(c, body, 503, unavailableTitle)
})

/** The listing that the address names; null on the page of the offices. */
const listingOf = (c: Call) => (c.req.param('id') ? Number(c.req.param('id')) : null)

/** A page with an enquiry form: that of a listing, or of the offices. */
async function showForm(c: Call, language: Language, enquiry: EnquiryState, status: Status = 200) {
  const listing = listingOf(c)
  const visit = await visitOf(c, language)
  const view =
    listing === null ? await showOffice(visit, enquiry) : await showListing(visit, listing, enquiry)
  return view ? render(c, visit, view, status) : notFound(c)
}

/** Takes an enquiry: shows the page again with what is wrong, or leads to the thanks. */
async function receive(c: Call, language: Language): Promise<Response> {
  // What is no form has no fields.
  const form = readForm(await c.req.formData().catch(() => new FormData()))
  const listing = listingOf(c)
  const again = (state: Omit<EnquiryState, 'key' | 'form'>, status: Status) =>
    showForm(c, language, { ...state, form, key: form.key || crypto.randomUUID() }, status)
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
  const { names } = await visitOf(c, language)
  const sent = await sendEnquiry(c.env, form, {
    listingId: listing,
    languageId: names.languages.get(language),
    pageUrl: siteOf(c) + new URL(c.req.url).pathname,
    visitor: addressOf(c),
  })
  if ('reference' in sent) return thanks(sent.reference)
  if ('errors' in sent) return again(sent, 422)
  return again(sent, sent.failure === 'sendLimit' ? 429 : 503)
}

const newEnquiry = (): EnquiryState => ({ key: crypto.randomUUID() })

/** A visit of a page that asks Estia nothing. */
const plainVisit = (c: Call, language: Language): Visit => ({
  env: c.env,
  estia: new Estia(c.env, addressOf(c)),
  language,
  t: texts[language],
  names: new Names(language),
  site: siteOf(c),
})

async function visitOf(c: Call, language: Language): Promise<Visit> {
  const visit = plainVisit(c, language)
  return { ...visit, names: await visit.estia.names(language) }
}

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

function render(c: Call, visit: Visit, { page, body }: View, status: Status = 200) {
  return c.html(
    <>
      {raw('<!doctype html>')}
      <InVisit value={visit}>
        <Layout page={page}>{body}</Layout>
      </InVisit>
    </>,
    status,
  )
}

/** A page that search engines shall not keep. */
const renderMessage = (c: Call, body: Child, status: Status, title: string) =>
  render(c, plainVisit(c, languageOf(c)), { page: { path: '/', title, isHidden: true }, body }, status)

const notFound = (c: Call, status: 404 | 413 = 404) =>
  renderMessage(c, <NotFound />, status, texts[languageOf(c)].notFoundTitle)

export default app
