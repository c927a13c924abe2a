/** The captions of photos. */
import type { Listing } from './estia.ts'

/** The caption in the language with `id`; null if there is none. */
export function captionOf(
  { captions }: Pick<Listing['photos'][number], 'captions'>,
  id: number | undefined,
): string | null {
  return captions.find(({ language_id }) => language_id === id)?.caption ?? null
}
