/** `/admin/backups`: reads what cron has put into the bucket of the backups, and notes what was restored. */
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { batch, database, runStatement } from '../../db/client.ts'
import { sqlStatement, textStatement } from '../../db/statements.ts'
import { dateTime, formatDateTime, isDate, named } from '../../fields/values.ts'
import { describeEntered } from '../../http/caller/provenance.ts'
import { Router } from '../../http/endpoint/router.ts'
import { notFound } from '../../http/errors.ts'
import { lookupBody, recordBody, status } from '../../http/reply/envelope.ts'
import { eraseAgain } from '../erasure/erase-again.ts'
import { erasedAgain, erasedContact, listedContact } from '../erasure/list.ts'
import { readErased, storeErasedSoon } from '../erasure/stored-list.ts'
import { ADMINISTRATION } from '../tag.ts'
import { keyOf, listBackups, requireBucket } from './bucket.ts'
import { beginRestore, endRestore } from './restore.ts'
import { BACKUP_FILE, manifest, restore, restoreInput } from './schema.ts'

export const backupRoutes = new Router(...ADMINISTRATION)

const RESOURCE = 'Backup'
const NO_BUCKET = 'Bucket of backups not found'
const id = z.string().refine(isDate, `${RESOURCE} not found`).describe('The day of the backup')
const file = z
  .string()
  .regex(BACKUP_FILE, `${RESOURCE} not found`)
  .describe('`manifest.json`, or the name of a part, such as `part-001.ndjson.gz`')

/** A backup, and when it was last restored. */
const backup = manifest
  .extend({
    date_tried: z.string().nullable().describe('When it was last restored, or tried; null: never'),
  })
  .meta({ id: 'Backup', description: 'A whole backup of the records' })

const erasedList = named('ErasedContacts', 'The contacts that were erased', {
  erased: z.array(erasedContact).describe('By id'),
  date_stored: z
    .string()
    .nullable()
    .describe('When `erased.json` was last written to the bucket; null: there is none that can be read'),
  erased_until: dateTime().describe(
    'An export that is begun now has those as erased who were erased before this',
  ),
  erased_position: z.int().describe('The highest position of those'),
})

backupRoutes.get(
  '/admin/backups',
  {
    summary: 'List the backups',
    scope: 'admin:export',
    description:
      'The whole ones, the latest first. Cron makes one a day, and keeps 30. See [Backups](/docs/backups.md).',
    reply: lookupBody(backup),
    errors: { 404: NO_BUCKET },
  },
  async (c) => {
    const manifests = await listBackups(requireBucket(c.env))
    const names = JSON.stringify(manifests.map(({ name }) => name))
    const rows = await runStatement(
      database(c.env),
      textStatement<{ name: string; date_tried: string | null }>(
        'select name, date_tried from backups where name in (select value from json_each(?))',
        [names],
      ),
    )
    const tried = new Map(rows.map(({ name, date_tried }) => [name, date_tried]))
    return manifests.map((one) => ({ ...one, date_tried: tried.get(one.name) ?? null }))
  },
)

backupRoutes.get(
  '/admin/backups/erased',
  {
    summary: 'List the erased contacts',
    scope: 'admin:export',
    operationId: 'listErasedContacts',
    description:
      'A restore erases them again. `erased.json` beside the backups is the same list, and grows only.',
    reply: recordBody(erasedList),
  },
  async (c) => {
    const { erased, stored, until, position } = await readErased(c.env)
    return {
      erased,
      date_stored: stored && formatDateTime(stored),
      erased_until: until,
      erased_position: position,
    }
  },
)

backupRoutes.post(
  '/admin/backups/erased',
  {
    summary: 'Erase a contact of the list again',
    scope: 'admin:people',
    operationId: 'eraseListedContact',
    description:
      '`npm run restore` and `npm run erase-again` call it for each entry. A record that was created after its date is somebody ' +
      'else’s, and stays. What the database knows as erased since that date is left alone. New records get higher ids than these.',
    body: listedContact,
    isIdempotent: true,
    isOfRestore: true,
    reply: recordBody(erasedAgain),
    errors: { 409: 'On hold: a lawsuit' },
  },
  async (c, input) => {
    const draft = await input.body()
    const entry = draft.complete()
    describeEntered(c.env, { record_id: String(entry.id) })
    const done = await eraseAgain(c.env, database(c.env), entry)
    c.executionCtx.waitUntil(storeErasedSoon(c.env))
    return done
  },
)

backupRoutes.get(
  '/admin/backups/{id}/files/{file}',
  {
    summary: 'Read a file of a backup',
    scope: 'admin:export',
    operationId: 'readBackupFile',
    params: z.object({ id, file }),
    description: 'The bytes as they are in the bucket: a part is a gzip of lines that import accepts.',
    replyType: 'application/octet-stream',
    readsInBulk: true,
    errors: { 404: `${RESOURCE} not found` },
  },
  async (c, input) => {
    const { id, file } = input.params()
    const object = await requireBucket(c.env).get(`${id}/${file}`)
    if (!object) throw notFound(RESOURCE)
    return c.body(object.body, 200, {
      'Content-Type': 'application/octet-stream',
      'Content-Length': String(object.size),
    })
  },
)

backupRoutes.post(
  '/admin/backups/{id}/tried',
  {
    summary: 'Note that a backup was restored',
    scope: 'admin:export',
    operationId: 'noteRestoredBackup',
    params: z.object({ id }),
    description: '`npm run restore` calls it once a restore has been compared with its backup.',
    isIdempotent: true,
    errors: { 404: `${RESOURCE} not found` },
    reply: named('RestoredBackupResponse', 'The backup that was restored', { status, updated_id: id }),
  },
  async (c, input) => {
    const { id } = input.params()
    if (!(await requireBucket(c.env).head(keyOf.manifest(id)))) throw notFound(RESOURCE)
    const now = formatDateTime(new Date())
    await batch(database(c.env), {
      // A new deployment has no row for a backup of the former one.
      tried: sqlStatement(sql`insert into backups (name, run, date_started, date_tried, parts, lease)
        values (${id}, '', ${now}, ${now}, 0, 0) on conflict (name) do update set date_tried = excluded.date_tried`),
    })
    return id
  },
)

backupRoutes.put(
  '/admin/restore',
  {
    summary: 'Begin a restore',
    scope: 'admin:import',
    operationId: 'beginRestore',
    description:
      '`npm run restore` calls it before it imports the first line, and again where it goes on. Until the restore ends, ' +
      'there is no backup, no file or old record is removed, no picture is measured, no mail is sent, and all other writes ' +
      'but erasures, and imports with `ADMIN_TOKEN`, get 503.',
    body: restoreInput,
    isOfRestore: true,
    reply: recordBody(restore),
    errors: { 409: 'The service holds records' },
  },
  async (c, input) => {
    const draft = await input.body()
    const values = draft.complete()
    describeEntered(c.env, { record_id: values.backup })
    return beginRestore(database(c.env), values)
  },
)

backupRoutes.delete(
  '/admin/restore',
  {
    summary: 'End a restore',
    scope: 'admin:import',
    operationId: 'endRestore',
    description:
      '`npm run restore` calls it once all of the backup is stored. Call it yourself to give up a restore and keep what is there.',
    isOfRestore: true,
    reply: named('EndedRestoreResponse', 'The restore that has ended', {
      status,
      deleted_id: z.string().describe('The name of the backup'),
    }),
    errors: { 404: 'Restore not found' },
  },
  (c) => endRestore(database(c.env)),
)
