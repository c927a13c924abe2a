/** Backups in the bucket. */
import { read } from '../call.ts'
import { Heading, Result, Table } from '../parts.tsx'
import { formatBytes, formatDate, formatNumber, useConsole, useLoaded } from '../state.ts'

interface Backup {
  name: string
  date_tried: string | null
  parts: { bytes: number; lines: number }[]
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)

export function Backups() {
  const state = useConsole()
  const { texts } = state
  const backups = useLoaded('backups', () => read<Backup[]>('/admin/backups'))
  return (
    <>
      <Heading title={texts.backups} />
      <p class="quiet">{texts.backupsLead}</p>
      <Result loaded={backups}>
        {(rows) => (
          <Table
            caption={texts.backups}
            rows={rows}
            keyOf={({ name }) => name}
            columns={[
              { title: texts.date, cell: ({ name }) => name },
              {
                title: texts.lines,
                cell: ({ parts }) => formatNumber(sum(parts.map(({ lines }) => lines)), state),
                isNumber: true,
              },
              {
                title: texts.size,
                cell: ({ parts }) => formatBytes(sum(parts.map(({ bytes }) => bytes)), state),
                isNumber: true,
              },
              { title: texts.lastTried, cell: ({ date_tried }) => formatDate(date_tried, state) },
            ]}
          />
        )}
      </Result>
    </>
  )
}
