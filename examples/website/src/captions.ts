/** The captions of photos. */

/** The caption in the language with `id`; null if there is none. */
export function captionOf({ captions }: { captions: unknown[] }, id: number | undefined): string | null {
  const found = (captions as { language_id: number; caption: string | null }[]).find(
    ({ language_id }) => language_id === id,
  )
  return found?.caption || null
}
