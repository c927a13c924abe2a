/**
 * Secrets that deliveries are signed with: `whsec_` and 32 random bytes in base64. They are told once. The database holds
 * them sealed (AES-GCM), with a key that is made of a secret of the Worker: a copy of the database opens none.
 *
 * Sealed with `WEBHOOK_SECRET_KEY` where the deployment has one, else with `ADMIN_TOKEN`; opened with whichever fits. So
 * who changes the token keeps its former value as `WEBHOOK_SECRET_KEY`, and nobody notices.
 */

const PREFIX = 'whsec_'
const SECRET_BYTES = 32
/** Bytes of the number that AES-GCM takes only once. */
const NONCE_BYTES = 12
/** What else is made of the same secret some day has another key. */
const PURPOSE = new TextEncoder().encode('estia webhook secrets')

type Keys = Pick<Env, 'WEBHOOK_SECRET_KEY' | 'ADMIN_TOKEN'>

/** A fresh secret. */
export function makeSecret(): string {
  return PREFIX + base64(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)))
}

/** The bytes to sign with. */
export function signingKeyOf(secret: string): Uint8Array {
  return Buffer.from(secret.slice(PREFIX.length), 'base64')
}

/** What the database may hold of a secret. */
export async function encryptSecret(env: Keys, secret: string): Promise<string> {
  const [material] = keyMaterials(env)
  if (!material) throw new Error('Neither WEBHOOK_SECRET_KEY nor ADMIN_TOKEN is set')
  const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
  const text = new TextEncoder().encode(secret)
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, await deriveKey(material), text)
  return base64(Buffer.concat([iv, new Uint8Array(sealed)]))
}

/** The secret that was sealed; null when the deployment has other secrets by now. */
export async function decryptSecret(env: Keys, sealed: string): Promise<string | null> {
  const bytes = Buffer.from(sealed, 'base64')
  const [iv, text] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(NONCE_BYTES)]
  for (const material of keyMaterials(env)) {
    try {
      const key = await deriveKey(material)
      return new TextDecoder().decode(await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, text))
    } catch {
      // Sealed with the other one.
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
