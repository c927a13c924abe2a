/**
 * Fills `public/` with the documentation: the page of `/docs` with Scalar, the guides as Markdown, and `llms.txt`. The
 * guides are `docs/*.md`, in the order of `docs/README.md`.
 */
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { entitiesOfImport, openApiDocument } from './document.ts'
import { importFieldsPage } from './import-fields.ts'

const GUIDES = 'docs'
const PAGE = 'src/docs/page'
const SCALAR = 'node_modules/@scalar/api-reference'
const TARGET = 'public'

interface Guide {
  /** Name of the file without `.md`. */
  name: string
  title: string
  /** Description in the list. */
  summary: string
  /** The Markdown below the title. */
  text: string
}

/** The list of guides with its introduction. */
interface Contents {
  introduction: string
  guides: Guide[]
}

/** The name of Scalar's folder contains its version, so its files never change. Browsers revalidate all other files. */
const HEADERS = `/scalar/*
  Cache-Control: public, max-age=31536000, immutable

/client.tgz
  Cache-Control: no-cache
  Content-Type: application/gzip

/*
  X-Content-Type-Options: nosniff
`

/** Makes every file of the documentation. Files that are up to date stay untouched. */
export async function buildDocs(): Promise<void> {
  await write(join(GUIDES, 'import-fields.md'), importFieldsPage(await entitiesOfImport()))
  const contents = await readContents()
  const scalar = await copyScalar()
  const contentsList = contentsHtml(contents.guides, JSON.parse(await openApiDocument()))
  const template = async (name: string) =>
    (await readFile(join(PAGE, name), 'utf8'))
      .replaceAll('{{scalar}}', scalar)
      .replace('{{contents}}', () => contentsList)
  await write(`${TARGET}/docs.html`, await template('page.html'))
  for (const name of ['page.js', 'page.css', 'icon.svg'])
    await write(`${TARGET}/reference/${name}`, await template(name))
  await write(`${TARGET}/reference/guides.js`, guidesModule(contents))
  for (const { name } of contents.guides) {
    await write(`${TARGET}/docs/${name}.md`, await readFile(join(GUIDES, `${name}.md`), 'utf8'))
  }
  const files = contents.guides.map(({ name }) => `${name}.md`)
  await removeOthers(join(TARGET, 'docs'), /\.md$/, files)
  await write(`${TARGET}/llms.txt`, llmsText(contents))
  await write(`${TARGET}/_headers`, HEADERS)
}

/** The guides that `docs/README.md` lists as `- [Title](name.md): what it is about`. */
async function readContents(): Promise<Contents> {
  const index = await readFile(join(GUIDES, 'README.md'), 'utf8')
  const listed = [...index.matchAll(/^- \[(.+?)\]\(([\w-]+)\.md\): (.+)$/gm)]
  const guides = await Promise.all(
    listed.map(async ([, title = '', name = '', summary = '']) => ({
      name,
      title,
      summary,
      text: withoutTitle(await readFile(join(GUIDES, `${name}.md`), 'utf8')),
    })),
  )
  return { introduction: withoutTitle(index), guides }
}

function withoutTitle(markdown: string): string {
  return markdown.replace(/^# .*\n+/, '')
}

function guidesModule({ introduction, guides }: Contents): string {
  const shown = guides.map(({ name, title, text }) => ({ name, title, text }))
  return `export const introduction = ${JSON.stringify(introduction)}\nexport const guides = ${JSON.stringify(shown)}\n`
}

/** The text of `llms.txt`, in the format of llmstxt.org. */
function llmsText({ guides }: Contents): string {
  const links = guides.map(({ name, title, summary }) => `- [${title}](/docs/${name}.md): ${summary}`)
  return `# Estia

> The HTTP API of a real-estate agency: listings with photos and 360° tours, external listings, offers, contracts, a
> knowledge base, buyer requests with matching, contacts, incomes and expenses.

Every call under /api/ needs an API key (\`Authorization: Bearer …\`) and answers JSON with a \`status\`.

## Guides

${links.join('\n')}

## Reference

- [OpenAPI document](/openapi.json): every call, field, filter and limit, made from the schemas that validate
- [Reference for people](/docs): the same with a console to try calls
- [Typed client](/client.tgz): a package for TypeScript and JavaScript that fits this deployment; install its address by npm
`
}

/** The part of the OpenAPI document that the list shows. */
interface Api {
  tags: { name: string }[]
  paths: Record<string, Record<string, { tags: string[]; summary: string }>>
}

/** The guides, and every call by tag, as HTML. Each call links to the reference. */
function contentsHtml(guides: Guide[], { tags, paths }: Api): string {
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

/**
 * Copies Scalar's build for browsers, which loads in parts, and returns its URL path. Leaves out source maps and the
 * line that Scalar prints in the console.
 */
async function copyScalar(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(SCALAR, 'package.json'), 'utf8'))
  const folder = join(TARGET, 'scalar', version)
  if (await exists(folder)) return `/scalar/${version}`
  // Other processes may copy at the same time: each copies to a folder of its own, and the first to rename it wins.
  const own = `${folder}-${process.pid}`
  const source = join(SCALAR, 'dist/browser')
  await mkdir(join(own, 'chunks'), { recursive: true })
  const chunks = (await readdir(join(source, 'chunks'))).map((name) => join('chunks', name))
  for (const name of ['standalone.esm.js', ...chunks].filter((name) => name.endsWith('.js'))) {
    const script = await readFile(join(source, name), 'utf8')
    const quiet = script.replace(/console\.info\(`@scalar\/api-reference@[^`]*`\)/, 'void 0')
    await writeFile(join(own, name), quiet.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'))
  }
  await rename(own, folder).catch(async (error: unknown) => {
    await rm(own, { recursive: true })
    if (!(await exists(folder))) throw error
  })
  await removeOthers(dirname(folder), /^[\d.]+$/, [version])
  return `/scalar/${version}`
}

/** Removes files of earlier builds from `folder`: those that match `pattern` and are not in `keep`. */
async function removeOthers(folder: string, pattern: RegExp, keep: string[]): Promise<void> {
  const names = (await readdir(folder)).filter((name) => pattern.test(name) && !keep.includes(name))
  await Promise.all(names.map((name) => rm(join(folder, name), { recursive: true, force: true })))
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null
}

/** Writes a file unless it has this content already: a running server would reload. */
async function write(path: string, text: string): Promise<void> {
  if ((await readFile(path, 'utf8').catch(() => null)) === text) return
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}

if (import.meta.main) await buildDocs()
