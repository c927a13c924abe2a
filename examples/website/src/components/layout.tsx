/** The frame of every page: head, header and footer. */
import type { Child } from 'hono/jsx'
import { AGENCY } from '../agency.ts'
import { searchPath } from '../search.ts'
import { LANGUAGES, type Language, texts } from '../texts.ts'
import { Icon } from './icons.tsx'

/** Where a page is, and what it is about. */
export interface Page {
  language: Language
  /** The origin of the website: `https://www.agency.example`. */
  site: string
  /** The path after the language, with what belongs to it of the query: `/search?availability=rent`. */
  path: string
  title: string
  description?: string
  /** Picture for social media. */
  image?: string
  /** JSON-LD for search engines. */
  schema?: string | null
  /** Not for search engines: searches, errors. */
  isHidden?: boolean
  hasMap?: boolean
  hasGallery?: boolean
  /** Which item of the menu is the current one. */
  current?: 'sale' | 'rent' | 'office' | 'search'
}

export function Layout({ page, children }: { page: Page; children: Child }) {
  const { language, site, path, schema } = page
  const t = texts[language]
  const address = (to: string) => `${site}/${to}${path}`
  const title = path === '/' ? `${AGENCY.name} · ${page.title}` : `${page.title} · ${AGENCY.name}`
  const description = page.description || t.siteDescription
  return (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <meta name="description" content={description} />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        {page.hasMap && <link rel="stylesheet" href="/map.css" />}
        <link rel="stylesheet" href="/styles.css" />
        {page.isHidden ? (
          <meta name="robots" content="noindex, follow" />
        ) : (
          <>
            <link rel="canonical" href={address(language)} />
            {LANGUAGES.map((code) => (
              <link rel="alternate" hreflang={code} href={address(code)} />
            ))}
            <link rel="alternate" hreflang="x-default" href={path === '/' ? `${site}/` : address('en')} />
          </>
        )}
        <meta property="og:type" content="website" />
        <meta property="og:site_name" content={AGENCY.name} />
        <meta property="og:title" content={page.title} />
        <meta property="og:description" content={description} />
        <meta property="og:url" content={address(language)} />
        <meta property="og:locale" content={language === 'el' ? 'el_GR' : 'en_GB'} />
        {page.image && <meta property="og:image" content={page.image} />}
        {page.image && <meta name="twitter:card" content="summary_large_image" />}
        {schema && <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: schema }} />}
        {page.hasMap && <script type="module" src="/map.js" />}
        {page.hasGallery && <script type="module" src="/gallery.js" />}
      </head>
      <body>
        <a class="skip" href="#content">
          {t.skip}
        </a>
        <Header page={page} />
        <main id="content" tabindex={-1}>
          {children}
        </main>
        <Footer language={language} />
      </body>
    </html>
  )
}

function Header({ page: { language, path, current } }: { page: Page }) {
  const t = texts[language]
  const other = language === 'el' ? 'en' : 'el'
  const links = [
    { name: 'sale', href: searchPath(language, { availability: 'sale' }), text: t.buy },
    { name: 'rent', href: searchPath(language, { availability: 'rent' }), text: t.rent },
    { name: 'office', href: `/${language}/office`, text: t.office },
  ]
  return (
    <header class="header">
      <div class="wide header-row">
        <a class="logo" href={`/${language}/`}>
          <Icon name="house" />
          {AGENCY.name}
        </a>
        <nav class="menu" aria-label={t.menu}>
          {links.map(({ name, href, text }) => (
            <a href={href} aria-current={name === current ? 'page' : undefined}>
              {text}
            </a>
          ))}
        </nav>
        <a class="language" href={`/${other}${path}`} hreflang={other} lang={other} title={t.otherLanguage}>
          {other === 'en' ? 'EN' : 'ΕΛ'}
        </a>
      </div>
    </header>
  )
}

function Footer({ language }: { language: Language }) {
  const t = texts[language]
  return (
    <footer class="footer">
      <div class="wide footer-row">
        <p class="logo">{AGENCY.name}</p>
        <p class="quiet">{t.tagline}</p>
        <nav aria-label={t.footerMenu}>
          <a href={searchPath(language)}>{t.properties}</a>
          <a href={`/${language}/office`}>{t.office}</a>
          <a href={`/${language}/privacy`}>{t.privacy}</a>
        </nav>
      </div>
    </footer>
  )
}
