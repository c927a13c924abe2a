/** The list of guides and calls that `/docs` shows at once, until the reference has come. */

export interface Guide {
  /** Name of the file without `.md`. */
  name: string
  title: string
  /** What the list says about it. */
  summary: string
  /** Its Markdown below the title. */
  text: string
}

/** As much of the OpenAPI document as the list tells. */
interface Api {
  tags: { name: string }[]
  paths: Record<string, Record<string, { tags: string[]; summary: string }>>
}

/** The guides and every call by tag, as HTML; a call leads to its place in the reference. */
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

/** Where the reference shows a call. */
function placeOf(tag: string, verb: string, path: string): string {
  return `#tag/${tag.toLowerCase().replaceAll(' ', '-')}/${verb}${path}`
}

function section(title: string, entries: string[]): string {
  return `<h2>${escapeHtml(title)}</h2>\n      <ul>${entries.map((entry) => `<li>${entry}</li>`).join('')}</ul>`
}

const link = (address: string, text: string) => `<a href="${escapeHtml(address)}">${escapeHtml(text)}</a>`

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign)
