/** What waits for people; behind a fold health, queues, records and the work of cron. */
import type { Admin } from '../admin.ts'
import { CallError, call, may } from '../call.ts'
import { Noted } from '../errors.tsx'
import { Value } from '../fields.tsx'
import { Badge, Button, Heading, RecordLink, Result, Table } from '../parts.tsx'
import { todayOf, useConsole, useLoaded } from '../state.ts'
import { Diary, useDiary } from './diary.tsx'
import { Tasks, useTasks } from './tasks.tsx'

type Stats = Admin<'/admin/stats'>

interface Pending {
  /** How many viewings wait for feedback. */
  pending: number
}

export function Overview() {
  const state = useConsole()
  const { texts, self } = state
  const stats = useLoaded('stats', async () => (await call<{ data: Stats }>('GET', '/admin/stats')).data)
  const health = useLoaded('health', readHealth)
  const diary = useDiary()
  const tasks = useTasks({ 'due[max]': todayOf(self) })
  const reload = () => {
    stats.reload()
    diary.reload()
    tasks.reload()
    health.reload()
  }
  return (
    <>
      <Heading title={texts.overview}>
        <Button title={texts.refresh} onPress={reload} />
      </Heading>
      <Result loaded={health}>
        {({ problem }) => (
          <p class={`notice ${problem ? 'bad' : 'good'}`}>
            {problem ? `${texts.unhealthy}: ${problem}` : texts.healthy}
          </p>
        )}
      </Result>
      <Result loaded={stats}>
        {(data) => <Figures {...data} pending={diary.data?.pending.total_results ?? 0} />}
      </Result>
      <Tasks title={texts.tasksToday} tasks={tasks} onDone={tasks.reload} />
      <Result loaded={diary}>{(data) => data && <Diary {...data} />}</Result>
    </>
  )
}

async function readHealth(): Promise<{ problem: string | null }> {
  try {
    await call('GET', '/health')
    return { problem: null }
  } catch (error) {
    if (error instanceof CallError && error.status === 503) return { problem: error.message }
    throw error
  }
}

/** A backup is made every night; one that is older than this is late. */
const LATE_MS = 26 * 3_600_000

/** What waits for people, then the machinery, which is opened where it needs them. */
function Figures(stats: Stats & Pending) {
  const { texts, formatDate } = useConsole()
  const { jobs, schema, restoring } = stats
  const isBroken =
    jobs.some(({ error, failed }) => error || failed.length > 0) || schema.needed !== schema.found
  return (
    <>
      {restoring && (
        <p class="notice bad">
          {texts.restoring}: {restoring.backup}, {formatDate(restoring.date_started)}
        </p>
      )}
      <ForPeople {...stats} />
      <details class="machinery" open={isBroken}>
        <summary>
          <h2>{texts.machinery}</h2>
        </summary>
        <Machinery {...stats} />
      </details>
    </>
  )
}

function ForPeople({ records, waiting, imports, backup, database, pending }: Stats & Pending) {
  const { texts, self, formatDate, formatNumber } = useConsole()
  const fresh = records.enquiries?.status.new ?? 0
  const isLate =
    backup.last !== null && Date.now() - Date.parse(`${backup.last.replace(' ', 'T')}Z`) > LATE_MS
  const tasks: { text: string; count?: number; address?: string | null; isBad?: boolean }[] = [
    { text: texts.newEnquiries, count: fresh, address: may(self, 'enquiries:read') ? '#enquiries' : null },
    { text: texts.viewingsPending, count: pending },
    { text: texts.mailsWaiting, count: waiting.mails ?? 0 },
    { text: texts.photosMissed, count: imports.warnings.length },
  ]
  const open = tasks.filter(({ count = 0 }) => count > 0)
  if (isLate)
    open.push({
      text: `${texts.backupLate} ${formatDate(backup.last)}`,
      address: '#backups',
      isBad: true,
    })
  if (backup.last === null) open.push({ text: texts.backupNone, address: '#backups' })
  if (database.bytes !== null && database.bytes > database.limit * 0.8)
    open.push({ text: texts.databaseFull, isBad: true })
  return (
    <section aria-labelledby="for-people">
      <h2 id="for-people">{texts.forPeople}</h2>
      {open.length === 0 && <p class="notice good">{texts.nothingWaits}</p>}
      <ul class="tasks">
        {open.map(({ text, count, address, isBad }) => (
          <li class={isBad ? 'notice bad' : 'notice warm'}>
            {count !== undefined && <strong>{formatNumber(count)} </strong>}
            {address ? <a href={address}>{text}</a> : text}
          </li>
        ))}
      </ul>
      {imports.warnings.length > 0 && (
        <Table
          caption={texts.photosMissed}
          rows={imports.warnings}
          columns={[
            {
              title: texts.listing,
              cell: ({ listing_id }) => <RecordLink resource="listings" id={listing_id} />,
            },
            { title: texts.url, cell: ({ address }) => address },
            { title: texts.problem, cell: ({ message }) => message },
          ]}
        />
      )}
    </section>
  )
}

function Machinery({ records, waiting, jobs, backup, database, files, schema }: Stats) {
  const { texts, formatDate, formatNumber, formatBytes, nameOf } = useConsole()
  return (
    <>
      <section aria-labelledby="waiting">
        <h2 id="waiting">{texts.waiting}</h2>
        <ul class="tiles">
          {Object.entries(waiting).map(([name, count]) => (
            <li class="tile">
              <strong class={count ? 'warm' : ''}>
                {count === null ? texts.unknown : formatNumber(count)}
              </strong>
              <span>{texts.waitingFor[name] ?? name}</span>
            </li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="storage">
        <h2 id="storage">{texts.storage}</h2>
        <dl class="facts">
          <dt>{texts.database}</dt>
          <dd>
            {database.bytes === null ? texts.unknown : formatBytes(database.bytes)} {texts.of}{' '}
            {formatBytes(database.limit)}{' '}
            <meter
              min={0}
              max={database.limit}
              high={database.limit * 0.8}
              value={database.bytes ?? 0}
              aria-label={texts.database}
            />
          </dd>
          <dt>{texts.bucket}</dt>
          <dd>
            {files.date === null || files.objects === null || files.bytes === null
              ? texts.unknown
              : `${formatNumber(files.objects)} ${texts.objects}, ${formatBytes(files.bytes)} (${texts.counted} ${formatDate(files.date)})`}
          </dd>
          <dt>{texts.schema}</dt>
          <dd>{schema.needed === schema.found ? texts.schemaFits : `${schema.found} → ${schema.needed}`}</dd>
          <dt>{texts.lastBackup}</dt>
          <dd>{formatDate(backup.last)}</dd>
          <dt>{texts.lastTried}</dt>
          <dd>{formatDate(backup.last_tried)}</dd>
        </dl>
      </section>
      <section aria-labelledby="jobs">
        <h2 id="jobs">{texts.jobs}</h2>
        <Table
          caption={texts.jobs}
          rows={jobs}
          columns={[
            { title: texts.job, cell: ({ name }) => nameOf('jobs', name) },
            { title: texts.lastRun, cell: ({ last_run }) => formatDate(last_run) },
            {
              title: texts.duration,
              cell: ({ milliseconds }) => (milliseconds === null ? '' : `${formatNumber(milliseconds)} ms`),
              isNumber: true,
            },
            {
              title: texts.error,
              cell: ({ error, failed }) => (
                <>
                  {error && (
                    <Badge kind="bad">
                      <Noted error={error} />
                    </Badge>
                  )}
                  {failed.map((one) => (
                    <span class="block">
                      <RecordLink resource={one.resource} id={one.id} />: <Noted error={one.error} />
                    </span>
                  ))}
                </>
              ),
            },
          ]}
        />
      </section>
      <section aria-labelledby="records">
        <h2 id="records">{texts.records}</h2>
        <Table
          caption={texts.records}
          rows={Object.entries(records)}
          keyOf={([name]) => name}
          columns={[
            { title: texts.resource, cell: ([name]) => nameOf('resources', name) },
            { title: texts.total, cell: ([, { total }]) => formatNumber(total), isNumber: true },
            { title: texts.deleted, cell: ([, { deleted }]) => formatNumber(deleted), isNumber: true },
            {
              title: texts.status,
              cell: ([resource, { status }]) =>
                Object.entries(status).map(([name, count]) => (
                  <Badge>
                    {/* The agency's own statuses are ids. */}
                    <Value
                      resource={resource}
                      field="status"
                      value={/^\d+$/.test(name) ? Number(name) : name}
                    />{' '}
                    {formatNumber(count)}
                  </Badge>
                )),
            },
          ]}
        />
      </section>
    </>
  )
}
