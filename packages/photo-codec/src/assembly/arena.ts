/**
 * The module's memory: blocks are allocated one after the other and freed all at once by `release`.
 *
 *     const row = allocate(width + VECTOR_SLACK)
 *     const component = create<Component>()
 *
 *     | static data | guard, block | guard, block | … | guard |
 *
 * A guard word precedes every block and follows the last one. Nothing ever writes there, so a changed guard reveals a
 * write outside a block. The host checks after every photo (`guardsAreIntact`).
 */

import { Failure, fail } from './failure'

/** What 16-byte loads and stores may touch after the last byte that counts. Blocks used by them are longer by this. */
export const VECTOR_SLACK: i32 = 16

/** End of memory that a photo may use. A Worker has 128 MB for everything. */
const LIMIT: usize = 100 << 20
const GUARD: u64 = 0x1badc0de5afe
/** Guard word, address of the header before, and the same inverted. */
const HEADER_BYTES: usize = 16
const PAGE_BITS: usize = 16

/** The header after the newest block. */
let end: usize = 0

/** `bytes` zeros at a multiple of 16. */
export function allocate(bytes: usize): usize {
  const start = allocateFor(bytes)
  memory.fill(start, 0, end - start)
  return start
}

/** `bytes` at a multiple of 16 that hold anything: for what is written whole before it is read. */
export function allocateFor(bytes: usize): usize {
  if (end === 0) release()
  const header = end
  const start = header + HEADER_BYTES
  if (bytes > LIMIT) fail(Failure.TooLarge)
  const next = (start + bytes + 15) & ~15
  growTo(next + HEADER_BYTES)
  store<u64>(next, GUARD)
  store<u32>(next, u32(header), 8)
  store<u32>(next, ~u32(header), 12)
  end = next
  return start
}

/** A zeroed object of an unmanaged class. */
export function create<T>(): T {
  return changetype<T>(allocate(offsetof<T>()))
}

/** A copy of an object; what it points at belongs to both. */
export function copyOf<T>(object: T): T {
  const twin = allocate(offsetof<T>())
  memory.copy(twin, changetype<usize>(object), offsetof<T>())
  return changetype<T>(twin)
}

/** Object number `index` in a list of addresses. */
export function objectAt<T>(list: usize, index: i32): T {
  return changetype<T>(load<usize>(list + usize(index) * sizeof<usize>()))
}

/** Puts an object into a list of addresses. */
export function putObject<T>(list: usize, index: i32, object: T): void {
  store<usize>(list + usize(index) * sizeof<usize>(), changetype<usize>(object))
}

/** Room for a list of so many addresses, all of which are 0. */
export function allocateList(length: i32): usize {
  return allocate(usize(length) * sizeof<usize>())
}

/** Gives every block back. */
export function release(): void {
  end = (__heap_base + 15) & ~15
  growTo(end + HEADER_BYTES)
  store<u64>(end, GUARD)
  store<u32>(end, 0, 8)
  store<u32>(end, ~u32(0), 12)
}

/** Whether no write has gone outside its block since the last `release`. */
export function guardsAreIntact(): bool {
  for (let header = end; header !== 0; ) {
    const before = load<u32>(header, 8)
    if (load<u64>(header) !== GUARD || load<u32>(header, 12) !== ~before) return false
    header = before
  }
  return true
}

function growTo(bytes: usize): void {
  if (bytes > LIMIT) fail(Failure.TooLarge)
  const missing = i32((bytes + (1 << PAGE_BITS) - 1) >> PAGE_BITS) - memory.size()
  if (missing > 0 && memory.grow(missing) < 0) fail(Failure.TooLarge)
}
