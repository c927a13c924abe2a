/** What the Greek console says of errors. */
import { describe, expect, it } from 'vitest'
import { GAVE_UP_REASON, GONE_REASON } from '../../src/admin/webhooks/deliver.ts'
import { ATTEMPT_ERRORS, interimOnlyError } from '../../src/admin/webhooks/send.ts'
import { said } from '../../src/console/app/errors.tsx'

describe('errors at the Greek console', () => {
  it('has Greek for every error and reason of a webhook', () => {
    const all = [
      ...Object.values(ATTEMPT_ERRORS),
      interimOnlyError(103),
      GAVE_UP_REASON,
      GONE_REASON,
      'Answer 500',
    ]
    for (const message of all) expect(said(message, 'el'), message).toMatch(/^[Α-ΩΆ-Ώ]/)
  })
})
