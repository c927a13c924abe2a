/** Programs that refuse to do what they are called for. */
import { expect } from 'vitest'
import type { run } from '../../tools/runtime/run.ts'

/** Expects that a program prints this error and nothing else. */
export async function expectRefused(ran: ReturnType<typeof run>, errors: string, code = 1): Promise<void> {
  expect(await ran).toEqual({ code, output: '', errors })
}

/** Expects that a command line is refused, in one line. */
export const expectMisused = (ran: ReturnType<typeof run>, problem: string) =>
  expectRefused(ran, `${problem} --help shows the usage.\n`, 2)
