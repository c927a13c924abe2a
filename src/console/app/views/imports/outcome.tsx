/** What became of the lines of an import. */
import type { Child } from 'hono/jsx'
import { CallError } from '../../call.ts'
import { Said } from '../../errors.tsx'
import { Table } from '../../parts.tsx'
import { useConsole } from '../../state.ts'
import { MAX_SHOWN, type Progress } from './send.ts'
import { useImportTexts } from './texts.ts'

export function Outcome({
  progress,
  isRunning,
  isBroken,
}: {
  progress: Progress
  isRunning: boolean
  isBroken: boolean
}) {
  const { texts, formatNumber, nameOf } = useConsole()
  const words = useImportTexts()
  const { accepted, rejected, errors, warnings, ignored, share, isDryRun } = progress
  const done = isBroken ? words.broken : isDryRun ? texts.dryRunDone : texts.importDone
  return (
    <>
      <p role="status">
        {isRunning ? texts.importing : done} {formatNumber(accepted)} {texts.accepted},{' '}
        {formatNumber(rejected)} {texts.rejected}
      </p>
      <progress max={1} value={share} aria-label={texts.importing} />
      <Lines
        title={texts.refusedLines}
        rows={errors}
        total={rejected}
        cell={({ entity, id, message, problems }) => (
          <>
            {entity && <strong class="block">{`${nameOf('records', entity)} ${id ?? ''}`}</strong>}
            {(problems?.length ? problems : [{ message }]).map((one) => (
              <span class="block">
                <Said failure={new CallError(400, one.message)} />
              </span>
            ))}
          </>
        )}
      />
      <Lines
        title={texts.warnings}
        rows={warnings}
        cell={({ message }) => <Said failure={new CallError(400, message)} />}
      />
      <Lines
        title={words.ignored}
        hint={words.unknownFields}
        rows={ignored}
        cell={({ fields }) => <code>{fields.join(', ')}</code>}
      />
    </>
  )
}

function Lines<Row extends { line: number }>({
  title,
  hint,
  rows,
  total = rows.length,
  cell,
}: {
  title: string
  hint?: string
  rows: Row[]
  total?: number
  cell: (row: Row) => Child
}) {
  const { texts, formatNumber } = useConsole()
  if (rows.length === 0) return null
  return (
    <section>
      <h2>{title}</h2>
      {hint && <p class="quiet">{hint}</p>}
      {(total > MAX_SHOWN || rows.length === MAX_SHOWN) && <p class="quiet">{texts.firstHundred}</p>}
      <Table
        caption={title}
        rows={rows}
        columns={[
          { title: texts.line, cell: ({ line }) => formatNumber(line), isNumber: true },
          { title: texts.problem, cell },
        ]}
      />
    </section>
  )
}
