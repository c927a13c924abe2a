/** Takes the mails of a deployment, as the binding `MAIL` does. */

export const FROM = 'estia@agency.example'

/** Takes mails, but refuses the first so many. */
export class Mailbox implements SendEmail {
  readonly mails: EmailMessageBuilder[] = []
  tries = 0
  failures: number
  meanwhile: () => Promise<unknown> = async () => undefined

  constructor(failures = 0) {
    this.failures = failures
  }

  async send(mail: EmailMessage | EmailMessageBuilder) {
    this.tries++
    await this.meanwhile()
    if (this.failures-- > 0)
      throw Object.assign(new Error(`mail to ${mail.to} refused`), { code: 'E_RATE_LIMIT_EXCEEDED' })
    this.mails.push(mail as EmailMessageBuilder)
    return { messageId: '1' }
  }
}

/** The bindings of a deployment that sends mails. */
export const bindingsOf = (MAIL: SendEmail): Partial<Env> => ({ MAIL, MAIL_FROM: FROM })
