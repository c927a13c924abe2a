import { beforeAll, describe, expect, it } from 'vitest'
import { expectInvalid, post } from '../../support/api.ts'
import { execute } from '../../support/database.ts'
import { createContact, FIELDS, LISTING_FIELD, readContact, seedContacts } from './seed.ts'

beforeAll(seedContacts)

type Type = keyof typeof FIELDS

const text255 = 'text of at most 255 characters'
const URL_RULE = 'an http or https URL of at most 2000 characters'
const URLS_RULE = 'an array of at most 100 http or https URLs of at most 2000 characters'
const IDS_RULE = 'an array of at most 100 ids'
const x = (length: number) => 'ξ'.repeat(length)
const LINK = 'https://files.example/a b'.replace(' ', '%20')

describe('custom fields of POST /api/contacts', () => {
  it.each<[Type, unknown]>([
    ['text', 'ΑΦΜ 012 🏠'],
    ['text', x(255)],
    ['textarea', x(2500)],
    ['wysiwyg', x(65_535)],
    ['number', -1.5],
    ['select', 61],
    ['select_multi', [73, 71]],
    ['checkbox', false],
    ['image', 'HTTP://files.example/b.png'],
    ['file_multi', [LINK, LINK]],
    ['image_multi', ['https://φίλοι.example/α.png']],
    ['url', `https://a.example/${'p'.repeat(1982)}`],
    ['date', '2024-02-29'],
    ['datetime', '2024-02-29 23:59:59'],
  ])('%s takes %j', async (type, value) => {
    const id = await createContact({ custom_fields: { [FIELDS[type]]: value } })
    expect((await readContact(id)).custom_fields).toEqual({ [FIELDS[type]]: value })
  })

  it.each<[Type, unknown, string]>([
    ['text', x(256), text255],
    ['textarea', x(2501), 'text of at most 2500 characters'],
    ['wysiwyg', x(65_536), 'text of at most 65535 characters'],
    ['number', '5', 'a number'],
    ['select', 64, 'one of 61, 62, 63'],
    ['select_multi', 71, 'an array of any of 71, 72, 73'],
    ['select_multi', [71, 61], 'an array of any of 71, 72, 73'],
    ['checkbox', 'true', 'true or false'],
    ['file', 'files/a.pdf', URL_RULE],
    ['image', 'javascript:alert(1)', URL_RULE],
    ['url', 'https://a.example/a b', URL_RULE],
    ['url', `https://a.example/${'p'.repeat(1983)}`, URL_RULE],
    ['file_multi', [LINK, 'nowhere'], URLS_RULE],
    ['image_multi', Array.from({ length: 101 }, () => LINK), URLS_RULE],
    ['address', x(256), text255],
    ['date', '2023-02-29', 'a date, YYYY-MM-DD'],
    ['datetime', '2024-02-29', 'a date-time, YYYY-MM-DD HH:MM:SS'],
    ['user', '1', 'an id'],
    ['user_multi', [1, 'x'], IDS_RULE],
    ['contact', [1], 'an id'],
    ['contact_multi', [-1], IDS_RULE],
  ])('%s refuses %j', async (type, value, rule) => {
    const name = `custom_fields.${FIELDS[type]}`
    const body = { first_name: 'A', custom_fields: { [FIELDS[type]]: value } }
    await expectInvalid(post('/api/contacts', body), `Invalid ${name}: must be ${rule}`)
  })

  it.each<[Type, unknown, number]>([
    ['user', 99, 99],
    ['contact', 3, 3],
    ['contact_multi', [1, 3], 3],
  ])('%s refuses ids that do not exist or are deleted: %j', async (type, value, id) => {
    const body = { first_name: 'A', custom_fields: { [FIELDS[type]]: value } }
    await expectInvalid(post('/api/contacts', body), `Unknown custom_fields.${FIELDS[type]} ${id}`)
  })

  it.each(['99', String(LISTING_FIELD), '0', '01', '1.0', 'text', 'constructor', '99999999999999999999'])(
    'there is no field %s',
    async (key) => {
      const body = { first_name: 'A', custom_fields: { [key]: null } }
      await expectInvalid(post('/api/contacts', body), `Unknown custom_fields ${key}`)
    },
  )

  it.each(Object.entries(FIELDS))(
    '%s is cleared by null, an empty text and an empty list',
    async (_, field) => {
      const custom_fields = Object.fromEntries([
        [field, ''],
        [FIELDS.number, 5],
      ])
      for (const nothing of [null, '', []]) {
        const id = await createContact({ custom_fields: { ...custom_fields, [field]: nothing } })
        const kept = field === FIELDS.number ? {} : { [FIELDS.number]: 5 }
        expect((await readContact(id)).custom_fields).toEqual(kept)
      }
    },
  )

  it('drops repeated ids and keeps the order', async () => {
    const id = await createContact({ custom_fields: { 7: [72, 71, 72], 19: [3, 1, 3], 21: [2, 2, 1] } })
    expect((await readContact(id)).custom_fields).toEqual({ 7: [72, 71], 19: [3, 1], 21: [2, 1] })
  })

  it('takes an id of one table for no other', async () => {
    await execute('insert into users (id, name) values (5000, ?)', 'Only a user')
    await createContact({ custom_fields: { 18: 5000 } })
    const body = { first_name: 'A', custom_fields: { 18: 5000, 20: 5000 } }
    await expectInvalid(post('/api/contacts', body), 'Unknown custom_fields.20 5000')
  })
})
