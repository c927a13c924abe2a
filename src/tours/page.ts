/**
 * The pages of a tour as HTML. Scripts and styles are separate assets, so that the policy can forbid inline scripts.
 */
import { html } from 'hono/html'
import { LANGUAGES, type Language, TEXTS, type Texts } from './texts.ts'

export type Html = ReturnType<typeof html>

export interface PanoramaUrls {
  image: string
  thumb: string
}

export interface TourPicture extends PanoramaUrls {
  /** What it shows, such as a room; null if the agency has not said. */
  name: string | null
  /** Language of the name, if it is not the page's. */
  nameLanguage: string | null
}

/** The content of a tour's page; URLs are as the browser requests them. */
export interface TourPage {
  language: Language
  title: string
  /** Language of the title, if it is not the page's. */
  titleLanguage: string | null
  office: string
  pictures: TourPicture[]
  /** URL of the page, without a language. */
  url: string
  /** Picture for link previews, as absolute URL. */
  preview: string
}

/** The page with the viewer. */
export function tourPage(page: TourPage): Html {
  const { language, title, titleLanguage, office } = page
  const texts = TEXTS[language]
  const head = html`${openGraph(page)}
    <script src="/viewer/tours.js" defer></script>`
  return document(
    language,
    `${title} · ${texts.tour}`,
    head,
    html`<header>
      <button type="button" id="back" hidden>
        <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M15 5l-7 7 7 7"/></svg>${texts.back}
      </button>
      <div>
        <h1${titleLanguage ? html` lang="${titleLanguage}"` : ''}>${title}</h1>
        <p>${office}</p>
      </div>
      <nav aria-label="${texts.languages}">
        ${LANGUAGES.filter((other) => other !== language).map(
          (other) =>
            html`<a href="?lang=${other}" lang="${other}" hreflang="${other}">${TEXTS[other].name}</a>`,
        )}
      </nav>
    </header>
    ${viewer(page, texts)}
    <noscript>${stills(page, texts)}</noscript>`,
  )
}

/** The page for an unknown tour, in both languages. */
export function missingPage(language: Language): Html {
  const others = LANGUAGES.filter((other) => other !== language)
  return document(
    language,
    TEXTS[language].missing,
    '',
    html`<main class="missing">
      ${[language, ...others].map(
        (one) => html`<section lang="${one}">
        <h1>${TEXTS[one].missing}</h1>
        <p>${TEXTS[one].missingText}</p>
      </section>`,
      )}
    </main>`,
  )
}

function document(language: Language, title: string, head: Html | '', body: Html): Html {
  return html`<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <meta name="robots" content="noindex">
    <meta name="theme-color" content="#14181c">
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/viewer/tours.css">
    ${head}
  </head>
  <body>
    ${body}
  </body>
</html>`
}

function openGraph({ language, title, office, pictures, url, preview }: TourPage): Html {
  const texts = TEXTS[language]
  const summary = `${texts.summary(pictures.length)} ${office}`
  return html`<meta name="description" content="${summary}">
    <link rel="canonical" href="${url}">
    ${LANGUAGES.map((one) => html`<link rel="alternate" hreflang="${one}" href="${url}?lang=${one}">`)}
    <meta property="og:type" content="website">
    <meta property="og:site_name" content="${office}">
    <meta property="og:title" content="${title}">
    <meta property="og:description" content="${summary}">
    <meta property="og:url" content="${url}">
    <meta property="og:image" content="${preview}">
    <meta property="og:image:alt" content="${texts.picture(1, pictures.length)}">
    <meta property="og:locale" content="${texts.locale}">
    ${LANGUAGES.filter((one) => one !== language).map(
      (one) => html`<meta property="og:locale:alternate" content="${TEXTS[one].locale}">`,
    )}
    <meta name="twitter:card" content="summary_large_image">`
}

/** The stage with the first picture. The script replaces it by the sphere and activates the buttons. */
function viewer({ pictures }: TourPage, texts: Texts): Html {
  return html`<main id="tour" data-loading="${texts.loading}" data-flat="${texts.flat}"
      data-failed="${texts.failed}" data-wheel="${texts.wheel}">
      <div class="stage">
        <div id="flat"><img src="${pictures[0]?.thumb}" ${described(pictures, 0, texts)}></div>
        <div id="sphere" role="application" tabindex="0" aria-label="${texts.tour}" aria-describedby="keys" hidden></div>
        <p id="status" role="status"></p>
        <div id="controls" role="group" aria-label="${texts.controls}" hidden>
          ${button('zoom-out', texts.zoomOut, html`<path d="M5 12h14"/>`)}
          ${button('zoom-in', texts.zoomIn, html`<path d="M12 5v14M5 12h14"/>`)}
          ${button('full-screen', texts.fullScreen, html`<path d="M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5"/>`)}
        </div>
        <details id="help" hidden>
          <summary aria-label="${texts.help}" title="${texts.help}">?</summary>
          <ul id="keys">
            ${texts.keys.map((line) => html`<li>${line}</li>`)}
            <li id="full-screen-key">${texts.fullScreenKey}</li>
          </ul>
        </details>
      </div>
      <nav id="strip" aria-label="${texts.pictures}"${pictures.length > 1 ? '' : html` hidden`}>
        ${pictures.map(
          ({ image, thumb, name, nameLanguage }, index) => html`<button type="button" data-image="${image}">
          <img src="${thumb}" ${described(pictures, index, texts)} width="128" height="64" decoding="async"${index > 11 ? html` loading="lazy"` : ''}>
          <span aria-hidden="true"${nameLanguage ? html` lang="${nameLanguage}"` : ''}>${index + 1}${name ? ` ${name}` : ''}</span>
        </button>`,
        )}
      </nav>
    </main>`
}

/** The alternative text of a picture: its name, otherwise its number. */
function described(pictures: TourPicture[], index: number, texts: Texts): Html {
  const { name = null, nameLanguage = null } = pictures[index] ?? {}
  const alt = name ?? texts.picture(index + 1, pictures.length)
  return html`alt="${alt}"${nameLanguage ? html` lang="${nameLanguage}"` : ''}`
}

function button(id: string, label: string, drawing: Html): Html {
  return html`<button type="button" id="${id}" aria-label="${label}" title="${label}">
            <svg viewBox="0 0 24 24" aria-hidden="true">${drawing}</svg>
          </button>`
}

/** The pictures as they are, for browsers without JavaScript. */
function stills({ pictures }: TourPage, texts: Texts): Html {
  return html`<div class="stills">
      <p>${texts.withoutScript}</p>
      ${pictures.map(
        ({ image, thumb }, index) => html`<a href="${image}">
        <img src="${thumb}" ${described(pictures, index, texts)} width="1024" height="512" loading="lazy">
      </a>`,
      )}
    </div>`
}
