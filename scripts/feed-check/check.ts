/** Reads a feed from an address or a file and checks it by the rules of its format. */
import { readFile } from 'node:fs/promises'
import { readNodes, STRAY, Unreadable } from './nodes.ts'
import { type Format, faultsOf, formatOf, quote, textAt } from './rules.ts'

/** How long an address may take, in milliseconds. */
const TIMEOUT = 10 * 60 * 1000

/** An error is refused or misread; a warning may be right, and should be looked at. */
type Add = (message: string, where?: string, level?: 'error' | 'warning') => void

/** What is found, each in an entry or the file, and how many entries there are. */
export async function checkFeed(source: string, country?: string) {
  const findings: { level: 'error' | 'warning'; where: string; message: string }[] = []
  const add: Add = (message, where = 'the file', level = 'error') => findings.push({ level, where, message })
  let counted = 'nothing'
  try {
    counted = checkFile(await bytesOf(source, add), add, country)
  } catch (error) {
    // A connection that breaks off is what a reader must see.
    const { message } = error as Error
    add(error instanceof Unreadable ? message : `it breaks off: ${message}`)
  }
  return { findings, counted }
}

async function bytesOf(source: string, add: Add): Promise<Uint8Array> {
  if (!/^https?:\/\//i.test(source)) return readFile(source)
  const answer = await fetch(source, { signal: AbortSignal.timeout(TIMEOUT) })
  if (answer.status !== 200) throw new Unreadable(`its address answers ${answer.status}`)
  if (!answer.headers.has('Last-Modified'))
    add('has no Last-Modified: readers cannot tell whether it has changed', undefined, 'warning')
  return new Uint8Array(await answer.arrayBuffer())
}

function checkFile(bytes: Uint8Array, add: Add, country?: string): string {
  const keys = new Set<string>()
  let [format, count]: [Format | undefined, number] = [undefined, 0]
  readNodes(bytes, (node) => {
    format ??= formatOf(node.name, country)
    if (!format) throw new Unreadable(`is no feed that is known: its root is ${quote(node.name)}`)
    const shape = format.shapes[node.name]
    if (node.name === STRAY)
      add(`there is text between its elements, as after a fault: ${quote(node.text.trim())}`)
    else if (!shape) add(`has an element that readers do not know: ${quote(node.name)}`)
    if (!shape) return
    const key = textAt(node, format.key)
    const where =
      node.name === format.entry ? `${node.name} ${++count}${key && ` (${key.slice(0, 50)})`}` : undefined
    for (const fault of faultsOf(shape, node)) add(fault, where)
    if (where && key && keys.has(key)) add(`${format.key} is that of another: ${quote(key)}`, where)
    keys.add(key)
  })
  const { entry, counted } = format as unknown as Format
  if (count === 0) add(`has no ${entry}: readers would delete all they have`)
  // Numbers at which exports are usually cut.
  if ([50, 100, 200, 250, 500, 1500, 2500].includes(count) || (count > 0 && count % 1000 === 0))
    add(`has exactly ${count} ${counted}: was the list cut at a limit?`, undefined, 'warning')
  return `${count} ${counted}`
}
