/** Backups in the bucket. */
import { read } from '../call.ts'
import { Heading, Result, Table } from '../parts.tsx'
import { formatBytes, formatNumber, useConsole, useLoaded } from '../state.ts'

interface Backup {
  name: string
  parts: number
  bytes: number
}

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
              { title: texts.parts, cell: ({ parts }) => formatNumber(parts, state), isNumber: true },
              { title: texts.size, cell: ({ bytes }) => formatBytes(bytes, state), isNumber: true },
            ]}
          />
        )}
      </Result>
    </>
  )
}
