/** The map of a table in words: the field of each column, and what its cells mean. */
import { useEffect, useState } from 'hono/jsx/dom'
import type { ColumnMap, CsvMap } from '../../../../admin/transfer/csv/map.ts'
import type { Table as CsvTable } from '../../../../admin/transfer/csv/table.ts'
import { may, read } from '../../call.ts'
import type { Csv } from '../../csv.ts'
import { Select, Table, TextField } from '../../parts.tsx'
import { useConsole, useLoaded } from '../../state.ts'
import { fieldName, valueName } from '../../words.ts'
import type { Stored } from './stored.ts'
import { useImportTexts } from './texts.ts'

interface Parts {
  csv: Csv
  map: CsvMap
  change: (changed: Partial<CsvMap>) => void
}

/** A cell without a value, as its control has it. */
const NOTHING = '-'

/** A choice for each column of what it becomes. */
export function Columns({ csv, table, map, stored, change }: Parts & { table: CsvTable; stored: Stored }) {
  const { language, fieldName } = useConsole()
  const words = useImportTexts()
  const fields = [...csv.FIELD_KINDS.keys()]
    .map((field): [string, string] => [field, fieldName(field)])
    .sort(([, a], [, b]) => a.localeCompare(b, language))
  const records = table.rows.filter(({ line }) => !map.skip_lines.includes(line))
  const replace = (index: number, column: ColumnMap) =>
    change({ columns: map.columns.map((one, at) => (at === index ? column : one)) })
  const choose = (index: number, field: string) => {
    const heading = map.columns[index]?.heading ?? ''
    const columns = map.columns.map((one, at) => {
      if (at !== index) return one
      return field === ''
        ? { heading, field: null }
        : csv.columnOf({ headings: table.headings, rows: records }, index, field, stored.places)
    })
    const hasId = columns.some((one) => one.field === 'id')
    change({ columns, first_id: hasId ? undefined : (map.first_id ?? stored.firstId) })
  }
  return (
    <Table
      caption={words.columns}
      rows={map.columns.map((column, index) => ({ column, index }))}
      columns={[
        { title: words.column, cell: ({ column }) => <strong>{column.heading}</strong> },
        {
          title: words.example,
          cell: ({ index }) => records.find(({ cells }) => cells[index])?.cells[index]?.slice(0, 60) ?? '',
        },
        {
          title: words.goesTo,
          cell: ({ column, index }) => (
            <>
              <Select
                id={`csv-field-${index}`}
                name="field"
                label={column.heading}
                isLabelHidden
                value={column.field}
                options={fields}
                empty={words.notImported}
                onChange={(field) => choose(index, field)}
              />
              {'decimal' in column && (
                <Select
                  id={`csv-decimal-${index}`}
                  name="decimal"
                  label={words.decimal}
                  value={column.decimal}
                  options={[
                    [',', '1.234,5'],
                    ['.', '1,234.5'],
                  ]}
                  empty={words.choose}
                  onChange={(mark) =>
                    replace(index, { ...column, decimal: mark === ',' || mark === '.' ? mark : null })
                  }
                />
              )}
              {'order' in column && (
                <Select
                  id={`csv-order-${index}`}
                  name="order"
                  label={words.order}
                  value={column.order}
                  options={[
                    ['d/m/y', '31/12/2026'],
                    ['m/d/y', '12/31/2026'],
                  ]}
                  empty={words.choose}
                  onChange={(order) =>
                    replace(index, {
                      ...column,
                      order: order === 'd/m/y' || order === 'm/d/y' ? order : null,
                    })
                  }
                />
              )}
            </>
          ),
        },
      ]}
    />
  )
}

/** What the names in a column mean; open while something has no meaning. */
export function Meanings({ csv, map, stored, change }: Parts & { stored: Stored }) {
  const { language, texts } = useConsole()
  const words = useImportTexts()
  const mapped = map.columns.flatMap((column, index) =>
    column.values && Object.keys(column.values).length > 0 ? [{ column, index, values: column.values }] : [],
  )
  const lacks = mapped.some(({ values }) => Object.values(values).includes(null))
  // It does not fold while somebody fills it in.
  const [isOpen, setOpen] = useState(lacks)
  useEffect(() => void (lacks && setOpen(true)), [lacks])
  if (mapped.length === 0) return null
  return (
    <details class="machinery" open={isOpen}>
      <summary>
        <h2>{words.meaning}</h2>
      </summary>
      {mapped.map(({ column, index, values }) => {
        const field = column.field ?? ''
        const isAnswer = csv.FIELD_KINDS.get(field) === 'answer'
        const level = Number(/area_level(\d)$/.exec(field)?.[1])
        const places = stored.places.filter((place) => place.level === level)
        const named = `full_name_${language}` as const
        const answers: [string, string][] = [
          ['true', texts.yes],
          ['false', texts.no],
        ]
        const options = isAnswer ? answers : choices(csv, field, language)
        const idsOf = (text: string) => {
          const place = places.find((one) => one[named] === text)
          return place ? csv.pathTo(place, stored.places) : null
        }
        const read = (text: string) => {
          if (text === NOTHING) return ''
          if (isAnswer) return text === '' ? null : text === 'true'
          if (options.length > 0) return text || null
          return idsOf(text) ?? (/^-?\d{1,13}$/.test(text) ? Number(text) : null)
        }
        const set = (cell: string, text: string) => {
          const meant = { ...values, [cell]: read(text.trim()) }
          change({
            columns: map.columns.map((one, at) => (at === index ? { ...column, values: meant } : one)),
          })
        }
        const nameOfPlace = (value: string) => places.find(({ id }) => String(id) === value)?.[named] ?? value
        return (
          <fieldset>
            <legend>{column.heading}</legend>
            {places.length > 0 && (
              <datalist id={`csv-places-${index}`}>
                {places.map((place) => (
                  <option value={place[named]} />
                ))}
              </datalist>
            )}
            <div class="fields">
              {Object.entries(values).map(([cell, value], at) =>
                options.length > 0 ? (
                  <Select
                    id={`csv-value-${index}-${at}`}
                    name="value"
                    label={cell}
                    value={shown(value)}
                    options={[...options, [NOTHING, words.nothing]]}
                    empty={words.choose}
                    onChange={(chosen) => set(cell, chosen)}
                  />
                ) : (
                  <TextField
                    label={cell}
                    name={`csv-value-${index}-${at}`}
                    list={places.length > 0 ? `csv-places-${index}` : undefined}
                    hint={places.length > 0 ? words.placeHint : words.numberHint}
                    value={nameOfPlace(shown(value))}
                    onChange={(event: Event) => set(cell, (event.target as HTMLInputElement).value)}
                  />
                ),
              )}
            </div>
          </fieldset>
        )
      })}
    </details>
  )
}

function choices(csv: Csv, field: string, language: 'el' | 'en'): [string, string][] {
  if (field === 'features')
    return [...new Set(csv.FEATURE_NAMES.values())].map((name) => [name, fieldName(name, language)])
  return [...new Set(csv.choicesOf(field).values())].map((value) => [
    value,
    valueName('listings', field, value, language),
  ])
}

/** What is read by name to choose from, by the field that takes it. */
const LOOKUPS: Record<string, string> = {
  store_id: 'stores',
  created_by: 'users',
  users: 'users',
  language_id: 'languages',
}

/** What the table does not say and every record needs. */
export function EveryRecord({ csv, map, change }: Parts) {
  const { language, self, fieldName } = useConsole()
  const words = useImportTexts()
  const lookups = useLoaded('lookups', async () => {
    const names = [...new Set(Object.values(LOOKUPS))].filter((name) => may(self, `${name}:read`))
    const lists = names.map((name) => read<{ id: number; name: string }[]>(`/api/${name}?per_page=100`))
    return Object.fromEntries((await Promise.all(lists)).map((rows, at) => [names[at] ?? '', rows]))
  })
  return (
    <section>
      <h2>{words.everyRecord}</h2>
      <div class="fields">
        {Object.entries(map.every).map(([field, value]) => {
          const rows = lookups.data?.[LOOKUPS[field] ?? ''] ?? []
          const named = rows.map(({ id, name }): [string, string] => [String(id), name])
          const options = LOOKUPS[field] ? named : choices(csv, field, language)
          const set = (text: string) => {
            const id = Number(text) || null
            const one = LOOKUPS[field] ? (Array.isArray(value) && id ? [id] : id) : text || null
            change({ every: { ...map.every, [field]: one } })
          }
          const shown = String((Array.isArray(value) ? value[0] : value) ?? '')
          return options.length > 0 ? (
            <Select
              id={`csv-every-${field}`}
              name={field}
              label={fieldName(field)}
              value={shown}
              options={options}
              empty={words.choose}
              onChange={set}
            />
          ) : (
            <TextField
              label={fieldName(field)}
              name={`csv-every-${field}`}
              value={shown}
              onChange={(event: Event) => set((event.target as HTMLInputElement).value)}
            />
          )
        })}
      </div>
    </section>
  )
}

/** A value as its control has it: of a place its own id, without those above it. */
function shown(value: string | number | boolean | number[] | null): string {
  if (value === '') return NOTHING
  return String((Array.isArray(value) ? value.at(-1) : value) ?? '')
}
