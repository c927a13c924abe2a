/** The code blocks of README and the guides, as a reader meets them from top to bottom. */
import { readdirSync, readFileSync } from 'node:fs'

export interface Block {
  /** `docs/photos.md, Order, sh 2`: its place, which lines above it do not change. */
  name: string
  file: string
  language: string
  text: string
}

const FENCE = /^```(\w*)$/
const HEADING = /^#+ (.+)$/

/** README first, then the guides in alphabetical order. */
export function readGuides(): Map<string, Block[]> {
  const guides = readdirSync('docs').filter((file) => file.endsWith('.md'))
  const files = ['README.md', ...guides.toSorted().map((file) => `docs/${file}`)]
  return new Map(files.map((file) => [file, blocksOf(file, readFileSync(file, 'utf8'))]))
}

function blocksOf(file: string, markdown: string): Block[] {
  const blocks: Block[] = []
  const counts = new Map<string, number>()
  let section = ''
  let open: Block | null = null
  for (const line of markdown.split('\n')) {
    const [fence, language = ''] = FENCE.exec(line) ?? []
    if (open && fence === undefined) open.text += `${line}\n`
    else if (open) open = null
    else if (fence !== undefined) {
      const place = `${file}, ${section}, ${language}`
      const count = (counts.get(place) ?? 0) + 1
      counts.set(place, count)
      open = { name: `${place} ${count}`, file, language, text: '' }
      blocks.push(open)
    } else section = HEADING.exec(line)?.[1] ?? section
  }
  return blocks
}

/** The variables that commands use, and neither they nor earlier ones set: `docs/photos.md, Order, sh 2: URL`. */
export function unsetVariables(blocks: Block[]): string[] {
  const known = new Set<string>()
  return blocks.flatMap(({ name, text }) => {
    for (const [, set, looped] of text.matchAll(/(?:^|[\s;(])(\w+)=|\bfor (\w+) in\b/g))
      known.add(set ?? looped ?? '')
    const used = new Set([...text.matchAll(/\$\{?([A-Za-z_]\w*)/g)].map(([, variable = '']) => variable))
    return [...used].filter((variable) => !known.has(variable)).map((variable) => `${name}: ${variable}`)
  })
}
