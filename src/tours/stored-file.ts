/** What endpoints for stored pictures and files have in common. */
import { z } from 'zod'
import { ApiError } from '../http/errors.ts'

/** 404 for a stored file. It must not be cached, because an import may add the file later. */
export function fileNotFound(): ApiError {
  return new ApiError(404, 'Not found', [], { 'Cache-Control': 'no-store' })
}

/** The common part of the contract: the name of the file, and the headers that `files/serve.ts` supports. */
export const storedFile = {
  params: z.object({ name: z.string().describe('Name of the stored file: the last part of its URL') }),
  otherReplies: {
    206: 'The part that `Range` asks for',
    304: 'Not modified since the client last had it',
    412: 'The file does not satisfy `If-Match` or `If-Unmodified-Since`',
    416: '`Range` begins beyond the end of the file',
  },
  headers: z.object({
    Range: z.string().optional().describe('One range of bytes: `bytes=0-999`'),
    'If-Range': z.string().optional().describe('Sends the range only if the file has this `ETag` or date'),
    'If-Match': z.string().optional().describe('Answers 412 unless the file has one of these `ETag`s'),
    'If-None-Match': z.string().optional().describe('Answers 304 if the file has one of these `ETag`s'),
    'If-Modified-Since': z.string().optional().describe('Answers 304 if the file is not newer'),
    'If-Unmodified-Since': z.string().optional().describe('Answers 412 if the file is newer'),
  }),
}
