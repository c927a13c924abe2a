/**
 * Fills `public/` with the documentation: the page of `/docs` with Scalar beside it, the guides as Markdown, and
 * `llms.txt`. The guides are `docs/*.md`, in the order in which `docs/README.md` lists them.
 */
import { createHash } from 'node:crypto'
import { cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'

const GUIDES = 'docs'
const PAGE = 'src/docs/page'
const SCALAR = 'node_modules/@scalar/api-reference'
const TARGET = 'public'

export interface Guide {
  /** Name of the file without `.md`. */
  name: string
  title: string
  /** What the list says about it. */
  summary: string
  /** Its Markdown below the title. */
  text: string
}

/** The list of guides with the text above it. */
interface Contents {
  introduction: string
  guides: Guide[]
}

const HEADERS = `/assets/*
  Cache-Control: public, max-age=31536000, immutable
  X-Content-Type-Options: nosniff
  Cross-Origin-Resource-Policy: same-origin
`

/** Makes every file of the documentation; does nothing that is done already. */
export async function buildDocs(): Promise<void> {
  const contents = await readContents()
  const files = {
    'page.js': await readFile(join(PAGE, 'page.js'), 'utf8'),
    'page.css': await readFile(join(PAGE, 'page.css'), 'utf8'),
    'icon.svg': await readFile(join(PAGE, 'icon.svg'), 'utf8'),
    'guides.js': guidesModule(contents),
  }
  const { version } = JSON.parse(await readFile(join(SCALAR, 'package.json'), 'utf8'))
  const hash = createHash('sha256')
    .update(JSON.stringify([version, files]))
    .digest('hex')
    .slice(0, 12)
  const assets = `/assets/docs-${hash}`
  await copyAssets(join(TARGET, assets), files)
  await write('docs.html', await page(assets, contents.guides))
  await write('llms.txt', llmsText(contents))
  await write('_headers', HEADERS)
  for (const { name } of contents.guides) {
    await write(`docs/${name}.md`, await readFile(join(GUIDES, `${name}.md`), 'utf8'))
  }
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

async function page(assets: string, guides: Guide[]): Promise<string> {
  const links = guides.map(({ name, title }) => `<li><a href="/docs/${name}.md">${title}</a></li>`)
  const template = await readFile(join(PAGE, 'page.html'), 'utf8')
  return template.replaceAll('{{assets}}', assets).replace('{{links}}', links.join('\n        '))
}

/** As llmstxt.org describes it. */
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
`
}

/** Scalar and `files` in a folder of their own, whose name changes with them; older folders go. */
async function copyAssets(folder: string, files: Record<string, string>): Promise<void> {
  if (await exists(folder)) return
  const unfinished = `${folder}.part`
  await rm(unfinished, { recursive: true, force: true })
  await copyScalar(join(unfinished, 'scalar'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(unfinished, name), text)
  const all = join(TARGET, 'assets')
  for (const old of await readdir(all)) {
    if (old.startsWith('docs-') && old !== basename(unfinished)) {
      await rm(join(all, old), { recursive: true })
    }
  }
  await rename(unfinished, folder)
}

/** The build of Scalar that a browser loads in parts; without its source maps, and silent in the console. */
async function copyScalar(folder: string): Promise<void> {
  const source = join(SCALAR, 'dist/browser')
  await cp(join(source, 'chunks'), join(folder, 'chunks'), {
    recursive: true,
    filter: (path) => !path.endsWith('.map'),
  })
  const script = await readFile(join(source, 'standalone.esm.js'), 'utf8')
  await writeFile(
    join(folder, 'standalone.esm.js'),
    script.replace(/console\.info\(`@scalar\/api-reference@[^`]*`\)/, 'void 0'),
  )
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null
}

/** Leaves a file alone that says so already: a running server would take notice. */
async function write(name: string, text: string): Promise<void> {
  const path = join(TARGET, name)
  if ((await readFile(path, 'utf8').catch(() => null)) === text) return
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(path, text)
}

if (import.meta.main) await buildDocs()
