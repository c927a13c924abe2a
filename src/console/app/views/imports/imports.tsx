/** Import of a file that is dropped, tried first if wanted, with its progress and what the service says of its lines. */
import { useRef, useState } from 'hono/jsx/dom'
import { isTable } from '../../../../admin/transfer/csv/decode.ts'
import { type Failure, failureOf } from '../../errors.tsx'
import { Button, Check, Heading, Problem } from '../../parts.tsx'
import { useConsole } from '../../state.ts'
import { Outcome } from './outcome.tsx'
import { noProgress, type Progress, sendFile } from './send.ts'
import { TableMap } from './table.tsx'
import { useImportTexts } from './texts.ts'

export function Imports() {
  const { texts, formatNumber } = useConsole()
  const words = useImportTexts()
  const [file, setFile] = useState<File | null>(null)
  /** The lines to send: the file, or what was made of a table. */
  const [lines, setLines] = useState<Blob | null>(null)
  const [isDryRun, setDryRun] = useState(true)
  const [isStrict, setStrict] = useState(false)
  const [fetchesPhotos, setFetchesPhotos] = useState(false)
  const [progress, setProgress] = useState<Progress | null>(null)
  const [isRunning, setRunning] = useState(false)
  const [error, setError] = useState<Failure | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const isTabular = file !== null && isTable(file.name)
  const take = (chosen: Blob | null) => {
    setLines(chosen)
    setProgress(null)
    setError(null)
  }
  const choose = (chosen: File | null | undefined) => {
    if (!chosen) return
    setFile(chosen)
    const isLines = /\.(ndjson|jsonl?)$/i.test(chosen.name)
    take(isLines ? chosen : null)
    if (!isLines && !isTable(chosen.name)) setError(words.noText)
  }
  const run = async (before: Progress | null) => {
    if (!lines) return
    const done = before ?? noProgress({ isDryRun, isStrict: isStrict || isTabular, fetchesPhotos })
    setError(null)
    setRunning(true)
    setProgress({ ...done })
    try {
      await sendFile(lines, done, () => setProgress({ ...done }))
    } catch (failure) {
      setError(failureOf(failure))
      setProgress({ ...done })
    }
    setRunning(false)
  }
  return (
    <>
      <Heading title={texts.imports} />
      <div class="drop">
        <label for="file">
          <strong>{file ? file.name : texts.drop}</strong>
          <small class="block">{words.hint}</small>
        </label>
        {/* It fills the area, so files can be dropped on it. */}
        <input
          id="file"
          ref={input}
          type="file"
          accept=".csv,.tsv,.tab,.txt,.ndjson,.jsonl,.json"
          onChange={() => choose(input.current?.files?.[0])}
        />
      </div>
      {file && isTabular && <TableMap key={`${file.name} ${file.lastModified}`} file={file} onLines={take} />}
      <Check checked={isDryRun} onChange={() => setDryRun(!isDryRun)}>
        {texts.dryRun}
      </Check>
      <Check checked={fetchesPhotos} onChange={() => setFetchesPhotos(!fetchesPhotos)}>
        {words.fetchPhotos}
      </Check>
      {isTabular ? (
        <p class="quiet">{words.strictTable}</p>
      ) : (
        <Check checked={isStrict} onChange={() => setStrict(!isStrict)}>
          {words.strict}
        </Check>
      )}
      <Button
        kind="main"
        title={isDryRun ? texts.startDryRun : texts.startImport}
        disabled={!lines || isRunning}
        onPress={() => void run(null)}
      />
      <Problem failure={error} />
      {progress && error && !isRunning && (
        <div class="notice warm">
          <p>
            {progress.next > 1
              ? `${words.doneUntil} ${formatNumber(progress.next - 1)}. ${words.goOnHint}`
              : words.nothingDone}
          </p>
          <Button
            kind="main"
            title={`${words.goOn} ${formatNumber(progress.next)}`}
            onPress={() => void run(progress)}
          />
        </div>
      )}
      {progress && <Outcome progress={progress} isRunning={isRunning} isBroken={error !== null} />}
    </>
  )
}
