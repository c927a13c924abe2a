/**
 * Secrets that deliveries are signed with: `whsec_` and 32 random bytes in base64. Each is shown once. The database holds
 * them encrypted (AES-GCM) with a key derived from a secret of the Worker: a copy of the database reveals none.
 *
 * They are encrypted with `WEBHOOK_SECRET_KEY` if the deployment has one, else with `ADMIN_TOKEN`. Decryption tries both. To
 * change the token without rotating secrets, keep its former value as `WEBHOOK_SECRET_KEY`.
 */

const PREFIX = 'whsec_'
const SECRET_BYTES = 32
/** Bytes of the nonce of AES-GCM, which must never be used twice with a key. */
const NONCE_BYTES = 12
/** Context of the derived key: other uses of the same Worker secret get other keys. */
const PURPOSE = new TextEncoder().encode('estia webhook secrets')

type Keys = Pick<Env, 'WEBHOOK_SECRET_KEY' | 'ADMIN_TOKEN'>

/** A fresh secret. */
export function makeSecret(): string {
  return PREFIX + base64(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)))
}

/** The bytes of a secret that sign deliveries. */
export function signingKeyOf(secret: string): Uint8Array {
  return Buffer.from(secret.slice(PREFIX.length), 'base64')
}

/** Encrypts a secret for the database, as base64. Throws when the deployment has no secret to encrypt with. */
export async function encryptSecret(env: Keys, secret: string): Promise<string> {
  const [material] = keyMaterials(env)
  if (!material) throw new Error('Neither WEBHOOK_SECRET_KEY nor ADMIN_TOKEN is set')
  const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
  const text = new TextEncoder().encode(secret)
  const encrypted = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, await deriveKey(material), text)
  return base64(Buffer.concat([iv, new Uint8Array(encrypted)]))
}

/** Decrypts a stored secret. Null when the Worker secrets have changed since it was encrypted. */
export async function decryptSecret(env: Keys, encrypted: string): Promise<string | null> {
  const bytes = Buffer.from(encrypted, 'base64')
  const [iv, text] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(NONCE_BYTES)]
  for (const material of keyMaterials(env)) {
    try {
      const key = await deriveKey(material)
      return new TextDecoder().decode(await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, text))
    } catch {
      // Encrypted with the other one.
    }
  }
  return null
}

function keyMaterials({ WEBHOOK_SECRET_KEY, ADMIN_TOKEN }: Keys): string[] {
  return [WEBHOOK_SECRET_KEY, ADMIN_TOKEN].flatMap((secret) => secret || [])
}

async function deriveKey(material: string): Promise<CryptoKey> {
  const bytes = new TextEncoder().encode(material)
  const secret = await crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveKey'])
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(32), info: PURPOSE }
  return crypto.subtle.deriveKey(derivation, secret, { name: 'AES-GCM', length: 256 }, false, [
    'encrypt',
    'decrypt',
  ])
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}
