/** The list of guides and calls that `/docs` shows until the reference is loaded. */

export interface Guide {
  /** Name of the file without `.md`. */
  name: string
  title: string
  /** Description in the list. */
  summary: string
  /** The Markdown below the title. */
  text: string
}

/** The part of the OpenAPI document that the list shows. */
interface Api {
  tags: { name: string }[]
  paths: Record<string, Record<string, { tags: string[]; summary: string }>>
}

/** The guides, and every call by tag, as HTML. Each call links to the reference. */
export function contentsHtml(guides: Guide[], { tags, paths }: Api): string {
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { tags: own, summary }]) => ({ method, path, own, summary })),
  )
  return [
    section(
      'Guides',
      guides.map(({ name, title, summary }) => `${link(`/docs/${name}.md`, title)}: ${escapeHtml(summary)}`),
    ),
    ...tags.map(({ name }) =>
      section(
        name,
        calls
          .filter(({ own }) => own.includes(name))
          .map(({ method, path, summary }) => {
            const verb = method.toUpperCase()
            return `${link(placeOf(name, verb, path), summary)} <code>${verb} ${escapeHtml(path)}</code>`
          }),
      ),
    ),
  ].join('\n      ')
}

/** The URL of a call in the reference. */
function placeOf(tag: string, verb: string, path: string): string {
  return `#tag/${tag.toLowerCase().replaceAll(' ', '-')}/${verb}${path}`
}

function section(title: string, entries: string[]): string {
  return `<h2>${escapeHtml(title)}</h2>\n      <ul>${entries.map((entry) => `<li>${entry}</li>`).join('')}</ul>`
}

const link = (address: string, text: string) => `<a href="${escapeHtml(address)}">${escapeHtml(text)}</a>`

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign)
