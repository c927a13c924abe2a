/** The contact data of stores, which a website shows: what a line may say, and what it keeps and clears. */
import { beforeEach, expect, it } from 'vitest'
import { get, importRecords } from '../../support/api.ts'
import { emptyService } from '../../support/storage.ts'
import { clean, importText, withProblems } from '../../support/transfer.ts'

const UNKNOWN = { phone: null, email: null, address: null, url: null }
const CONTACT = {
  phone: '+30 210 555 0100',
  email: 'center@estia.example.com',
  address: 'Σκουφά 32, 106 73 Αθήνα',
  url: 'https://estia.example.com/center',
}
const stored = async () => (await get('/api/stores')).body.data

beforeEach(emptyService)

it('keep contact data that a line does not name, and lose what it clears', async () => {
  const center = { id: 1, name: 'A', watermark_url: null, ...CONTACT }
  await importRecords([['stores', center]])
  expect(await stored()).toEqual([center])
  await importRecords([['stores', { id: 1, phone: '1', address: '' }]])
  expect(await stored()).toEqual([{ ...center, phone: '1', address: null }])
  await importRecords([['stores', { id: 1, email: '', url: null }]])
  expect(await stored()).toEqual([{ ...center, ...UNKNOWN, phone: '1' }])
  await importRecords([['stores', center]])
  await importRecords([['stores', { id: 1, ...UNKNOWN }]])
  expect(await stored()).toEqual([{ ...center, ...UNKNOWN }])
})

it('lose the contact data that a whole record does not name', async () => {
  await importRecords([['stores', { id: 1, name: 'A', ...CONTACT }]])
  await importText(JSON.stringify({ entity: 'stores', mode: 'replace', data: { id: 1, name: 'A' } }))
  expect(await stored()).toEqual([{ id: 1, name: 'A', watermark_url: null, ...UNKNOWN }])
})

it.each([
  { phone: '🏠'.repeat(50) },
  { email: `${'a'.repeat(242)}@example.com` },
  { email: "o'neil+rent@mail.estia.example" },
  { email: 'sales&lettings@xn--jxalpdlp.gr' },
  { address: 'Α'.repeat(255) },
  { url: `https://estia.example/${'a'.repeat(2026)}` },
  { url: 'http://localhost:8080' },
  { url: 'https://εστία.example/Κηφισιά?γλώσσα=ελ#επαφή' },
])('take contact data as it is sent: %o', async (contact) => {
  await importRecords([['stores', { id: 1, name: 'A', ...contact }]])
  expect(await stored()).toEqual([{ id: 1, name: 'A', watermark_url: null, ...UNKNOWN, ...contact }])
})

const EMAIL_RULE = 'Invalid email: must be an e-mail address'
const URL_RULE = 'Invalid url: must be an http or https URL'
it.each<[contact: Record<string, unknown>, message: string]>([
  [{ phone: '1\u0000' }, 'Invalid phone: must not contain NUL or broken Unicode'],
  [{ email: 'estia' }, EMAIL_RULE],
  [{ email: 'Estia <a@example.com>' }, EMAIL_RULE],
  [{ email: 'a@example.com, b@example.com' }, EMAIL_RULE],
  [{ email: 'a@example.com\nBcc: b@example.com' }, EMAIL_RULE],
  [{ address: { street: 'Σκουφά 32' } }, 'Invalid address: must be text'],
  [{ url: 'estia.example' }, URL_RULE],
  [{ url: 'https://' }, URL_RULE],
  [{ url: 'ftp://estia.example' }, URL_RULE],
  [{ url: 'javascript:alert(1)' }, URL_RULE],
  [{ url: 'java\nscript:alert(1)//https://estia.example' }, URL_RULE],
  [{ url: 'data:text/html,<script>alert(1)</script>' }, URL_RULE],
  [{ url: 'https://estia.example/a b' }, URL_RULE],
  [{ phone: false, email: 'x', url: 'y' }, 'Invalid phone: must be text'],
])('refuse contact data that a website cannot show: %o', async (contact, message) => {
  await importRecords([['stores', { id: 1, name: 'A', ...CONTACT }]])
  const line = JSON.stringify({ entity: 'stores', data: { id: 1, ...contact } })
  const errors = withProblems([{ line: 1, entity: 'stores', id: 1, message }])
  expect(await importText(line)).toEqual({ ...clean(0), rejected: 1, errors })
  expect(await stored()).toEqual([{ id: 1, name: 'A', watermark_url: null, ...CONTACT }])
})
