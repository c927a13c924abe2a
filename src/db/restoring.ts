/**
 * The mark of a restore. While it stands the service holds a part of its records, and that part must not be taken for all:
 * nothing is backed up, no file and no old record is removed, no picture is measured, and no mail is sent. Each of these jobs has
 * the condition below in the statement that finds its work.
 *
 * Nor may others write meanwhile: they would take ids that the backup needs, and the restore would overwrite their records. So
 * each transaction of their calls begins with a statement that fails (`client.ts`), and costs no round trip.
 */
import { messagesOfD1 } from './errors.ts'
import { textStatement } from './statements.ts'

/** A restore that is under way. */
export interface Restore {
  backup: string
  date_started: string
}

/** SQL that holds unless the service is being restored. */
export const NOT_RESTORING = 'not exists (select 1 from restores)'

export const SELECT_RESTORE = textStatement<Restore>('select backup, date_started from restores')

/** What the error of the statement below names, as outside triggers SQL has no way to raise an error of its own. */
const PATH = 'service-is-being-restored'

/** The statement that fails if the service is being restored. It only reads. */
export const REFUSE_WHILE_RESTORING = textStatement(
  `select json_extract('{}', '${PATH} ' || id) from restores`,
)

/** Whether the statement above made a call to D1 fail. */
export function isRefusedWhileRestoring(error: unknown): boolean {
  return messagesOfD1(error).some((message) => message.includes(PATH))
}
