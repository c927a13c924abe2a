/** Changes what is said of a picture of a listing: its kind and captions. */
import { sql } from 'drizzle-orm'
import type { PhotoKind } from '../../../catalogue/property-enums.ts'
import type { Database } from '../../../db/client.ts'
import { mergeRecord } from '../../../db/merge.ts'
import { referencesExist, selectMissing } from '../../../db/references.ts'
import { updateRow } from '../../../db/rows.ts'
import { fragmentOf, sqlStatement } from '../../../db/statements.ts'
import { type Caption, listings, STAYS_MATCHED } from '../../../db/tables/listings.ts'
import { formatDateTime, jsonBytes } from '../../../fields/values.ts'
import type { RecordRef } from '../../../http/concurrency/entity-tags.ts'
import { notFound } from '../../../http/errors.ts'
import type { Draft } from '../../../http/request/check.ts'
import { selectVersion } from './order.ts'
import { enterPictures } from './rows.ts'
import { type CaptionsInput, captionReferences, MAX_CAPTION_BYTES, mergeCaptions } from './schema.ts'
import type { PictureTable } from './tables.ts'

interface DescriptionInput {
  kind?: PhotoKind | undefined
  captions?: CaptionsInput | null | undefined
}

/**
 * Merges a description into that of a picture. Throws 404, 412, 400, and 409 if other calls keep changing the listing.
 */
export async function describePicture(
  db: Database,
  record: RecordRef,
  pictures: PictureTable,
  ordernum: number,
  draft: Draft<DescriptionInput>,
): Promise<void> {
  const { id } = record
  const table = sql.identifier(pictures.table)
  const ofPicture = sql`listing_id = ${id} and ordernum = ${ordernum}`
  const kind = sql.raw('kind' in pictures.description ? 'kind' : 'null')
  const languages = captionReferences('captions', draft.values.captions)
  const reading = {
    current: selectVersion(id),
    lookups: {
      missing: selectMissing(languages),
      picture: sqlStatement<{ kind: PhotoKind | null; captions: string; others: number }>(sql`select
        ${kind} as kind, captions,
        (select sum(length(cast(captions as blob))) from ${table} where listing_id = ${id} and ordernum <> ${ordernum})
          as others
        from ${table} where ${ofPicture}`),
    },
  }
  await mergeRecord(db, record, reading, (listing, { missing, picture: [picture] }) => {
    if (!picture) throw notFound('Photo')
    draft.refuseAll(missing)
    const stored: Caption[] = JSON.parse(picture.captions)
    const captions = mergeCaptions(stored, draft.values.captions)
    if (jsonBytes(captions) > jsonBytes(stored) && jsonBytes(captions) + picture.others > MAX_CAPTION_BYTES) {
      draft.refuse(
        'captions',
        `Invalid captions: those of a listing must be at most ${MAX_CAPTION_BYTES} bytes in all`,
      )
    }
    const changes = {
      ...(draft.complete().kind === undefined ? {} : { kind: draft.values.kind }),
      captions: JSON.stringify(captions),
    }
    if (changes.captions === picture.captions && (changes.kind ?? picture.kind) === picture.kind) return null
    const columns = Object.entries(changes)
    return {
      row: updateRow(
        listings,
        { id, version: listing.version },
        { date_updated: formatDateTime(new Date()) },
        [fragmentOf(sql`matched_version = ${STAYS_MATCHED}`)],
        // No foreign key keeps the languages in JSON.
        languages.length > 0 ? referencesExist(languages) : null,
      ),
      picture: sqlStatement(sql`update ${table}
        set ${sql.join(
          columns.map(([name, value]) => sql`${sql.identifier(name)} = ${value}`),
          sql`, `,
        )} where ${ofPicture}`),
      trail: enterPictures(pictures, { id, version: listing.version }),
    }
  })
}
