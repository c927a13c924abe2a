/** Health, queues, records and the work of cron. */
import { CallError, call } from '../call.ts'
import { Badge, Heading, Result, Table } from '../parts.tsx'
import { formatBytes, formatDate, formatNumber, useConsole, useLoaded } from '../state.ts'

interface Stats {
  records: Record<string, { total: number; deleted: number; status: Record<string, number> }>
  waiting: Record<string, number>
  jobs: { name: string; last_run: string | null; milliseconds: number | null; error: string | null }[]
  backup: { last: string | null; last_tried: string | null }
  restoring: { backup: string; date_started: string } | null
  database: { bytes: number; limit: number }
  files: { objects: number | null; bytes: number | null; date: string | null }
  schema: { needed: string; found: string | null }
}

export function Overview() {
  const state = useConsole()
  const { texts } = state
  const stats = useLoaded('stats', async () => (await call<{ data: Stats }>('GET', '/admin/stats')).data)
  const health = useLoaded('health', readHealth)
  const reload = () => {
    stats.reload()
    health.reload()
  }
  return (
    <>
      <Heading title={texts.overview}>
        <button type="button" class="button quiet" onClick={reload}>
          {texts.refresh}
        </button>
      </Heading>
      <Result loaded={health}>
        {({ problem }) => (
          <p class={`notice ${problem ? 'bad' : 'good'}`}>
            {problem ? `${texts.unhealthy}: ${problem}` : texts.healthy}
          </p>
        )}
      </Result>
      <Result loaded={stats}>{(data) => <Figures {...data} />}</Result>
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

function Figures({ records, waiting, jobs, backup, restoring, database, files, schema }: Stats) {
  const state = useConsole()
  const { texts } = state
  return (
    <>
      {restoring && (
        <p class="notice bad">
          {texts.restoring}: {restoring.backup}, {formatDate(restoring.date_started, state)}
        </p>
      )}
      <section aria-labelledby="waiting">
        <h2 id="waiting">{texts.waiting}</h2>
        <ul class="tiles">
          {Object.entries(waiting).map(([name, count]) => (
            <li class="tile">
              <strong class={count > 0 ? 'warm' : ''}>{formatNumber(count, state)}</strong>
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
            {formatBytes(database.bytes, state)} {texts.of} {formatBytes(database.limit, state)}{' '}
            <meter
              min={0}
              max={database.limit}
              high={database.limit * 0.8}
              value={database.bytes}
              aria-label={texts.database}
            />
          </dd>
          <dt>{texts.bucket}</dt>
          <dd>
            {files.date === null || files.objects === null || files.bytes === null
              ? texts.unknown
              : `${formatNumber(files.objects, state)} ${texts.objects}, ${formatBytes(files.bytes, state)} (${texts.counted} ${formatDate(files.date, state)})`}
          </dd>
          <dt>{texts.schema}</dt>
          <dd>{schema.needed === schema.found ? texts.schemaFits : `${schema.found} → ${schema.needed}`}</dd>
          <dt>{texts.lastBackup}</dt>
          <dd>{formatDate(backup.last, state)}</dd>
          <dt>{texts.lastTried}</dt>
          <dd>{formatDate(backup.last_tried, state)}</dd>
        </dl>
      </section>
      <section aria-labelledby="jobs">
        <h2 id="jobs">{texts.jobs}</h2>
        <Table
          caption={texts.jobs}
          rows={jobs}
          keyOf={({ name }) => name}
          columns={[
            { title: texts.job, cell: ({ name }) => name.replaceAll('_', ' ') },
            { title: texts.lastRun, cell: ({ last_run }) => formatDate(last_run, state) },
            {
              title: texts.duration,
              cell: ({ milliseconds }) =>
                milliseconds === null ? '' : `${formatNumber(milliseconds, state)} ms`,
              isNumber: true,
            },
            { title: texts.error, cell: ({ error }) => error && <Badge kind="bad">{error}</Badge> },
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
            { title: texts.resource, cell: ([name]) => name },
            { title: texts.total, cell: ([, { total }]) => formatNumber(total, state), isNumber: true },
            { title: texts.deleted, cell: ([, { deleted }]) => formatNumber(deleted, state), isNumber: true },
            {
              title: texts.status,
              cell: ([, { status }]) =>
                Object.entries(status).map(([name, count]) => (
                  <Badge>
                    {name} {formatNumber(count, state)}
                  </Badge>
                )),
            },
          ]}
        />
      </section>
    </>
  )
}
