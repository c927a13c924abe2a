/** What mails have in common: lines, subjects and addresses. Nothing that strangers write becomes a header but a checked address. */
import { cleanLine } from '../../fields/clean.ts'
import { addressesIn } from '../../fields/phones-and-emails.ts'
import { EMAIL, EMAIL_TEXT } from '../../fields/values.ts'

/** Maximum length of a subject, in characters. */
const MAX_SUBJECT = 150
/** Maximum length of what stands before the @ (RFC 5321, 4.5.3.1.1). */
const MAX_LOCAL_PART = 64
/** Browsers accept more: dots at the start, at the end and in a row, and hosts of a network. */
const IS_ROUTABLE = /^[^.@]+(?:\.[^.@]+)*@[^@]+\.[^@]+$/

/** No automatic answer is sent to these mails by who is away. */
export const HEADERS = { 'Auto-Submitted': 'auto-generated' }

/** The first address in a field that mails can be sent to; null if there is none. */
export function addressIn(text: string | null): string | null {
  return addressesIn(text ?? '').find(isRoutable) ?? null
}

/** Whether mails can be sent to an address. */
export function isRoutable(address: string): boolean {
  return (
    address.length <= EMAIL_TEXT &&
    address.indexOf('@') <= MAX_LOCAL_PART &&
    IS_ROUTABLE.test(address) &&
    EMAIL.matches(address)
  )
}

/** The lines of facts that have a value, one for each. */
export function factLines(facts: readonly (readonly [name: string, value: string | number | null])[]) {
  return facts.flatMap(([name, value]) =>
    value === null || value === '' ? [] : [cleanLine(`${name}: ${value}`)],
  )
}

/** A subject. Mail programs would decode what stands between `=?` and `?=`, and show what was cleaned away. */
export function shortLine(text: string): string {
  const characters = [...cleanLine(text).replaceAll('=?', '= ?')]
  if (characters.length <= MAX_SUBJECT) return characters.join('')
  return `${characters.slice(0, MAX_SUBJECT - 1).join('')}…`
}
