/** The frame of every page: head, header and footer. */
import type { Child } from 'hono/jsx'
import { AGENCY } from '../agency.ts'
import { searchPath } from '../search.ts'
import { LANGUAGES } from '../texts.ts'
import { type Page, useVisit } from '../visit.ts'
import { Icon } from './icons.tsx'

export function Layout({ page, children }: { page: Page; children: Child }) {
  const { language, site, t } = useVisit()
  const { path, schema } = page
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
        <meta property="og:title" content={page.title} />
        <meta property="og:description" content={description} />
        <meta property="og:url" content={address(language)} />
        {page.image && <meta property="og:image" content={page.image} />}
        {schema && <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: schema }} />}
        {page.hasMap && <script type="module" src="/map.js" />}
      </head>
      <body>
        <a class="skip" href="#content">
          {t.skip}
        </a>
        <Header path={path} />
        <main id="content" tabindex={-1}>
          {children}
        </main>
        <footer class="footer">
          <div class="wide footer-row">
            <p class="logo">{AGENCY.name}</p>
            <p class="quiet">{t.tagline}</p>
            <nav aria-label={t.footerMenu}>
              <a href={searchPath(language)}>{t.properties}</a>
              <a href={`/${language}/office`}>{t.office}</a>
              <a href={`/${language}/privacy`}>{t.privacyTitle}</a>
            </nav>
          </div>
        </footer>
      </body>
    </html>
  )
}

function Header({ path }: { path: string }) {
  const { language, t } = useVisit()
  const other = language === 'el' ? 'en' : 'el'
  const links = [
    { to: '/search?availability=sale', text: t.buy },
    { to: '/search?availability=rent', text: t.rent },
    { to: '/office', text: t.office },
  ]
  return (
    <header class="header">
      <div class="wide header-row">
        <a class="logo" href={`/${language}/`}>
          <Icon name="house" />
          {AGENCY.name}
        </a>
        <nav class="menu" aria-label={t.menu}>
          {links.map(({ to, text }) => (
            <a href={`/${language}${to}`} aria-current={path.startsWith(to) ? 'page' : undefined}>
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
