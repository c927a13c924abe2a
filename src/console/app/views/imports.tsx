/** Import of a file that is dropped, tried first if wanted, with its progress and the lines that were refused. */
import { useRef, useState } from 'hono/jsx/dom'
import { call } from '../call.ts'
import { Heading, Problem, Table } from '../parts.tsx'
import { type Portion, portionFrom, portionsOf } from '../portions.ts'
import { describeError, formatNumber, useConsole } from '../state.ts'

interface Refused {
  line: number
  entity: string | null
  id: number | string | null
  message: string
  problems?: { field: string; message: string }[]
}

interface Answer {
  accepted: number
  rejected: number
  errors: Refused[]
  warnings: { line: number; message: string }[]
  /** The line to go on from; null if all were looked at. */
  next: number | null
}

interface Progress extends Omit<Answer, 'next'> {
  /** From 0 to 1. */
  share: number
  isRunning: boolean
  isDryRun: boolean
}

/** Refused lines that are shown. */
const MAX_SHOWN = 100

export function Imports() {
  const state = useConsole()
  const { texts } = state
  const [file, setFile] = useState<File | null>(null)
  const [isDryRun, setDryRun] = useState(true)
  const [progress, setProgress] = useState<Progress | null>(null)
  const [error, setError] = useState<string | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const choose = (chosen: File | null | undefined) => {
    setFile(chosen ?? null)
    setProgress(null)
    setError(null)
  }
  const run = async () => {
    if (!file) return
    setError(null)
    const done: Progress = {
      accepted: 0,
      rejected: 0,
      errors: [],
      warnings: [],
      share: 0,
      isRunning: true,
      isDryRun,
    }
    setProgress({ ...done })
    try {
      for await (const portion of portionsOf(file)) {
        for (let rest: Portion | null = portion; rest; ) rest = await send(rest, done)
        done.share = portion.share
        setProgress({ ...done })
      }
    } catch (failure) {
      setError(describeError(failure, texts))
    }
    setProgress({ ...done, isRunning: false })
  }
  return (
    <>
      <Heading title={texts.imports} />
      <div class="drop">
        <label for="file">
          <strong>{file ? file.name : texts.drop}</strong>
          <small class="block">{texts.dropHint}</small>
        </label>
        {/* It fills the area, so files can be dropped on it. */}
        <input
          id="file"
          ref={input}
          type="file"
          accept=".ndjson,.jsonl,.json,.txt"
          onChange={() => choose(input.current?.files?.[0])}
        />
      </div>
      <label class="check">
        <input type="checkbox" checked={isDryRun} onChange={() => setDryRun(!isDryRun)} /> {texts.dryRun}
      </label>
      <button
        type="button"
        class="button main"
        disabled={!file || progress?.isRunning === true}
        onClick={() => void run()}
      >
        {isDryRun ? texts.startDryRun : texts.startImport}
      </button>
      <Problem text={error} />
      {progress && (
        <>
          <p role="status">
            {progress.isRunning ? texts.importing : progress.isDryRun ? texts.dryRunDone : texts.importDone}{' '}
            {formatNumber(progress.accepted, state)} {texts.accepted},{' '}
            {formatNumber(progress.rejected, state)} {texts.rejected}
          </p>
          <progress max={1} value={progress.share} aria-label={texts.importing} />
          {progress.errors.length > 0 && (
            <section>
              <h2>{texts.refusedLines}</h2>
              {progress.rejected > MAX_SHOWN && <p class="quiet">{texts.firstHundred}</p>}
              <Table
                caption={texts.refusedLines}
                rows={progress.errors}
                keyOf={({ line }) => line}
                columns={[
                  { title: texts.line, cell: ({ line }) => formatNumber(line, state), isNumber: true },
                  {
                    title: texts.record,
                    cell: ({ entity, id }) => [entity, id].filter((one) => one !== null).join(' '),
                  },
                  {
                    title: texts.problem,
                    cell: ({ message, problems }) =>
                      (problems?.length ? problems.map((one) => one.message) : [message]).map((text) => (
                        <span class="block">{text}</span>
                      )),
                  },
                ]}
              />
            </section>
          )}
          {progress.warnings.length > 0 && (
            <section>
              <h2>{texts.warnings}</h2>
              <Table
                caption={texts.warnings}
                rows={progress.warnings}
                keyOf={({ line, message }) => `${line} ${message}`}
                columns={[
                  { title: texts.line, cell: ({ line }) => formatNumber(line, state), isNumber: true },
                  { title: texts.problem, cell: ({ message }) => message },
                ]}
              />
            </section>
          )}
        </>
      )}
    </>
  )
}

/** Sends a portion, and adds what the service says to `done`. Returns the lines that it has not looked at. */
async function send(portion: Portion, done: Progress): Promise<Portion | null> {
  const { firstLine, text } = portion
  const path = `/admin/import${done.isDryRun ? '?dry_run=true' : ''}`
  const raw = { type: 'application/x-ndjson', text }
  const { data } = await call<{ data: Answer }>('POST', path, { raw })
  const shift = <Line extends { line: number }>(one: Line) => ({ ...one, line: one.line + firstLine - 1 })
  done.accepted += data.accepted
  done.rejected += data.rejected
  done.errors = [...done.errors, ...data.errors.map(shift)].slice(0, MAX_SHOWN)
  done.warnings = [...done.warnings, ...data.warnings.map(shift)].slice(0, MAX_SHOWN)
  return data.next === null ? null : portionFrom(portion, data.next)
}
