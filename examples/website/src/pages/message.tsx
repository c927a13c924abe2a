/** Pages that are mostly text: thanks, privacy, errors. */
import { searchPath } from '../search.ts'
import { type Language, texts } from '../texts.ts'

interface MessageProps {
  title: string
  text: string
  links: { href: string; text: string }[]
}

export function Message({ title, text, links }: MessageProps) {
  return (
    <div class="wide message">
      <h1>{title}</h1>
      <p class="lead">{text}</p>
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

export function ThankYou({ language, listing }: { language: Language; listing: number | undefined }) {
  const t = texts[language]
  const links = [
    ...(listing === undefined ? [] : [{ href: `/${language}/listings/${listing}`, text: t.backToListing }]),
    { href: searchPath(language), text: t.allProperties },
  ]
  return <Message title={t.sentTitle} text={t.sentText} links={links} />
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
