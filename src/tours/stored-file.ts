/** What calls for stored pictures and files share. */
import { z } from 'zod'
import { ApiError } from '../http/errors.ts'

/** The answer for a picture or file that is not there. It must not be cached, as an import may bring it later. */
export function fileNotFound(): ApiError {
  return new ApiError(404, 'Not found', [], { 'Cache-Control': 'no-store' })
}

/** What a call takes and answers: its name, and the headers that `files/serve.ts` understands. */
export const storedFile = {
  params: z.object({ name: z.string().describe('Name of the stored file, as its address ends') }),
  otherReplies: {
    206: 'The part that `Range` asks for',
    304: 'Not modified since the client last had it',
    412: 'The file is not the one that `If-Match` or `If-Unmodified-Since` means',
    416: '`Range` asks for what lies beyond the end',
  },
  headers: z.object({
    Range: z.string().optional().describe('The bytes wanted, one range of them: `bytes=0-999`'),
    'If-Range': z.string().optional().describe('Sends the range only of the version of this `ETag` or date'),
    'If-Match': z.string().optional().describe('Answers 412 unless the file has one of these `ETag`s'),
    'If-None-Match': z.string().optional().describe('Answers 304 where the file has one of these `ETag`s'),
    'If-Modified-Since': z.string().optional().describe('Answers 304 where the file is no newer'),
    'If-Unmodified-Since': z.string().optional().describe('Answers 412 where the file is newer'),
  }),
}
