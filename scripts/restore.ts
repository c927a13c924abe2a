/** `npm run restore`: fills an empty service from a backup and compares what it then holds, or tries that on this machine. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type ErasedContact, mergeErased } from '../src/admin/erasure/list.ts'
import { formatDateTime } from '../src/fields/values.ts'
import { eraseAgain, findErased, highestErased } from './backup/erased.ts'
import { type Backup, linesOf, openBackup, verifyCounts, verifyParts, writeBackup } from './backup/folder.ts'
import {
  beginRestore,
  endRestore,
  fetchBackup,
  noteRestored,
  readErased,
  readRestoring,
  readVersion,
} from './backup/service.ts'
import { differencesOf, type Summary, summed } from './backup/summary.ts'
import { type Survey, surveyLines } from './backup/survey.ts'
import { type Service, serviceFrom } from './service/admin.ts'
import { exportParts, isWithoutRecords } from './service/export-parts.ts'
import { requireRecords } from './service/import-format.ts'
import { importLines } from './service/import-lines.ts'
import type { ImportTotals } from './service/import-requests.ts'
import { readCommandLine, refuseCommandLine, runScript, showProgress } from './service/terminal.ts'
import { startLocalService } from './start/local.ts'
import { build } from './start/prepare.ts'

const USAGE = `Fills an empty service from a backup, and compares what it then holds with it.

Usage: ADMIN_TOKEN=… npm run restore -- --latest|--from DIR|FILE|--continue [OPTIONS]

  --latest          the latest backup in the bucket of the service
  --from DIR|FILE   a folder with a manifest.json, or a file of \`npm run export\`, gzip or not
  --try             restores into a service on this machine that is thrown away; needs a token only for --latest
  --continue        goes on with a restore that was interrupted, from the backup that it began with
  --without-erased  restores although there is no list of the erased
  --url URL         the service (default: http://localhost:8787)
  --help            shows this`

/** Aborted by Ctrl-C and other signals. */
const interruption = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interruption.abort())

async function main(): Promise<void> {
  const { values } = readCommandLine(USAGE, {
    latest: { type: 'boolean', default: false },
    from: { type: 'string' },
    try: { type: 'boolean', default: false },
    continue: { type: 'boolean', default: false },
    'without-erased': { type: 'boolean', default: false },
    url: { type: 'string' },
  })
  if (values.latest ? values.from !== undefined : values.from === undefined && !values.continue)
    return refuseCommandLine('Give --latest or --from.')
  const mayCall = values.from === undefined || !values.try || process.env.ADMIN_TOKEN !== undefined
  const service = mayCall ? { ...serviceFrom(values.url), signal: interruption.signal } : null
  const target = values.try ? null : service
  const folder = await mkdtemp(join(tmpdir(), 'estia-restore-'))
  try {
    const begun = target && (await findBegun(target, values.continue))
    const path = values.from ?? (await copyBackup(service, folder, values.latest ? null : begun))
    const backup = await openBackup(path)
    const name = backup.manifest?.name ?? basename(path)
    if (begun !== null && begun !== name)
      throw new Error(
        `The service is being restored from ${begun}, not from ${name}. Go on with --continue alone.`,
      )
    const erased = await newestErased(path, values.from ? target : null)
    if (!erased && !values['without-erased']) throw new Error(describeMissing(path))
    await verifyParts(backup)
    const survey = await surveyLines(linesOf(backup), erased ?? [])
    verifyCounts(backup, survey.counts)
    const restoring = { backup, name, survey, erased: erased ?? [], folder }
    await (target ? restore(target, restoring) : tryHere(restoring))
    const isKnown = values.latest || values.url !== undefined || !values.try
    if (backup.manifest && service && isKnown) await noteRestored(service, backup.manifest.name)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The list beside a backup, together with that of the service to be filled, which has it from its bucket. Null without any. */
async function newestErased(path: string, service: Service | null): Promise<ErasedContact[] | null> {
  const beside = await findErased(path)
  const told = service && (await readErased(service))
  if (!beside && !told?.date_stored) return null
  return mergeErased([beside ?? [], told?.erased ?? []])
}

/** The backup from which a restore of the service was begun; null if none was, and the service holds nothing. */
async function findBegun(service: Service, continues: boolean): Promise<string | null> {
  const begun = await readRestoring(service)
  if (begun !== null && !continues)
    throw new Error(`The service at ${service.url} is being restored from ${begun}. Go on with --continue.`)
  if (begun === null && continues)
    throw new Error(`No restore of the service at ${service.url} was begun. Leave out --continue.`)
  if (begun === null && !(await isWithoutRecords(service)))
    throw new Error(`The service at ${service.url} holds records: a backup is restored into an empty one.`)
  return begun
}

async function copyBackup(service: Service | null, folder: string, name: string | null): Promise<string> {
  if (!service) throw new Error('--latest needs a service.')
  return fetchBackup(service, folder, name, (done, total) => showProgress(`${done} of ${total} parts`))
}

function describeMissing(path: string): string {
  return (
    `There is no list of the erased beside ${path}: contacts erased since would be back. Put the newest erased.json ` +
    'into the folder above it, or restore --without-erased.'
  )
}

interface Restoring {
  backup: Backup
  /** As the mark of the restore names it. */
  name: string
  survey: Survey
  erased: ErasedContact[]
  /** For temporary files. */
  folder: string
}

/**
 * Imports a backup, compares it with what the service then exports, and erases who was erased since. The service is marked as
 * being restored until all of that is done.
 */
async function restore(service: Service, restoring: Restoring): Promise<void> {
  const { backup, name, survey, erased, folder } = restoring
  await beginRestore(service, { name, digest: backup.digest }, highestErased(erased))
  const before = await importBackup(service, backup, survey)
  const version = await readVersion(service)
  const copy = join(folder, 'restored')
  const today = formatDateTime(new Date()).slice(0, 10)
  await writeBackup(copy, { name: today, version }, exportParts(service), (lines) =>
    showProgress(`${lines} records read again`),
  )
  const restored = await openBackup(copy)
  const { repeated } = await surveyLines(linesOf(restored), [])
  const after: Summary = new Map()
  for await (const _ of summed(linesOf(restored), { ...survey, repeated }, after));
  const { counts, contents } = differencesOf(before, after)
  // Another version may show other contents of a record than the backup has, and a file does not say which one made it.
  const isSameVersion = backup.manifest?.version === version
  const differences = isSameVersion ? [...counts, ...contents] : counts
  const gone = await eraseAgain(service, erased, {
    ...survey,
    erasedUntil: backup.manifest?.erased_until ?? null,
    erasedPosition: backup.manifest?.erased_position ?? null,
  })
  if (!isSameVersion && backup.manifest === null && contents.length > 0)
    console.error(`Another version may have made ${backup.path}:\n  ${contents.join('\n  ')}`)
  if (differences.length > 0)
    throw new Error(`What was restored differs from the backup:\n  ${differences.join('\n  ')}`)
  await endRestore(service)
  const records = [...after.values()].reduce((sum, totals) => sum + totals.records, 0)
  const compared = contents.length === 0 ? 'counts and contents are equal' : 'counts are equal'
  showProgress(`${records} records restored: ${compared}. ${gone} contacts erased again.`, true)
}

/** Restores into a service on this machine whose data is thrown away. */
async function tryHere(restoring: Restoring): Promise<void> {
  await build(interruption.signal)
  const local = await startLocalService({ signal: interruption.signal })
  await Promise.race([restore(local, restoring), local.ended]).finally(local.stop)
}

async function importBackup(service: Service, backup: Backup, survey: Survey): Promise<Summary> {
  const summary: Summary = new Map()
  const lines = requireRecords(backup.path, summed(linesOf(backup), survey, summary))
  const onProgress = ({ accepted, rejected }: ImportTotals) =>
    showProgress(`${accepted} accepted, ${rejected} rejected`)
  const { errors } = await importLines(service, lines, onProgress)
  // A restore that was interrupted may have erased some of them again.
  const isGone = ({ entity, id, message }: ImportTotals['errors'][number]) =>
    message === 'erased' && survey.gone.has(`${entity} ${id}`)
  const rejected = errors.filter((error) => !isGone(error))
  for (const { line, entity, id, message } of rejected)
    console.error(`line ${line}: ${entity ?? '?'} ${id ?? ''}: ${message}`)
  if (rejected.length > 0) console.error(`${rejected.length} lines were rejected.`)
  return summary
}

await runScript(main)
