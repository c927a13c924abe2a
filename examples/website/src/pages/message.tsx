/** Pages that are mostly text: thanks, privacy, errors. */
import type { Child } from 'hono/jsx'
import { searchPath } from '../search.ts'
import { useVisit } from '../visit.ts'

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

export function NotFound() {
  const { t, language } = useVisit()
  const links = [
    { href: searchPath(language), text: t.allProperties },
    { href: `/${language}/`, text: t.home },
  ]
  return <Message title={t.notFoundTitle} text={t.notFoundText} links={links} />
}

/** Estia does not answer, or the visitor has opened more pages than people do: `again` is worth a try. */
export function Unavailable({ isTooMany, again }: { isTooMany: boolean; again: string }) {
  const { t } = useVisit()
  return (
    <Message
      title={isTooMany ? t.tooManyTitle : t.unavailableTitle}
      text={isTooMany ? t.tooManyText : t.unavailableText}
      links={[{ href: again, text: t.tryAgain }]}
    />
  )
}

interface ThankYouProps {
  /** The id of the listing that the enquiry is about. */
  listing: number | null
  reference: string | null
}

/** What follows an enquiry. */
export function ThankYou({ listing, reference }: ThankYouProps) {
  const { t, language } = useVisit()
  const links = [{ href: searchPath(language), text: t.allProperties }]
  if (listing !== null) links.unshift({ href: `/${language}/listings/${listing}`, text: t.backToListing })
  return (
    <Message title={t.sentTitle} text={t.sentText} links={links}>
      {reference && (
        <p class="reference">
          {t.reference} <strong>{reference}</strong>
        </p>
      )}
    </Message>
  )
}

export function Privacy() {
  const { t } = useVisit()
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
