/** References: what visitors get instead of an id, which would say how many enquiries there are. */

/** The letters and digits of a reference, without those that look alike: 32, so that no value is more likely. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 10

/** What references look like, those of other services included. */
export const REFERENCE = /^[0-9A-Za-z]{10}$/

/** A new random reference. Among a million, the chance that two are equal is about 1 in 2,000. */
export function newReference(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(LENGTH)), (byte) => LETTERS[byte % 32]).join('')
}
