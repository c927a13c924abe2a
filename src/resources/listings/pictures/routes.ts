/** `/api/listings/{id}/photos` and `…/panorama-photos`: add, list, describe, order, delete. */
import { MAX_PHOTO_BYTES } from '@estia/photo-codec'
import { z } from 'zod'
import { database } from '../../../db/client.ts'
import { idParam } from '../../../http/endpoint/parameters.ts'
import type { Router } from '../../../http/endpoint/router.ts'
import { deletedBody, lookupBody, updatedBody } from '../../../http/reply/envelope.ts'
import { publicUrlBuilder } from '../../../http/urls.ts'
import { COSTLY_PIXEL, MAX_CALL_MS, MAX_CALL_PIXELS } from '../../../photos/budget.ts'
import * as schema from '../schema.ts'
import { addPanoramas, addPhotos } from './add.ts'
import { describePicture } from './describe.ts'
import { findPictures, type NumberedPicture, orderPictures, removePicture } from './order.ts'
import {
  numberedPanorama,
  numberedPhoto,
  panoramaResult,
  photoResult,
  presentPanorama,
  presentPhoto,
} from './present.ts'
import { panoramaDescriptionInput, photoDescriptionInput } from './schema.ts'
import { PANORAMAS, type PanoramaRow, PHOTOS, type PhotoRow, type PictureTableOf } from './tables.ts'

/** What the endpoints of photos and those of panoramas have of their own. */
interface Kind<Row> {
  path: `/${string}`
  name: 'Photo' | 'Panorama'
  /** What several are called. */
  many: string
  pictures: PictureTableOf<Row>
  description: typeof photoDescriptionInput | typeof panoramaDescriptionInput
  numbered: z.ZodObject
  present: (row: NumberedPicture<Row>, url: (key: string) => string) => object
  add: typeof addPhotos | typeof addPanoramas
  result: z.ZodType
  /** Of the call that adds some. */
  docs: { summary: string; description: string }
}

const PHOTO_DOCS =
  `At most ${schema.MAX_PHOTOS_PER_CALL} pictures a call, of at most ${MAX_PHOTO_BYTES / 1024 / 1024} MB each. The format is ` +
  'detected from the bytes: JPEG, PNG, GIF or WebP. Names, content types and the prefix of a data URI are ignored. ' +
  'Instead of JSON, the body may be one picture (`Content-Type: image/*`), or several as the files of a form ' +
  '(`multipart/form-data`) under any names. Their `url` in the reply is null. ' +
  'Pictures are rotated upright and stored as JPEG after the existing ones, without metadata except the colour profile. ' +
  'The reply has one outcome per entry, in order. If one fails, the others and the call itself still succeed. Each ' +
  `picture is stored before the next is processed. A call decodes at most ${MAX_CALL_PIXELS / 1e6} megapixels. Those of ` +
  `PNG, GIF, WebP and panoramas count ${COSTLY_PIXEL} times. It starts no work after ${MAX_CALL_MS / 1000} seconds.`

const PHOTO: Kind<PhotoRow> = {
  path: '/api/listings/{id}/photos',
  name: 'Photo',
  many: 'photos',
  pictures: PHOTOS,
  description: photoDescriptionInput,
  numbered: numberedPhoto,
  present: ({ ordernum, kind, captions, width, height, ...photo }, url) => ({
    ...{ ordernum, ...presentPhoto(photo, url), kind, captions, width, height },
  }),
  add: addPhotos,
  result: photoResult,
  docs: {
    summary: 'Add photos to a listing',
    description:
      `${PHOTO_DOCS} Each is scaled down, never up, to the agency's limit (1920 pixels by default). If the store has a ` +
      'watermark, a second copy shows it in the middle.',
  },
}

const PANORAMA: Kind<PanoramaRow> = {
  path: '/api/listings/{id}/panorama-photos',
  name: 'Panorama',
  many: 'panoramas',
  pictures: PANORAMAS,
  description: panoramaDescriptionInput,
  numbered: numberedPanorama,
  present: ({ ordernum, captions, width, height, ...panorama }, url) => ({
    ...{ ordernum, ...presentPanorama(panorama, url), captions, width, height },
  }),
  add: addPanoramas,
  result: panoramaResult,
  docs: {
    summary: 'Add 360° panoramas to a listing',
    description:
      `${PHOTO_DOCS} Each keeps a width of up to 8192 pixels and gets a small copy of 1024. The first one creates the ` +
      'tour at `panorama_tour_url`.',
  },
}

/** Adds the endpoints of photos and panoramas to those of listings. */
export function serveListingPictures(router: Router): void {
  serveLists(router, PHOTO)
  serveLists(router, PANORAMA)
  serveChanges(router, PHOTO)
  serveChanges(router, PANORAMA)
}

/** An invalid number of a picture becomes 0, so that an unknown listing is reported first. */
const pictureParams = z.object({
  id: idParam('Listing'),
  ordernum: z
    .string()
    .transform((raw) => (/^\d+$/.test(raw) ? Number(raw) : 0))
    .meta({ description: 'Number of the picture', type: 'integer', minimum: 1, example: 1 }),
})

const ofListing = { resource: 'Listing', part: true } as const

function serveLists<Row>(
  router: Router,
  { path, name, many, pictures, numbered, present, add, result, docs }: Kind<Row>,
): void {
  router.post(
    path,
    {
      ...ofListing,
      ...docs,
      operationId: `addListing${name}s`,
      body: schema.photoUpload,
      files: 'photos',
      maxBytes: schema.MAX_UPLOAD,
      reply: lookupBody(result),
    },
    async (c, input) => {
      const draft = await input.body()
      const validate = () => draft.complete().photos
      return add(c.env, database(c.env), input.record(), validate, publicUrlBuilder(c))
    },
  )
  router.get(
    path,
    {
      ...ofListing,
      summary: `List the ${many} of a listing`,
      operationId: `listListing${name}s`,
      description: 'In order, with the numbers by which they are described, ordered and deleted.',
      reply: lookupBody(numbered),
    },
    async (c, input) => {
      const rows = await findPictures(database(c.env), input.id(), pictures)
      const url = publicUrlBuilder(c)
      return rows.map((row) => present(row, url))
    },
  )
}

function serveChanges<Row>(router: Router, { path, name, many, pictures, description }: Kind<Row>): void {
  router.put(
    `${path}/{ordernum}`,
    {
      summary: `Describe a ${name.toLowerCase()} of a listing`,
      operationId: `describeListing${name}`,
      description:
        'Only the keys sent change. A caption of a language that is not sent stays; null, or an empty text, removes it.',
      ...ofListing,
      params: pictureParams,
      body: description,
      reply: updatedBody,
      errors: { 404: 'Photo not found' },
    },
    async (c, input) => {
      const draft = await input.body()
      const listing = input.record()
      const { ordernum } = input.params()
      await describePicture(database(c.env), listing, pictures, ordernum, draft)
      return listing.id
    },
  )
  router.put(
    path,
    {
      summary: `Order the ${many} of a listing`,
      operationId: `orderListing${name}s`,
      description: `\`order\` lists the number of each of the ${many} exactly once. They are renumbered from 1 in that order.`,
      ...ofListing,
      body: schema.pictureOrder,
      reply: updatedBody,
      errors: { 400: 'Invalid order: photo 2 is missing' },
    },
    async (c, input) => {
      const draft = await input.body()
      const listing = input.record()
      await orderPictures(database(c.env), listing, pictures, draft)
      return listing.id
    },
  )
  router.delete(
    `${path}/{ordernum}`,
    {
      summary: `Delete a ${name.toLowerCase()} of a listing`,
      operationId: `deleteListing${name}`,
      description:
        'The others keep their numbers. `deleted_id` is the number of the deleted one. The daily sweep deletes its files, ' +
        'a day later at the earliest.',
      ...ofListing,
      params: pictureParams,
      reply: deletedBody,
      errors: { 404: 'Photo not found' },
    },
    async (c, input) => {
      const listing = input.record()
      const { ordernum } = input.params()
      await removePicture(database(c.env), listing, pictures, ordernum)
      return ordernum
    },
  )
}
