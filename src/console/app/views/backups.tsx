/** Backups in the bucket. */
import type { Admin } from '../admin.ts'
import { CallError, read } from '../call.ts'
import { Heading, Result, Table } from '../parts.tsx'
import { useConsole, useLoaded } from '../state.ts'

type Backup = Admin<'/admin/backups'>

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)

/** The backups; null where the deployment has no bucket for them. */
async function readBackups(): Promise<{ rows: Backup[] | null }> {
  try {
    return { rows: await read<Backup[]>('/admin/backups') }
  } catch (error) {
    if (error instanceof CallError && error.status === 404) return { rows: null }
    throw error
  }
}

export function Backups() {
  const { texts, formatDate, formatNumber, formatBytes } = useConsole()
  const backups = useLoaded('backups', readBackups)
  return (
    <>
      <Heading title={texts.backups} />
      <p class="quiet">{texts.backupsLead}</p>
      <Result loaded={backups}>
        {({ rows }) =>
          rows ? (
            <Table
              caption={texts.backups}
              rows={rows}
              columns={[
                { title: texts.date, cell: ({ name }) => name },
                {
                  title: texts.lines,
                  cell: ({ parts }) => formatNumber(sum(parts.map(({ lines }) => lines))),
                  isNumber: true,
                },
                {
                  title: texts.size,
                  cell: ({ parts }) => formatBytes(sum(parts.map(({ bytes }) => bytes))),
                  isNumber: true,
                },
                { title: texts.lastTried, cell: ({ date_tried }) => formatDate(date_tried) },
              ]}
            />
          ) : (
            <p class="notice warm">{texts.noBucket}</p>
          )
        }
      </Result>
    </>
  )
}
