/** Exports for other tools: the pictures, sharp in a separate process, smaller copies, and tables. */

export { CONTENDERS, median, type Session } from './contenders.ts'
export { chosen, JOBS, type Job, makePicture } from './jobs.ts'
export { cpuTime } from './processor.ts'
export { megabytes, table } from './report.ts'
export { measureSize, SIZE_FORMATS, SIZE_WIDTHS, type SizeFigures, storedCopies } from './sizes.ts'
