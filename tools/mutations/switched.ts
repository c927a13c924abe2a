/** A source with all its faults at once, of which one is switched on at a time: no fault needs the service loaded anew. */
import type { Mutant } from './mutants.ts'

/** A fault with the number that switches it on. */
export interface Fault extends Mutant {
  file: string
  id: number
}

/**
 * In the service: whether a fault is on. Also notes which faults a test reaches. Fast, as loops ask it for each row, and a
 * function, as files that import each other in a circle may call it before their variables are set.
 */
const SWITCH = [
  'var estiaFaults;',
  'function isFault(id) {',
  'estiaFaults ??= globalThis.estiaFaults ??= { active: 0, reached: new Uint8Array(100000), found: new Map() };',
  'estiaFaults.reached[id] = 1;',
  'return estiaFaults.active === id',
  '}',
].join(' ')

/** `text` with the `faults`, each behind its switch. Lines keep their numbers. */
export function withSwitches(text: string, faults: Fault[]): string {
  return `${SWITCH} ${switchWithin(text, faults, 0, text.length)}`
}

/** `text` with the one fault for good. */
export function withFault(text: string, { start, before, after }: Mutant): string {
  return text.slice(0, start) + after + text.slice(start + before.length)
}

/** `text` from `start` to `end`. What `faults` change in it becomes a choice between them. */
function switchWithin(text: string, faults: Fault[], start: number, end: number): string {
  let written = ''
  let at = start
  while (at < end) {
    const next = firstOf(faults, at)
    if (!next) break
    const same = faults.filter(({ within }) => within.start === next.start && within.end === next.end)
    const inner = faults.filter((one) => isInside(one.within, next) && !same.includes(one))
    const usual = switchWithin(text, inner, next.start, next.end)
    written += text.slice(at, next.start) + choose(text, same, usual)
    at = next.end
  }
  return written + text.slice(at, end)
}

/** The widest expression with a fault that is the first behind `at`. */
function firstOf(faults: Fault[], at: number): Mutant['within'] | undefined {
  const [first] = faults
    .map(({ within }) => within)
    .filter(({ start }) => start >= at)
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
  return first
}

const isInside = (one: Mutant['within'], other: Mutant['within']) =>
  one.start >= other.start && one.end <= other.end

function choose(text: string, faults: Fault[], usual: string): string {
  const choices = faults.map((fault) => {
    const { start, end } = fault.within
    return { fault, changed: withFault(text.slice(start, end), { ...fault, start: fault.start - start }) }
  })
  const chosen = `${choices.map(({ fault, changed }) => `isFault(${fault.id}) ? (${changed}) : `).join('')}(${usual})`
  // A filter is made once, when nothing is switched on.
  if (faults.some(({ kind }) => kind === 'filter')) return `(...values) => (${chosen})(...values)`
  // What begins a statement must not continue the line above.
  return `${faults.some(({ kind }) => kind === 'call') ? 'void ' : ''}(${chosen})`
}
