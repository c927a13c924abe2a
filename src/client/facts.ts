/** Facts of the OpenAPI document that the client goes by; `npm test -- -u` renews this file. */

/** Calls that may have another effect when repeated, unless they are sent with `If-Match`. */
export const REPEAT_NEEDS_IF_MATCH: readonly string[] = [
  'put /api/listings/{id}/photos',
  'put /api/listings/{id}/panorama-photos',
  'put /api/listings/{id}/photos/{ordernum}',
  'delete /api/listings/{id}/photos/{ordernum}',
  'put /api/listings/{id}/panorama-photos/{ordernum}',
  'delete /api/listings/{id}/panorama-photos/{ordernum}',
  'delete /office/knowledge-base/articles/{id}/files/{file_id}',
  'delete /api/appointments/{id}/confirmations/{party}',
  'delete /admin/contacts/{id}/hold',
]
