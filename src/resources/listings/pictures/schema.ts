/** Bodies that describe a picture of a listing: what it shows, and the texts under it. */
import { z } from 'zod'
import { PHOTO_KINDS } from '../../../catalogue/property-enums.ts'
import type { Reference } from '../../../db/references.ts'
import type { Caption } from '../../../db/tables/listings.ts'
import { id, jsonBytes, list, named, optionalText } from '../../../fields/values.ts'

/** Maximum bytes of all captions of the photos, or panoramas, of a listing as JSON: they are read as one value. */
export const MAX_CAPTION_BYTES = 200_000

const caption = named('CaptionInput', 'A text under a picture, in one language', {
  language_id: id().describe('Id from `/api/languages`'),
  caption: optionalText().nullable().describe('The text; null, or an empty text, for none'),
})

/** The texts under a picture. */
export const captionsInput = list(caption).refine(
  (captions) => new Set(captions.map(({ language_id }) => language_id)).size === captions.length,
  'must not name a language twice',
)

export type CaptionsInput = z.output<typeof captionsInput>

const captions = captionsInput
  .nullish()
  .describe('The texts under it. A language that is not sent keeps its text; null removes all')

export const panoramaDescriptionInput = named(
  'PanoramaDescription',
  'What to change in the description of a panorama',
  { captions },
)

export const photoDescriptionInput = named(
  'PhotoDescription',
  'What to change in the description of a photo',
  { kind: z.enum(PHOTO_KINDS).optional().describe('What it shows'), captions },
)

/** `sent` over the captions that are `stored`, by language. */
export function mergeCaptions(stored: readonly Caption[], sent: CaptionsInput | null | undefined): Caption[] {
  if (sent === null) return []
  const texts = new Map<number, string | null>(stored.map((text) => [text.language_id, text.caption]))
  for (const { language_id, caption } of sent ?? []) texts.set(language_id, caption)
  return [...texts]
    .flatMap(([language_id, caption]) => (caption === null ? [] : [{ language_id, caption }]))
    .toSorted((a, b) => a.language_id - b.language_id)
}

/** The languages of captions. `field` is their name in the body. */
export function captionReferences(field: string, captions: CaptionsInput | null | undefined): Reference[] {
  return (captions ?? []).map(({ language_id }, index) => ({
    field: `${field}.${index}.language_id`,
    table: 'languages',
    ids: [language_id],
  }))
}

/** Whether the captions of all photos, or all panoramas, of a listing may be stored. Pictures without any do not count. */
export function captionsFit(pictures: readonly { captions?: CaptionsInput | null | undefined }[]): boolean {
  let bytes = 0
  for (const { captions } of pictures) {
    const texts = mergeCaptions([], captions)
    if (texts.length > 0) bytes += jsonBytes(texts)
  }
  return bytes <= MAX_CAPTION_BYTES
}
