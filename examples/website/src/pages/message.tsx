/** Pages that are mostly text: thanks, privacy, errors. */
import type { Child } from 'hono/jsx'
import { searchPath } from '../search.ts'
import { type Language, texts } from '../texts.ts'

interface MessageProps {
  title: string
  text: string
  links: { href: string; text: string }[]
  children?: Child
}

function Message({ title, text, links, children }: MessageProps) {
  return (
    <div class="wide message">
      <h1>{title}</h1>
      <p class="lead">{text}</p>
      {children}
      <p class="message-links">
        {links.map((link, index) => (
          <a class={index === 0 ? 'button' : 'button-quiet'} href={link.href}>
            {link.text}
          </a>
        ))}
      </p>
    </div>
  )
}

export function NotFound({ language }: { language: Language }) {
  const t = texts[language]
  const links = [
    { href: searchPath(language), text: t.allProperties },
    { href: `/${language}/`, text: t.home },
  ]
  return <Message title={t.notFoundTitle} text={t.notFoundText} links={links} />
}

export function Unavailable({ language, again }: { language: Language; again: string }) {
  const t = texts[language]
  return (
    <Message
      title={t.unavailableTitle}
      text={t.unavailableText}
      links={[{ href: again, text: t.tryAgain }]}
    />
  )
}

/** A visitor, or a program at their address, has opened more pages than people do. */
export function TooMany({ language, again }: { language: Language; again: string }) {
  const t = texts[language]
  return <Message title={t.tooManyTitle} text={t.tooManyText} links={[{ href: again, text: t.tryAgain }]} />
}

interface ThankYouProps {
  /** The id of the listing that the enquiry is about. */
  listing: number | null
  reference: string | null
  language: Language
}

/** What follows an enquiry: its reference and the next steps. */
export function ThankYou({ listing, reference, language }: ThankYouProps) {
  const t = texts[language]
  const links = [{ href: searchPath(language), text: t.allProperties }]
  if (listing !== null) links.unshift({ href: `/${language}/listings/${listing}`, text: t.backToListing })
  return (
    <Message title={t.sentTitle} text={t.sentText} links={links}>
      {reference && (
        <p class="reference">
          {t.reference} <strong>{reference}</strong>
        </p>
      )}
      <section class="next">
        <h2>{t.nextTitle}</h2>
        <ol>
          {t.nextSteps.map((step) => (
            <li>{step}</li>
          ))}
        </ol>
        <p>
          <a href={`/${language}/office`}>{t.urgent}</a>
        </p>
      </section>
    </Message>
  )
}

export function Privacy({ language }: { language: Language }) {
  const t = texts[language]
  return (
    <div class="wide message">
      <h1>{t.privacyTitle}</h1>
      <div class="prose">
        {t.privacyText.map(([heading, text]) => (
          <>
            <h2>{heading}</h2>
            <p>{text}</p>
          </>
        ))}
      </div>
    </div>
  )
}
