/**
 * Arranges the lines of an import in steps. All lines of a step are checked and stored together, so the number of steps is what
 * an import costs, and not how often lines of different entities alternate.
 *
 * The result is that of the order of the file: a line comes after all lines above it that it depends on, and before all
 * lines below that depend on it. Lines of one entity may share a step even so, as they are looked at one by one there. Only
 * those of the same record may not.
 */
import { dependencesOf, type EntityLine, type Known, recordName } from './dependences.ts'
import type { Dependences, Entity } from './entity.ts'
import type { Line } from './line.ts'

/** Lines of an entity that are checked together. */
export const PORTION = { entries: 100, length: 500_000, lengthOf: ({ length }: Line) => length }

/** The lines of a step by entity, in the order of the file. */
export type Step = Map<Entity, Line[]>

type Use = keyof Dependences

/** The uses above a line that its own use has to come after. */
const AFTER: [use: Use, above: Use][] = [
  ['reads', 'changes'],
  ['reads', 'adds'],
  ['changes', 'changes'],
  ['changes', 'reads'],
  ['adds', 'reads'],
]

/** Arranges lines, one after the other. */
export class Steps {
  readonly list: Step[] = []
  /** How many portions are stored one after the other, at most. */
  portions = 0
  private readonly known: Known
  /** The last step of the lines that use a name, by entity. */
  private readonly uses: Record<Use, Map<string, Map<Entity, number>>> = {
    reads: new Map(),
    changes: new Map(),
    adds: new Map(),
  }
  private readonly records = new Map<string, number>()
  /** The portions of each step by entity, of which some are not full. */
  private readonly sizes: Map<Entity, number>[] = []
  private readonly largest: number[] = []

  constructor(known: Known) {
    this.known = known
  }

  /** Puts a line into its step. */
  add(one: EntityLine): void {
    const { entity, line } = one
    const record = recordName(one)
    const { stored, unchanged } = this.known
    const named = dependencesOf(one, this.known, (name) => stored.has(name) || this.uses.changes.has(name))
    if (unchanged.has(line) && !this.isTouched(named)) onlyRead(named)
    const index = Math.max(
      line.mode === 'remove' ? this.stepOfRemoval(entity) : this.firstStep(entity, named),
      (this.records.get(record) ?? -1) + 1,
    )
    if (line.id !== null) this.records.set(record, index)
    for (const use of ['reads', 'changes', 'adds'] as const)
      for (const name of named[use]) this.note(this.uses[use], name, entity, index)
    const step = this.list[index] ?? new Map<Entity, Line[]>()
    this.list[index] = step
    const lines = step.get(entity) ?? []
    step.set(entity, lines)
    lines.push(line)
    this.measure(index, one)
  }

  portionsIn(index: number): number {
    return this.largest[index] ?? 0
  }

  /** Whether a line above may have changed something that these depend on. */
  private isTouched({ reads, changes, adds }: Required<Dependences>): boolean {
    const { uses } = this
    return [...reads, ...changes, ...adds].some((name) => uses.changes.has(name) || uses.adds.has(name))
  }

  private firstStep(entity: Entity, named: Required<Dependences>): number {
    let first = 0
    for (const [use, above] of AFTER) {
      for (const name of named[use]) {
        for (const [other, step] of this.uses[above].get(name) ?? [])
          first = Math.max(first, other === entity ? step : step + 1)
      }
    }
    return first
  }

  /** Behind all lines above, as each of them may be the last that refers to what goes. */
  private stepOfRemoval(entity: Entity): number {
    const last = this.list.at(-1)
    const isShared = last?.size === 1 && last.get(entity)?.every(({ mode }) => mode === 'remove')
    return this.list.length - (isShared ? 1 : 0)
  }

  private note(uses: Map<string, Map<Entity, number>>, name: string, entity: Entity, step: number): void {
    const byEntity = uses.get(name) ?? new Map<Entity, number>()
    uses.set(name, byEntity)
    byEntity.set(entity, Math.max(byEntity.get(entity) ?? 0, step))
  }

  private measure(index: number, { entity, line }: EntityLine): void {
    const sizes = this.sizes[index] ?? new Map<Entity, number>()
    this.sizes[index] = sizes
    // Two portions in a row are longer than one may be.
    const size = (sizes.get(entity) ?? 0) + 1 / PORTION.entries + (2 * line.length) / PORTION.length
    sizes.set(entity, size)
    const before = this.largest[index] ?? 0
    this.largest[index] = Math.max(before, Math.ceil(size))
    this.portions += this.largest[index] - before
  }
}

/** Makes dependences those of a line that changes nothing. */
function onlyRead(named: Required<Dependences>): void {
  named.reads = [...named.reads, ...named.changes, ...named.adds]
  named.changes = []
  named.adds = []
}
