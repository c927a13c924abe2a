/** Presents the pictures of a listing, and the outcomes of a call that adds some. */
import { z } from 'zod'
import { PHOTO_KINDS } from '../../../catalogue/property-enums.ts'
import { named } from '../../../fields/values.ts'
import { PHOTO_ERRORS } from '../../../photos/errors.ts'

export const photoImages = {
  original_image: z.string().nullable().describe('URL of the JPEG without a watermark'),
  watermark_image: z.string().nullable().describe('URL of the copy with a watermark; null if there is none'),
}

export const panoramaImages = {
  image: z.string().describe('URL of the full size, up to 8192 pixels wide'),
  thumb: z.string().describe('URL of the small copy; of the full size if there is none'),
}

const size = {
  width: z.int().nullable().describe('In pixels; null while unknown, and at addresses that were imported'),
  height: z.int().nullable().describe('In pixels; null like the width'),
}

const captions = z
  .array(
    named('Caption', 'A text under a picture, in one language', {
      language_id: z.int().describe('Language of the text'),
      caption: z.string().describe('The text'),
    }),
  )
  .describe('By language')

/** What a reply says of a photo beside its images. */
export const photoDescription = {
  kind: z.enum(PHOTO_KINDS).describe('What it shows'),
  captions,
  ...size,
}

/** What a reply says of a panorama beside its images. */
const panoramaDescription = { captions, ...size }

/** The JSON of a photo. `url` makes a public URL of a stored key. */
export function presentPhoto(
  photo: { original_image: string | null; watermark_image: string | null },
  url: (key: string) => string,
) {
  const link = (key: string | null) => (key === null ? null : url(key))
  return { original_image: link(photo.original_image), watermark_image: link(photo.watermark_image) }
}

/** The JSON of a panorama. `url` makes a public URL of a stored key. */
export function presentPanorama(
  { image, thumb }: { image: string; thumb: string | null },
  url: (key: string) => string,
) {
  return { image: url(image), thumb: url(thumb ?? image) }
}

const ordernum = z.int().describe('Position among the pictures of its kind, from 1')

export const numberedPhoto = named('NumberedPhoto', 'A photo of a listing with its number', {
  ordernum,
  ...photoImages,
  ...photoDescription,
})

export const numberedPanorama = named('NumberedPanorama', 'A 360° panorama of a listing with its number', {
  ordernum,
  ...panoramaImages,
  ...panoramaDescription,
})

const pictureOutcome = {
  url: z.string().nullable().describe('As sent, truncated if too long; null for image bytes'),
}
const pictureStored = {
  ...pictureOutcome,
  success: z.literal(true).describe('The picture is stored'),
  ordernum,
}
const pictureRefused = named('PhotoFailure', 'A picture that was refused', {
  ...pictureOutcome,
  success: z.literal(false).describe('The picture is not stored'),
  error: z.string().describe(
    `The reason: ${Object.values(PHOTO_ERRORS)
      .map((text) => `\`${text}\``)
      .join(', ')}, or \`Unsupported or unrecognized image type: <type>\``,
  ),
})

export const photoResult = z
  .union([
    named('PhotoSuccess', 'A photo that was added', {
      ...pictureStored,
      original_image: z.string().describe('URL of the JPEG without a watermark'),
      watermark_image: z
        .string()
        .nullable()
        .describe('URL of the copy with a watermark; null if there is none'),
    }),
    pictureRefused,
  ])
  .meta({ id: 'PhotoResult', description: 'The outcome of one photo; `success` says which' })

export const panoramaResult = z
  .union([
    named('PanoramaSuccess', 'A panorama that was added', {
      ...pictureStored,
      image: z.string().describe('URL of the full size'),
      thumb: z.string().describe('URL of the small copy'),
    }),
    pictureRefused,
  ])
  .meta({ id: 'PanoramaResult', description: 'The outcome of one panorama; `success` says which' })
