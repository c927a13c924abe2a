/** The answer for a picture or file that is not there: nobody may keep it, as an address may come to life by import. */
import { ApiError } from '../http/errors.ts'

export function notStored(): ApiError {
  return new ApiError(404, 'Not found', [], { 'Cache-Control': 'no-store' })
}
