import { hash } from 'node:crypto'

/**
 * A function for the SHA-256 of a text, as hex, that remembers up to `max` digests. For texts that most calls share:
 * computing one takes a twentieth of a call.
 */
export function rememberDigests(max: number): (text: string) => string {
  const digests = new Map<string, string>()
  return (text) => {
    let digest = digests.get(text)
    if (digest === undefined) {
      digest = hash('sha256', text)
      // Callers choose the texts, so the size is limited.
      if (digests.size >= max) digests.clear()
      digests.set(text, digest)
    }
    return digest
  }
}
