/** `/admin/stores/{id}/watermark`: the image laid over the middle of a store's photos. */

import { detectType, MAX_PHOTO_BYTES } from '@estia/photo-codec'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { batch, database } from '../db/client.ts'
import { recordAgencyChanges } from '../db/definitions.ts'
import { requireRow } from '../db/merge.ts'
import { sqlStatement } from '../db/statements.ts'
import { named } from '../fields/values.ts'
import { StorageError, storeFile } from '../files/store.ts'
import { Router } from '../http/endpoint/router.ts'
import { invalid, notFound } from '../http/errors.ts'
import { deletedBody, recordBody } from '../http/reply/envelope.ts'
import { readBytes } from '../http/request/body.ts'
import { publicUrlBuilder } from '../http/urls.ts'
import { queueWatermarkCheck } from '../photos/queue.ts'
import { ADMINISTRATION } from './tag.ts'

const watermark = named('StoreWatermark', 'The watermark of an office', {
  watermark_url: z.string().describe('URL of the picture'),
})

export const watermarkRoutes = new Router(...ADMINISTRATION)

watermarkRoutes.put(
  '/admin/stores/{id}/watermark',
  {
    summary: "Set an office's watermark",
    scope: 'admin:settings',
    operationId: 'setStoreWatermark',
    description:
      'The body is the image itself: PNG, WebP or JPEG, at most 20 MB. It is laid over the middle of all photos added ' +
      'from now on, and is shrunk to fit smaller photos.',
    resource: 'Store',
    bodyType: 'application/octet-stream',
    maxBytes: MAX_PHOTO_BYTES,
    errors: { 400: 'Invalid watermark: must be a PNG, WebP or JPEG image', 503: StorageError.MESSAGE },
    reply: recordBody(watermark),
  },
  async (c, input) => {
    const bytes = await readBytes(c, MAX_PHOTO_BYTES)
    const id = input.id()
    await requireRow(database(c.env), 'stores', id, 'Store')
    if (!(await queueWatermarkCheck(bytes))) {
      throw invalid([{ field: 'watermark', message: 'Invalid watermark: must be a PNG, WebP or JPEG image' }])
    }
    const key = await storeFile(c.env.PHOTOS, bytes, detectType(bytes), 'watermarks')
    await setWatermark(c.env, id, key)
    return { watermark_url: publicUrlBuilder(c)(key) }
  },
)

watermarkRoutes.delete(
  '/admin/stores/{id}/watermark',
  {
    summary: "Remove an office's watermark",
    scope: 'admin:settings',
    operationId: 'removeStoreWatermark',
    description: 'Photos that already carry it keep it.',
    resource: 'Store',
    reply: deletedBody,
  },
  async (c, input) => {
    const id = input.id()
    await setWatermark(c.env, id, null)
    return id
  },
)

/** Keeps the former file, which another store may use as well: the sweep decides. Throws 404 when there is no such store. */
async function setWatermark(env: Env, id: number, watermark: string | null): Promise<void> {
  const db = database(env)
  const { updated } = await batch(db, {
    agency: recordAgencyChanges('stores', [{ key: id, isNew: false }]),
    // Last, as it tells whether the call is to be entered in the trail.
    updated: sqlStatement<{ id: number }>(
      sql`update stores set watermark = ${watermark} where id = ${id} returning id`,
    ),
  })
  if (updated.length === 0) throw notFound('Store')
}
