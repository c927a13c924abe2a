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

/** A visitor, or a program at their address, has opened more pages than people do. */
export function TooMany({ language, again }: { language: Language; again: string | null }) {
  const t = texts[language]
  const links = again === null ? [] : [{ href: again, text: t.tryAgain }]
  return <Message title={t.tooManyTitle} text={t.tooManyText} links={links} />
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
