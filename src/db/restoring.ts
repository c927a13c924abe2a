/**
 * The mark of a restore. While it stands the service holds a part of its records, and that part must not be taken for all:
 * nothing is backed up, no file and no old record is removed, no picture is measured, and no mail is sent. Each of these jobs has
 * the condition below in the statement that finds its work.
 */
import { textStatement } from './statements.ts'

/** A restore that is under way. */
export interface Restore {
  backup: string
  date_started: string
}

/** SQL that holds unless the service is being restored. */
export const NOT_RESTORING = 'not exists (select 1 from restores)'

export const SELECT_RESTORE = textStatement<Restore>('select backup, date_started from restores')
