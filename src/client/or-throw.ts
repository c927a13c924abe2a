import type { Answer } from './types.ts'

/** The body of a successful reply. Throws the `EstiaError` of any other reply. */
export async function orThrow<Body>(answer: Promise<Answer<Body>>): Promise<Body> {
  const { data, error } = await answer
  if (error) throw error
  return data
}
