/** A table of listings before it is imported: which column becomes what, what cannot be read, and the first records. */
import { useEffect, useRef, useState } from 'hono/jsx/dom'
import { ENCODINGS } from '../../../../admin/transfer/csv/decode.ts'
import type { CsvLine } from '../../../../admin/transfer/csv/lines.ts'
import type { CsvMap } from '../../../../admin/transfer/csv/map.ts'
import type { CsvProblem, Table as CsvTable } from '../../../../admin/transfer/csv/table.ts'
import { CallError } from '../../call.ts'
import type { Csv } from '../../csv.ts'
import type { Failure } from '../../errors.tsx'
import { FieldsInWords } from '../../fields.tsx'
import { Button, download, Problem, Select, Table, TextField } from '../../parts.tsx'
import { useConsole } from '../../state.ts'
import { Columns, EveryRecord, Meanings } from './columns.tsx'
import { readStored, type Stored } from './stored.ts'
import { problemText, useImportTexts } from './texts.ts'

/** No literal, so that the bundle leaves the script where it is. */
const SCRIPT: string = '/console/csv.js'
const DELIMITERS: CsvMap['delimiter'][] = [';', ',', '\t']
const PREVIEW = 3

interface Opened {
  csv: Csv
  bytes: Uint8Array
  table: CsvTable
  /** What is wrong with the table itself. */
  problems: CsvProblem[]
  map: CsvMap
  stored: Stored
}

/** Gives `onLines` what is to be sent, or null while something cannot be read. */
export function TableMap({ file, onLines }: { file: File; onLines: (lines: Blob | null) => void }) {
  const { texts, language, self, formatNumber } = useConsole()
  const words = useImportTexts()
  const [opened, setOpened] = useState<Opened | null>(null)
  const [error, setError] = useState<Failure | null>(null)
  const [isLoaded, setLoaded] = useState(false)
  const mapFile = useRef<HTMLInputElement>(null)

  const open = async (known: Partial<CsvMap>, map?: CsvMap) => {
    try {
      const csv = opened?.csv ?? ((await import(SCRIPT)) as { csv: Csv }).csv
      const bytes = opened?.bytes ?? new Uint8Array(await file.arrayBuffer())
      const { table, problems } = csv.readTable(bytes, known)
      const stored = opened?.stored ?? (await readStored(csv, self))
      const drafted = map ?? csv.draftMap(table, stored.places, stored.firstId)
      setOpened({ csv, bytes, table, problems, map: drafted, stored })
      setError(null)
    } catch (failure) {
      if (failure instanceof CallError) return setError(failure)
      const isUnloaded = failure instanceof TypeError
      setError(isUnloaded ? texts.noAnswer : problemText((failure as Error).message, language))
    }
  }
  const load = async () => {
    const text = await mapFile.current?.files?.[0]?.text()
    if (text === undefined || !opened) return
    const read = opened.csv.csvMap.safeParse(parsed(text))
    setLoaded(read.success)
    if (read.success) await open(read.data, read.data)
    else setError(words.noMap)
  }
  useEffect(() => void open({}), [])
  const made = opened?.csv.linesOf(opened.table, opened.map)
  const problems = [...(opened?.problems ?? []), ...(made?.problems ?? [])]
  useEffect(() => onLines(made && problems.length === 0 ? blobOf(made.lines) : null), [opened])

  if (!opened || !made) return error ? <Problem failure={error} /> : <p class="quiet">{texts.loading}</p>
  const { csv, table, map, stored } = opened
  const change = (changed: Partial<CsvMap>) => setOpened({ ...opened, map: { ...map, ...changed } })
  const left = map.columns.filter(({ field }) => field === null).map(({ heading }) => heading)
  const lineText = (line: number) => formatNumber(line)
  return (
    <>
      <section>
        <h2>{words.columns}</h2>
        <p class="quiet">
          {words.readAs} {table.encoding}, {formatNumber(table.rows.length)} {words.rows}.
          {left.length > 0 && ` ${words.notTaken} ${left.join(', ')}.`}
        </p>
        <div class="fields">
          <Select
            id="csv-encoding"
            name="encoding"
            label={words.encoding}
            value={map.encoding}
            options={ENCODINGS.map((one) => [one, one])}
            onChange={(encoding) => void open({ ...map, encoding: encoding as CsvMap['encoding'] })}
          />
          <Select
            id="csv-delimiter"
            name="delimiter"
            label={words.delimiter}
            value={map.delimiter}
            options={DELIMITERS.map((one) => [one, one === '\t' ? words.tabs : one])}
            onChange={(delimiter) => void open({ ...map, delimiter: delimiter as CsvMap['delimiter'] })}
          />
        </div>
        <Columns {...{ csv, table, map, stored, change }} />
      </section>
      <Meanings {...{ csv, map, stored, change }} />
      <EveryRecord {...{ csv, map, change }} />
      <div class="fields">
        <TextField
          label={words.skipLines}
          name="skip_lines"
          value={map.skip_lines.join(', ')}
          onChange={(event: Event) =>
            change({ skip_lines: (event.target as HTMLInputElement).value.match(/\d+/g)?.map(Number) ?? [] })
          }
        />
        {!map.columns.some(({ field }) => field === 'id') && (
          <TextField
            label={words.firstId}
            name="first_id"
            inputmode="numeric"
            hint={words.firstIdHint}
            value={String(map.first_id ?? '')}
            onChange={(event: Event) => {
              const id = Number((event.target as HTMLInputElement).value)
              if (Number.isSafeInteger(id) && id > 0) change({ first_id: id })
            }}
          />
        )}
      </div>
      <div class="actions">
        <Button title={words.saveMap} onPress={() => download(`${file.name}.map.json`, map)} />
        <Button title={words.loadMap} onPress={() => mapFile.current?.click()} />
        <input
          type="file"
          hidden
          aria-label={words.loadMap}
          accept=".json"
          ref={mapFile}
          onChange={() => void load()}
        />
        {isLoaded && <span role="status">{words.mapLoaded}</span>}
      </div>
      <Problem failure={error} />
      <section aria-live="polite">
        <h2>{words.problems}</h2>
        {problems.length === 0 ? (
          <p class="quiet">{words.noProblems}</p>
        ) : (
          <Table
            caption={words.problems}
            rows={problems}
            columns={[
              { title: texts.line, cell: ({ line }) => lineText(line), isNumber: true },
              { title: words.column, cell: ({ column }) => column ?? '' },
              { title: texts.problem, cell: ({ message }) => problemText(message, language) },
            ]}
          />
        )}
      </section>
      {made.lines.length > 0 && (
        <section>
          <h2>{words.preview}</h2>
          <Table
            caption={words.preview}
            rows={made.lines.slice(0, PREVIEW)}
            keyOf={({ line }) => line}
            columns={[
              { title: texts.line, cell: ({ line }) => lineText(line), isNumber: true },
              {
                title: texts.fields,
                cell: ({ data }) => <FieldsInWords resource="listings" fields={ownOf(data, map)} />,
              },
            ]}
          />
        </section>
      )}
    </>
  )
}

/** What a record has of its own: the rest is chosen above, by name. */
const ownOf = (data: Record<string, unknown>, { every }: CsvMap) =>
  Object.fromEntries(Object.entries(data).filter(([name]) => !Object.hasOwn(every, name)))

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The lines to send; the number of each is its line in the table. */
function blobOf(lines: CsvLine[]): Blob {
  const numbered: string[] = []
  for (const { line, ...record } of lines) numbered[line - 1] = JSON.stringify(record)
  return new Blob([Array.from(numbered, (text) => text ?? '').join('\n')])
}
