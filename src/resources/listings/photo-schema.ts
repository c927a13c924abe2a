/** What the calls for photos and panoramas take and answer. */
import { z } from 'zod'
import { list } from '../../fields/values.ts'
import { PHOTO_ERRORS } from '../../photos/errors.ts'

/** Entries of one call: each may be a download of its own. */
export const MAX_PHOTOS_PER_CALL = 100

/** Most bytes of one call: room for one photo of 20 MB in base64. */
export const MAX_UPLOAD = 28 * 1024 * 1024

/** One entry, for the documentation; what an entry of another shape is told is in its own answer. */
const source = z.unknown().meta({
  id: 'PhotoSource',
  description: 'A picture to add: its URL, or its bytes',
  anyOf: [
    { type: 'string', description: 'http or https URL, which the service fetches' },
    {
      type: 'object',
      properties: { url: { type: 'string', description: 'http or https URL, which the service fetches' } },
      required: ['url'],
    },
    {
      type: 'object',
      properties: {
        data: {
          type: 'string',
          description: 'The bytes in base64; a prefix `data:image/…;base64,` is passed over',
        },
      },
      required: ['data'],
    },
  ],
})

export const photoUpload = z
  .object({ photos: list(source, { max: MAX_PHOTOS_PER_CALL }).describe('The pictures, in their order') })
  .meta({ id: 'PhotoUpload', description: 'Pictures to add to a listing' })

const outcome = { url: z.string().nullable().describe('As sent; null for image bytes') }
const success = {
  ...outcome,
  success: z.literal(true).describe('The picture is stored'),
  ordernum: z.int().describe('Place among the pictures of its kind, from 1'),
}
const failure = z
  .object({
    ...outcome,
    success: z.literal(false).describe('The picture is not stored'),
    error: z.string().describe(
      `Why: ${Object.values(PHOTO_ERRORS)
        .map((text) => `\`${text}\``)
        .join(', ')}, or \`Unsupported or unrecognized image type: <type>\``,
    ),
  })
  .meta({ id: 'PhotoFailure', description: 'A picture that was refused' })

export const photoResult = z
  .union([
    z
      .object({
        ...success,
        original_image: z.string().describe('URL of the JPEG without a watermark'),
        watermark_image: z.string().nullable().describe('URL of the copy with one; null when there is none'),
      })
      .meta({ id: 'PhotoSuccess', description: 'A photo that was added' }),
    failure,
  ])
  .meta({ id: 'PhotoResult', description: 'What became of one photo; `success` tells which' })

export const panoramaResult = z
  .union([
    z
      .object({
        ...success,
        image: z.string().describe('URL of the full size'),
        thumb: z.string().describe('URL of the small copy'),
      })
      .meta({ id: 'PanoramaSuccess', description: 'A panorama that was added' }),
    failure,
  ])
  .meta({ id: 'PanoramaResult', description: 'What became of one panorama; `success` tells which' })
