/**
 * The page `/docs` in the browser: Scalar shows the OpenAPI document of this deployment. After it come the guides,
 * each as a tag without calls. `scripts/build/docs.ts` writes `guides.js` and the URL of Scalar.
 */

import { guides, introduction } from './guides.js'

// A library in Scalar would otherwise compile text to code, which the page's policy forbids.
globalThis.__zod_globalConfig = { jitless: true }
const { createApiReference } = await import('{{scalar}}/standalone.esm.js')

const answer = await fetch('/openapi.json')
const api = await answer.json()
const demoKey = document.querySelector('meta[name="demo-key"]').content
/** Every way to send a secret API key. */
const schemes = api.paths['/api/listings'].get.security
  .flatMap(Object.keys)
  .filter((scheme) => scheme !== 'publishableKey')
const filledIn = { token: demoKey, value: demoKey, password: demoKey }

whenShown(document.querySelector('#reference'), () => document.querySelector('#contents').remove())
createApiReference('#reference', {
  content: withGuides(api),
  // Replies come from this deployment only; nothing is loaded from other origins.
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  documentDownloadType: 'none',
  modelsSectionLabel: 'Schemas',
  // Keys are in the order in which their errors are reported.
  orderSchemaPropertiesBy: 'preserve',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  authentication: {
    preferredSecurityScheme: schemes[0],
    securitySchemes: Object.fromEntries(schemes.map((scheme) => [scheme, filledIn])),
  },
})

closeMenuBehindGuides()

/**
 * On a narrow page, Scalar leaves its menu open when a tag is chosen, because the menu then lists the calls of the
 * tag. A guide has no calls, so this closes the menu.
 */
function closeMenuBehindGuides() {
  document.addEventListener('click', ({ target }) => {
    if (!target.closest('.t-doc__sidebar a[href*="#tag/guide-"]')) return
    if (!document.querySelector('.references-sidebar-mobile-open')) return
    document.querySelector('.t-doc__header button')?.click()
  })
}

/** Calls `then` as soon as the reference has content. */
function whenShown(reference, then) {
  const observer = new MutationObserver(() => {
    if (!reference.querySelector('h1, h2')) return
    observer.disconnect()
    then()
  })
  observer.observe(reference, { childList: true, subtree: true })
}

/** The document with the introduction and the guides. */
function withGuides(api) {
  const tags = guides.map(({ name, title, text }) => ({
    name: tagOf(name),
    'x-displayName': title,
    description: withInnerLinks(text),
  }))
  const groups = api['x-tagGroups'] ?? [{ name: 'API', tags: api.tags.map(({ name }) => name) }]
  return {
    ...api,
    paths: forConsole(api.paths),
    components: { ...api.components, parameters: forConsole(api.components.parameters) },
    info: {
      ...api.info,
      description: (demoKey ? demoNote(api) : '') + callsNote(api) + withInnerLinks(introduction),
      'x-scalar-sdk-installation': [ownClient()],
    },
    tags: [...api.tags, ...tags],
    // Calls come first, because many guides would push them out of sight. The introduction lists the guides.
    'x-tagGroups': [...groups, { name: 'Guides', tags: tags.map(({ name }) => name) }],
  }
}

/** Replaces Scalar's list of client libraries. */
function ownClient() {
  return {
    lang: 'TypeScript',
    description: `The [typed client](#tag/${tagOf('client')}) that fits this deployment; JavaScript may use it, too:`,
    source: `npm install ${location.origin}/client.tgz`,
  }
}

/** Links to the groups of calls, for the top of the page. */
function callsNote({ tags }) {
  return `**Calls:** ${tags.map(({ name }) => `[${name}](${addressOf(name)})`).join(' · ')}\n\n`
}

/** The URL of a tag in Scalar. */
function addressOf(tag) {
  return `#tag/${tag.toLowerCase().replaceAll(' ', '-')}`
}

/**
 * Adapts paths or parameters to the console. A query parameter with a single possible value would be filled in and sent
 * with every call, so its enumeration is removed. Links lead to guides in the page.
 */
function forConsole(part) {
  return JSON.parse(JSON.stringify(part), (key, value) => {
    if (key === 'description' && typeof value === 'string') return withInnerLinks(value)
    if (value?.in !== 'query' || value.schema?.enum?.length !== 1) return value
    const { enum: _, ...schema } = value.schema
    return { ...value, schema }
  })
}

/** The first step for the reader, if the key is filled in. */
function demoNote(api) {
  const { summary, tags } = api.paths['/api/listings'].get
  const address = `${addressOf(tags[0])}/GET/api/listings`
  return (
    `> **The demo key is filled in.** Open [${summary}](${address}), press *Test Request*, then *Send*: ` +
    'that is your first call. The guides say the rest.\n\n'
  )
}

/** The tag of a guide; no tag of the API has such a name. */
function tagOf(guide) {
  return `guide-${guide}`
}

/** Turns links between files into links within the page. */
function withInnerLinks(text) {
  return text.replace(/\]\((?:\/docs\/)?([\w-]+)\.md(#[\w-]*)?\)/g, (_, guide) => `](#tag/${tagOf(guide)})`)
}
