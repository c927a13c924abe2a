/** The console before the demo agency: what its caller may see and do, with keyboard and on any screen, as axe judges it. */
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { adminCall, createApiKey } from '../../scripts/service/admin.ts'
import { ADMIN_SCOPES } from '../../src/catalogue/scopes.ts'
import { toLocal } from '../../src/fields/time-zone.ts'
import { formatDateTime } from '../../src/fields/values.ts'
import {
  ask,
  browser,
  hasBrowser,
  openDemo,
  overflowOf,
  service,
  takeScreenshot,
  violationsOf,
  watch,
} from './browser.ts'

const VIEWS = [
  'overview',
  'enquiries',
  'trail',
  'people',
  'people/1',
  'lists',
  'lists/settings',
  'keys',
  'webhooks',
  'feeds',
  'imports',
  'backups',
]
/** Pairs of width, colours and language: each two of them meet once. */
const SCREENS = [
  { width: 390, light: 'en-GB', dark: 'el-GR' },
  { width: 768, light: 'el-GR', dark: 'en-GB' },
  { width: 1280, light: 'en-GB', dark: 'el-GR' },
]
const both = (name: string) => [`${name}:read`, `${name}:write`]
const EVERYTHING = [
  ...ADMIN_SCOPES,
  ...['activities', 'appointments', 'enquiries', 'contacts', 'requests', 'tasks'].flatMap(both),
  ...['listings:read', 'locations:read', 'languages:read', 'stores:read', 'users:read'],
]

let everything: string

openDemo(async () => {
  everything = (await createApiKey(service, 'Everything', EVERYTHING)).key
})

/** Opens the console as the holder of `credential`, and expects that the page asks nobody else and logs nothing. */
async function open(
  credential: string,
  look: (page: Page) => Promise<void>,
  options: BrowserContextOptions = {},
  { refused = 0 } = {},
): Promise<void> {
  const page = await browser.newPage({ locale: 'en-GB', ...options })
  try {
    await page.goto(`${service.url}/console`)
    await page.locator('form.card').waitFor()
    const seen = watch(page, service.url)
    await page.locator('[name=credential]').fill(credential)
    await page.keyboard.press('Enter')
    await page.locator('nav.menu').waitFor()
    await look(page)
    // A browser logs each answer that refuses a call.
    expect([seen.logged.length, seen.foreign, seen.refused.length]).toEqual([refused, [], refused])
  } finally {
    await page.close()
  }
}

/** Opens the Greek console with the key for everything. */
const inGreek = (look: (page: Page) => Promise<void>, refused = 0) =>
  open(everything, look, { locale: 'el-GR' }, { refused })

/** Signs in at a view, on a page that may log errors. */
async function signIn(view: string, locale = 'en-GB', credential = everything): Promise<Page> {
  const page = await browser.newPage({ locale })
  await page.goto(`${service.url}/console#${view}`)
  await page.locator('[name=credential]').fill(credential)
  await page.keyboard.press('Enter')
  return page
}

/** Chooses a file of these lines to import. */
const chooseFile = (page: Page, name: string, lines: (string | object)[]) =>
  page.locator('#file').setInputFiles({
    name,
    mimeType: 'text/plain',
    buffer: Buffer.from(
      lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
    ),
  })

/** A call with the key for everything. */
const send = (method: string, path: string, body?: object) => ask(everything, method, path, body)

interface Found {
  id: number
  name?: string
  last_name?: string
  code?: string
  contact_id?: number
  request_id?: number
}

const list = async (path: string) => ((await send('GET', path)) as { data: Found[] }).data

/** Imports a contact as it is, and answers its id. */
async function importContact(values: object): Promise<number> {
  const id = nextContact++
  const line = { entity: 'contacts', data: { id, created_by: 1, ...values } }
  await adminCall(service, 'POST', '/admin/import', JSON.stringify(line))
  return id
}
let nextContact = 9101

/** Sends an enquiry as a website does. */
async function sendEnquiry(enquiry: object): Promise<void> {
  const { key } = await createApiKey(service, 'website', ['enquiries:create'])
  await ask(key, 'POST', '/api/enquiries', { ...enquiry, consent: { privacy: true, marketing: false } })
}

async function show(page: Page, view: string): Promise<void> {
  await page.goto(`${service.url}/console#${view}`)
  await page.locator(`nav.menu a[href="#${view.split('/')[0]}"][aria-current=page]`).waitFor()
  await page.waitForLoadState('networkidle')
  await settle(page)
}

/** Waits until nothing is being loaded. */
const settle = (page: Page) =>
  expect.poll(() => page.locator('[aria-busy=true]').count(), { timeout: 20_000 }).toBe(0)

/** The title of a task in a part of the page. */
const taskIn = (page: Page, name: string, title: string) =>
  page.getByRole('region', { name }).getByRole('strong').getByText(title)

const headings = (page: Page) => page.locator('nav.menu a').allTextContents()

describe.skipIf(!hasBrowser)('/console in a browser', () => {
  it.each(SCREENS)(
    'shows every view at $width px, light and dark, in both languages, without a fault',
    async ({ width, ...locales }) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        const locale = locales[colorScheme]
        const language = locale.slice(0, 2)
        const options = { viewport: { width, height: 900 }, colorScheme, locale }
        await open(
          everything,
          async (page) => {
            expect(await page.evaluate('document.documentElement.lang')).toBe(language)
            for (const view of VIEWS) {
              await show(page, view)
              await takeScreenshot(
                page,
                `console-${view.replace('/', '-')}-${width}-${colorScheme}-${language}`,
              )
              expect([view, await overflowOf(page)]).toEqual([view, 0])
              expect([view, await violationsOf(page)]).toEqual([view, []])
            }
          },
          options,
        )
      }
    },
    240_000,
  )

  it.each([
    [['admin:trail'], ['Trail']],
    [
      ['admin:keys', 'enquiries:read'],
      ['Enquiries', 'Keys'],
    ],
    [['users:read'], []],
  ])('shows a key with %j what it may see', async (scopes, shown) => {
    const { key } = await createApiKey(service, 'Some', scopes)
    await open(key, async (page) => {
      expect(await headings(page)).toEqual(shown)
      if (shown.length === 0) await page.getByText('no scope for anything shown here').waitFor()
    })
  })

  it('keeps the key in memory only, and refuses a wrong one', async () => {
    await open(everything, async (page) => {
      const kept = await page.evaluate(
        'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
      )
      expect(kept).toBe('[{},{},""]')
    })
    const page = await signIn('keys', 'en-GB', 'wrong')
    await page.getByText('This key or token is not valid.').waitFor()
    await page.close()
  })

  it('asks nothing before somebody signs in, and then stands at what was opened', async () => {
    const page = await browser.newPage({ locale: 'en-GB' })
    const calls: string[] = []
    page.on('request', (request) => calls.push(new URL(request.url()).pathname))
    await page.goto(`${service.url}/console#keys`)
    await page.locator('[name=credential]').waitFor()
    expect(calls.filter((path) => /^\/(admin|api)\//.test(path))).toEqual([])
    await page.locator('[name=credential]').fill(everything)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Keys' }).waitFor()
    expect(await page.evaluate('document.activeElement.id')).toBe('main')
    await page.close()
  })

  it('shows the appointments of today, and viewings without feedback until there is some', async () => {
    const [listing] = await list('/api/listings?status=active&per_page=1')
    const [contact] = await list('/api/contacts?per_page=1')
    const [user] = await list('/api/users')
    // Of any day on which this runs.
    const [starts, ends] = [-1, 1].map((hours) => formatDateTime(new Date(Date.now() + hours * 3_600_000)))
    const times = [starts, ends].map((time) => toLocal(time ?? '', 'Europe/Athens').slice(11, 16))
    const made = await send('POST', '/api/appointments', {
      ...{ type: 'viewing', title: 'Of the console', starts, ends, allow_conflicts: true, store_id: 1 },
      ...{ listing_id: listing?.id, contacts: [contact?.id], users: [user?.id] },
    })
    const { created_id } = made as { created_id: number }
    await inGreek(async (page) => {
      await show(page, 'overview')
      const rowIn = (name: string) =>
        page.getByRole('region', { name }).getByRole('row', { name: /Of the console/ })
      const text = (await rowIn('Σήμερα').textContent()) ?? ''
      for (const part of [...times, 'Υπόδειξη', 'Προτάθηκε', listing?.code, user?.name, contact?.last_name])
        expect(text).toContain(part)
      const pending = rowIn('Τι είπε ο επισκέπτης;')
      await pending.waitFor()
      await send('PUT', `/api/appointments/${created_id}/feedback`, { interest: 'undecided' })
      await page.getByRole('button', { name: 'Ανανέωση' }).click()
      await pending.waitFor({ state: 'detached' })
      await rowIn('Σήμερα').getByText('Έγινε').waitFor()
    })
  })

  it('says why the admin token reads no enquiries, and leads to a key', async () => {
    await open(service.adminToken, async (page) => {
      await show(page, 'enquiries')
      await page.getByText('reads no enquiries, contacts or listings').waitFor()
      await page.getByRole('link', { name: 'Make a key' }).click()
      await page.getByRole('heading', { name: 'Keys' }).waitFor()
    })
  })

  it('makes a key by its role with the keyboard alone, keeps it until it is kept, and revokes it', async () => {
    await open(service.adminToken, async (page) => {
      await show(page, 'keys')
      await page.getByRole('button', { name: 'Make a key' }).focus()
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('What the key is for').focus()
      await page.keyboard.type('From the console')
      await dialog.getByLabel('Reception').focus()
      await page.keyboard.press('ArrowDown')
      expect(await dialog.getByLabel('Manager').isChecked()).toBe(true)
      await page.keyboard.press('Enter')
      const secret = page.locator('.secret code')
      await secret.waitFor()
      await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('made-key-0')
      await page.keyboard.press('Escape')
      await show(page, 'trail')
      await show(page, 'keys')
      const scopes = [
        '*:read',
        '*:write',
        ...['stats', 'trail', 'people', 'settings'].map((one) => `admin:${one}`),
      ]
      const made = await ask((await secret.textContent()) ?? '', 'GET', '/admin/self')
      expect(made).toMatchObject({ data: { scopes } })
      // Another key does not push it out.
      await page.getByRole('button', { name: 'Make a key' }).click()
      await dialog.getByLabel('What the key is for').fill('Another')
      await page.keyboard.press('Enter')
      await expect.poll(() => secret.count()).toBe(2)
      await page.getByRole('button', { name: 'I have kept it' }).last().click()
      await page.getByRole('button', { name: 'I have kept it' }).click()
      await secret.waitFor({ state: 'detached' })
      const row = page.getByRole('row', { name: /From the console/ })
      await row.getByText('Manager').waitFor()
      await row.getByRole('button', { name: /Revoke/ }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click()
      await row.waitFor({ state: 'detached' })
    })
  })

  it('makes a key of chosen scopes, and one of a website with its pages, office and last day', async () => {
    await open(everything, async (page) => {
      await show(page, 'keys')
      const make = async (name: string, fill: (dialog: Locator) => Promise<void>) => {
        await page.getByRole('button', { name: 'Make a key' }).click()
        const dialog = page.getByRole('dialog')
        await dialog.getByLabel('What the key is for').fill(name)
        await fill(dialog)
        await dialog.getByRole('button', { name: 'Make a key' }).click()
        await page.getByRole('heading', { name }).waitFor()
        await page.getByRole('button', { name: 'I have kept it' }).click()
      }
      await make('Own', async (dialog) => {
        await dialog.getByLabel('Data').check()
        await dialog.getByLabel('Own choice').check()
        await dialog.getByLabel('*:read').uncheck()
        await dialog.getByLabel('offers:read').check()
        await dialog.getByLabel('Whose key it is').selectOption('2')
      })
      // Offices that came later took what was typed before.
      const { promise: released, resolve: release } = Promise.withResolvers<void>()
      await page.route('**/api/stores', async (route) => {
        await released
        await route.continue()
      })
      await make('Site', async (dialog) => {
        await dialog.getByLabel('Website', { exact: false }).first().check()
        await dialog.getByText('Loading').waitFor()
        expect(await dialog.locator('[name=origins]').count()).toBe(0)
        release()
        await dialog
          .getByLabel(/Addresses of the website/)
          .fill('https://one.example https://two.example:8443')
        await dialog.locator('[name=store][value="2"]').check()
        await dialog.getByLabel(/Last day/).fill('2031-05-31')
      })
      const made = await list('/admin/keys')
      const found = ['Own', 'Site'].map((name) => made.find((key) => key.name === name))
      expect(found).toMatchObject([
        { scopes: ['offers:read'], expires: null, user_id: 2 },
        {
          scopes: ['listings:public', 'enquiries:create'],
          publishable: true,
          origins: ['https://one.example', 'https://two.example:8443'],
          stores: [2],
          expires: '2031-05-31 23:59:59',
        },
      ])
    })
  })

  it('adds, renames and deletes a tag, and says in words what still uses one', async () => {
    const tags = () => list('/admin/definitions/contact_tags')
    const used = (await list('/admin/definitions/contact_sources'))[0]?.id
    await inGreek(async (page) => {
      await show(page, 'lists/contact_tags')
      const dialog = page.getByRole('dialog')
      const name = dialog.getByLabel('Όνομα')
      await page.getByRole('button', { name: 'Προσθήκη' }).click()
      await dialog.getByRole('button', { name: 'Αποθήκευση' }).click()
      await dialog.getByText('Όνομα: λείπει').waitFor()
      await name.fill('Της κονσόλας')
      await page.keyboard.press('Enter')
      const change = page.getByRole('row', { name: /Της κονσόλας/ }).getByRole('button', { name: /Αλλαγή/ })
      await change.click()
      await name.waitFor()
      // Somebody else is faster.
      const { id } = (await tags()).find((tag) => tag.name === 'Της κονσόλας') ?? {}
      await send('PUT', `/admin/definitions/contact_tags/${id}`, { name: 'Άλλου' })
      await name.fill('Με νέο όνομα')
      await page.keyboard.press('Enter')
      await dialog.getByText(/Το άλλαξε στο μεταξύ κάποιος άλλος/).waitFor()
      await page.keyboard.press('Escape')
      await change.click()
      await expect.poll(() => name.inputValue()).toBe('Άλλου')
      await name.fill('Με νέο όνομα')
      await page.keyboard.press('Enter')
      const row = page.getByRole('row', { name: /Με νέο όνομα/ })
      await row.waitFor()
      expect((await tags()).map((tag) => tag.name)).toContain('Με νέο όνομα')
      await row.getByRole('button', { name: /Διαγραφή/ }).click()
      await dialog.getByRole('button', { name: 'Διαγραφή', exact: true }).click()
      await row.waitFor({ state: 'detached' })
      expect((await tags()).map((tag) => tag.name)).not.toContain('Με νέο όνομα')
      await page.getByLabel('Λίστα').selectOption('contact_sources')
      await page
        .getByRole('button', { name: /Διαγραφή/ })
        .first()
        .click()
      await dialog.getByRole('button', { name: 'Διαγραφή', exact: true }).click()
      await dialog.getByText(/Χρησιμοποιείται ακόμη: .*Επαφές \(\d+\)/).waitFor()
      expect((await list('/admin/definitions/contact_sources'))[0]?.id).toBe(used)
    }, 3)
  })

  it('sets and unsets a setting by its name in words', async () => {
    const settings = async () =>
      ((await send('GET', '/admin/settings')) as { data: Record<string, unknown> }).data
    await open(everything, async (page) => {
      await show(page, 'lists/settings')
      const before = await settings()
      const source = page.getByRole('form', { name: 'Source of a new contact' })
      expect(await source.getByRole('combobox').inputValue()).toBe(String(before.default_contact_source_id))
      await source.getByRole('button', { name: 'Save' }).click()
      await settle(page)
      expect(await settings()).toEqual(before)
      const setting = page.getByRole('form', { name: 'Days for which spam is kept' })
      const field = setting.getByRole('spinbutton')
      await field.fill('45')
      // The settings are read again, and what was typed before that would be gone.
      const reread = page.waitForResponse(
        (answer) => answer.url().endsWith('/admin/settings') && answer.request().method() === 'GET',
      )
      await setting.getByRole('button', { name: 'Save' }).click()
      await reread
      await settle(page)
      expect((await settings()).enquiry_spam_days).toBe(45)
      await field.fill('')
      await setting.getByRole('button', { name: 'Save' }).click()
      await expect.poll(async () => (await settings()).enquiry_spam_days).toBeUndefined()
    })
  })

  it('tries and imports a file that is dropped, and names the lines that are refused', async () => {
    const lines = [
      { entity: 'listing_tags', data: { id: 900, name: 'From the console' } },
      { entity: 'listing_tags', data: { id: 901 } },
      { entity: 'castles', data: { id: 1 } },
    ]
    const isStored = async () =>
      (await list('/api/listings/tags?per_page=100')).some(({ name }) => name === 'From the console')
    await open(everything, async (page) => {
      await show(page, 'imports')
      await chooseFile(page, 'tags.ndjson', lines)
      await page.getByRole('button', { name: 'Try', exact: true }).click()
      await page.getByText('Tried. Nothing was stored. 1 accepted, 2 rejected').waitFor()
      expect(await isStored()).toBe(false)
      await page.getByText('Missing name').waitFor()
      await page.getByLabel('Only try it').uncheck()
      await page.getByRole('button', { name: 'Import', exact: true }).click()
      await page.getByText('Done. 1 accepted, 2 rejected').waitFor()
      expect(await isStored()).toBe(true)
    })
  })

  it('imports a table: columns in words, what cannot be read, another field, and the records', async () => {
    const rows = [
      'id;Κωδικός;Τύπος;Διάθεση;Τιμή;Εμβαδόν;Σημείωμα',
      '985001;T-1;Διαμέρισμα;Πώληση;185.000 €;74,5;Ήσυχο',
      '985002;T-2;Σπιτάκι;Ενοικίαση;1.200;140;',
      'Σύνολο;;;;186.200;;',
    ]
    await open(
      everything,
      async (page) => {
        await show(page, 'imports')
        await chooseFile(page, 'a.csv', rows)
        await page.getByText('Δεν εισάγονται: Σημείωμα.').waitFor()
        const start = page.getByRole('button', { name: 'Δοκιμή', exact: true })
        await page.getByText('"Σπιτάκι" δεν έχει σημασία').waitFor()
        expect(await start.isDisabled()).toBe(true)
        await page.getByLabel('Σημείωμα').selectOption({ label: 'Περιγραφή' })
        await page.getByLabel('Σπιτάκι').selectOption({ label: 'Μονοκατοικία' })
        await page.getByText('Όλα τα κελιά διαβάζονται.').waitFor()
        expect(await overflowOf(page)).toBe(0)
        expect(await violationsOf(page)).toEqual([])
        await page.getByLabel('Μόνο δοκιμή').uncheck()
        await page.getByRole('button', { name: 'Εισαγωγή', exact: true }).click()
        await page.getByText('Ολοκληρώθηκε. 2 δεκτές, 0 απορρίφθηκαν').waitFor()
      },
      { locale: 'el-GR', viewport: { width: 390, height: 844 } },
    )
    const stored = await Promise.all([985001, 985002].map((id) => send('GET', `/api/listings/${id}`)))
    expect(stored).toMatchObject([
      { data: { code: 'T-1', subcategory: 'apartment', price: 185_000, size: 74.5 } },
      { data: { code: 'T-2', subcategory: 'detached', price: 1200, size: 140 } },
    ])
  })

  it('numbers a table without ids above the stored listings, finds places by name, and takes a cell for nothing', async () => {
    const [last = { id: 0 }] = await list('/api/listings?sort=-id&per_page=1')
    const places = (await send('GET', '/api/locations')) as {
      data: { id: number; level: number; parent_id: number; name_el: string; full_name_el: string }[]
    }
    const [known, other] = places.data.filter(({ level }) => level === 2)
    const code = `T-${Date.now()}`
    const rows = [
      'Κωδικός;Τύπος;Διάθεση;Τιμή;Εμβαδόν;Δήμος',
      `${code}-1;Διαμέρισμα;Πώληση;185.000 €;74,5;${known?.name_el}`,
      `${code}-2;Διαμέρισμα;Πώληση;κατόπιν συνεννόησης;90;Κάπου`,
    ]
    await inGreek(async (page) => {
      await show(page, 'imports')
      await chooseFile(page, 'a.csv', rows)
      await page.getByText('"Κάπου" δεν βρέθηκε').waitFor()
      await page.getByText('"κατόπιν συνεννόησης" δεν είναι αριθμός').waitFor()
      for (const [label, text] of [
        ['Κάπου', other?.full_name_el ?? ''],
        ['κατόπιν συνεννόησης', '-'],
      ] as const) {
        await page.getByLabel(label, { exact: true }).fill(text)
        await page.keyboard.press('Tab')
      }
      await page.getByText('Όλα τα κελιά διαβάζονται.').waitFor()
      await page.getByLabel('Μόνο δοκιμή').uncheck()
      await page.getByRole('button', { name: 'Εισαγωγή', exact: true }).click()
      await page.getByText('Ολοκληρώθηκε. 2 δεκτές, 0 απορρίφθηκαν').waitFor()
    })
    const stored = await Promise.all(
      [1, 2].map((at) => list(`/api/listings?search=${code}-${at}&fields=all`)),
    )
    expect(stored.flat()).toMatchObject([
      { price: 185_000, location: { area_level2: { id: known?.id } } },
      { price: null, location: { area_level2: { id: other?.id } } },
    ])
    expect(stored.flat().every(({ id }) => id > last.id)).toBe(true)
  })

  it('says of a spreadsheet, and of a quotation mark that stays open, what to do', async () => {
    await inGreek(async (page) => {
      await show(page, 'imports')
      await chooseFile(page, 'Ακίνητα.xlsx', ['PK\x03\x04'])
      await page.getByText('αποθηκεύστε το ως CSV').waitFor()
      expect(await page.getByRole('button', { name: 'Δοκιμή', exact: true }).isDisabled()).toBe(true)
      await chooseFile(page, 'a.csv', ['Κωδικός;Τύπος', 'A;"Διαμέρισμα', ''])
      await page.getByText('Ένα εισαγωγικό (") ανοίγει και δεν κλείνει').waitFor()
      await page.getByText('Επιλέξτε «Διάθεση» στο «τι παίρνει κάθε εγγραφή»').waitFor()
    })
  })

  it('says in Greek what the service refuses, with the English where it says more', async () => {
    const lines = [
      { entity: 'listing_tags', data: { id: 903 } },
      { entity: 'listings', data: { id: 985_100, category: 'castle', price: 'a', users: [99_999] } },
      { entity: 'castles', data: { id: 1 } },
    ]
    const page = await signIn('imports', 'el-GR')
    await chooseFile(page, 'a.ndjson', [...lines, 'no line'])
    await page.getByRole('button', { name: 'Δοκιμή', exact: true }).click()
    for (const text of [
      'Όνομα: λείπει',
      'Κατηγορία: ένα από: Κατοικία, ',
      'Τιμή: ακέραιος αριθμός',
      'Είδος εγγραφής: δεν υπάρχει castles',
      'Η γραμμή δεν είναι JSON',
    ])
      await page.getByText(text).first().waitFor()
    await show(page, 'keys')
    await page.getByRole('button', { name: 'Νέο κλειδί' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Σε τι χρησιμεύει').fill('Σελίδα')
    await dialog.locator('[name=kind][value=website]').check()
    await dialog.locator('[name=origins]').fill('www.example.com/el')
    await dialog.getByRole('button', { name: 'Νέο κλειδί' }).click()
    await dialog.getByText('Διευθύνσεις της ιστοσελίδας: διεύθυνση χωρίς διαδρομή').waitFor()
    await page.route('**/admin/keys', (route) =>
      route.fulfill({ status: 409, json: { status: 409, error_message: 'Something new' } }),
    )
    await dialog.getByRole('button', { name: 'Νέο κλειδί' }).click()
    await dialog.getByText('Δεν γίνεται τώρα.').waitFor()
    expect(await dialog.locator('[lang=en]').textContent()).toBe('Something new')
    await page.close()
  })

  it('goes on from where the connection broke, and shows what was ignored', async () => {
    const lines = Array.from({ length: 700 }, (_, index) => ({
      entity: 'listing_tags',
      data: { id: 2000 + index, name: `Tag ${index}`, nonsense: 1 },
    }))
    const page = await signIn('imports')
    await chooseFile(page, 'tags.ndjson', lines)
    await page.getByLabel('Only try it').uncheck()
    let calls = 0
    await page.route('**/admin/import*', (route) => (++calls === 2 ? route.abort() : route.continue()))
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText('Looked at up to line 500.').waitFor()
    await page.getByText('It broke off. 500 accepted, 0 rejected').waitFor()
    await page.getByRole('button', { name: 'Go on from line 501' }).click()
    await page.getByText('Done. 700 accepted, 0 rejected').waitFor()
    await page.getByRole('row', { name: '1 nonsense', exact: true }).waitFor()
    expect(calls).toBe(3)
    await page.close()
  })

  it('answers an enquiry: listing, local times, reply, agent, notes, undo, contact and request', async () => {
    const name = `Eleni ${Date.now()}`
    const email = `${name.replace(' ', '.').toLowerCase()}@example.com`
    const phone = `+30 69${String(Date.now()).slice(-8)}`
    const [listing] = await list('/api/listings?status=active&has_photos=true&per_page=1')
    await sendEnquiry({
      type: 'viewing',
      listing_id: listing?.id,
      first_name: name,
      last_name: '<b>Test</b>',
      email,
      phone,
      message: 'Hello',
      dates: ['2026-12-01 16:30:00'],
      search: { availability: 'sale', category: 'residential', locations: [101], price_max: 320_000 },
    })
    const [{ id } = { id: 0 }] = await list(`/api/enquiries?search=${email}`)
    await open(everything, async (page) => {
      await page.evaluate(
        `addEventListener('click', (event) => event.target.closest('[href^=mailto]') && event.preventDefault())`,
      )
      await show(page, 'enquiries')
      const letter = page.getByRole('article', { name: `${name} <b>Test</b>` })
      const code = letter.getByText(listing?.code ?? '')
      await code.first().waitFor()
      const picture = letter.locator('.listing img')
      await picture.scrollIntoViewIfNeeded()
      const widthOf = `document.querySelector('[aria-labelledby=enquiry-${id}] .listing img').naturalWidth`
      await expect.poll(() => page.evaluate(widthOf)).toBeGreaterThan(0)
      await letter.getByText('Tuesday, 1 December 2026 at 18:30').waitFor()
      await letter.getByText('up to 320,000').waitFor()

      const reply = letter.getByRole('link', { name: 'Reply by mail' })
      const address = new URL((await reply.getAttribute('href')) ?? '')
      expect(address.pathname).toBe(email)
      expect(address.searchParams.get('subject')).toContain(listing?.code)
      expect(address.searchParams.get('body')).toMatch(
        /^Dear Eleni .*\(\w+-\d+\)\..*- Tuesday, 1 December 2026 at 18:30.*Kind regards,$/s,
      )
      await reply.click()
      const status = (title: string) => letter.getByRole('button', { name: title, exact: true })
      const isSet = async (title: string) =>
        expect.poll(() => status(title).getAttribute('aria-pressed')).toBe('true')
      await isSet('Open')
      for (const title of ['Spam', 'Closed', 'Open']) {
        await status(title).click()
        await isSet(title)
        expect(await page.evaluate('document.activeElement.textContent')).toBe(title)
      }

      await letter.getByLabel('Agent').selectOption({ index: 1 })
      await letter.getByLabel('Notes of the agency').fill('Called her.')
      await letter.getByRole('button', { name: 'Save' }).click()
      await letter.getByText('Saved.').waitFor()

      await letter.getByRole('button', { name: 'Convert to a contact' }).click()
      await letter.getByText('No contact has this e-mail or telephone.').waitFor()
      await takeScreenshot(page, 'console-convert-1280-light-en')
      expect(await violationsOf(page)).toEqual([])
      await letter.getByRole('button', { name: 'Convert', exact: true }).click()
      const result = letter.locator('p', { hasText: `Converted: Contact ${name} <b>Test</b>, Request ` })
      await result.waitFor()
      await expect.poll(() => page.evaluate('document.activeElement.textContent')).toMatch(/^Converted/)
    })
    const [stored] = await list(`/api/enquiries?search=${email}`)
    expect(stored).toMatchObject({ status: 'open', notes: 'Called her.', users: [expect.any(Number)] })
    const [request] = await list(`/api/requests?sort=-id&per_page=1`)
    expect(request).toMatchObject({ id: stored?.request_id, availability: 'sale', price_max: 320_000 })

    // The same sender once more, as people write themselves differently.
    const again = { type: 'information', first_name: name, last_name: 'Again', message: 'And?' }
    await send('PUT', `/api/contacts/${stored?.contact_id}`, {
      emails: [{ type: 'personal', email_address: `${name} <${email}>`, notes: '' }],
      phones: [{ type: 'home', number: `210 1234567 / ${phone.replace('+30 ', '')} εσωτ. 3`, notes: '' }],
    })
    await sendEnquiry({ ...again, email: email.toUpperCase() })
    await sendEnquiry({ ...again, last_name: 'Called', phone: `${phone.replace('+30 ', '')} εσωτ. 12` })
    await open(everything, async (page) => {
      await show(page, 'enquiries')
      const letter = page.getByRole('article', { name: `${name} Again` })
      await letter.getByRole('button', { name: 'Convert to a contact' }).click()
      const known = letter.getByRole('radio', { name: `Contact ${stored?.contact_id}` })
      expect(await known.isChecked()).toBe(true)
      await letter.getByRole('button', { name: 'Convert', exact: true }).click()
      await letter.getByRole('link', { name: `${name} <b>Test</b>`, exact: true }).waitFor()
      const called = page.getByRole('article', { name: `${name} Called` })
      const number = phone.replace('+30 ', '')
      expect(await called.getByRole('link', { name: 'Call', exact: true }).getAttribute('href')).toBe(
        `tel:${number}`,
      )
      await called.getByRole('button', { name: 'Convert to a contact' }).click()
      await called.getByRole('radio', { name: `Contact ${stored?.contact_id}` }).waitFor()
    })
    expect(await list(`/api/contacts?search=${email}`)).toHaveLength(1)
  })

  it('shows notes that somebody else has written meanwhile, before they are replaced', async () => {
    const name = `Notes ${Date.now()}`
    await sendEnquiry({ type: 'information', last_name: name, email: 'a@example.com', message: 'Hello' })
    const [stored] = await list(`/api/enquiries?search=${name}`)
    await open(everything, async (page) => {
      await show(page, 'enquiries')
      const letter = page.getByRole('article', { name })
      const notes = letter.getByLabel('Notes of the agency')
      await send('PUT', `/api/enquiries/${stored?.id}`, { notes: 'Theirs' })
      await notes.fill('Mine')
      await letter.getByRole('button', { name: 'Save' }).click()
      await letter.getByText(/^Somebody has changed the notes meanwhile.*Theirs$/).waitFor()
      expect(await notes.inputValue()).toBe('Mine')
      await letter.getByRole('button', { name: 'Save' }).click()
      await letter.getByText('Saved.').waitFor()
    })
    expect((await list(`/api/enquiries?search=${name}`))[0]).toMatchObject({ notes: 'Mine' })
  })

  it('finds contacts, listings, enquiries and keys by name, and leads to them', async () => {
    const name = `Κλειδί της Πύλης ${Date.now()}`
    const { key } = await createApiKey(service, name, [...EVERYTHING, '*:read'])
    const emails = [{ email_address: 'evgenia@example.com' }]
    const id = await importContact({ first_name: 'Ευγενία', last_name: 'Ξανθάκη', emails })
    await open(key, async (page) => {
      const search = async (text: string) => {
        await page.getByRole('searchbox').fill(text)
        await page.keyboard.press('Enter')
        await page.getByRole('heading', { name: `Search: ${text}` }).waitFor()
        await settle(page)
      }
      await search('ξανθακη')
      await page.getByText('evgenia@example.com').waitFor()
      await page.getByRole('link', { name: 'Ευγενία Ξανθάκη' }).click()
      await page.getByText('Ξανθάκη').first().waitFor()
      expect(page.url()).toContain(`#people/${id}`)
      await search(name.replace('Πύλης', 'πυλησ'))
      await page.getByRole('link', { name }).click()
      await page.getByRole('heading', { name: 'Trail' }).waitFor()
      await search('no such thing at all')
      await page.getByText('Nothing was found.').waitFor()
    })
  })

  it('finds who changed a price: by code, by the name of a key and by the Greek name of a resource', async () => {
    const name = `Τιμές ${Date.now()}`
    const { key } = await createApiKey(service, name, ['listings:read', 'listings:write'])
    const [listing] = await list('/api/listings?per_page=1&has_price=true')
    if (!listing?.code) throw new Error('The demo agency has no listing')
    const { id, code } = listing
    await ask(key, 'PUT', `/api/listings/${id}`, { price: 777_000 + Math.floor(Math.random() * 999) })
    const { key: reader } = await createApiKey(service, 'Reader', ['*:read', 'admin:trail', 'admin:keys'])
    await open(
      reader,
      async (page) => {
        await show(page, 'trail')
        const filter = async (values: { actor?: string; record?: string; resource?: string }) => {
          await page.locator('[name=actor]').fill(values.actor ?? '')
          await page.locator('[name=record]').fill(values.record ?? '')
          await page.locator('[name=resource]').selectOption({ label: values.resource ?? 'όλα' })
          await page.getByRole('button', { name: 'Φίλτρο' }).click()
        }
        const row = page.getByRole('row', { name: new RegExp(`${name}.*Τιμή: .*777\\.`) })
        for (const values of [
          { record: code.toLowerCase() },
          { actor: name.toLowerCase() },
          { actor: name, resource: 'Ακίνητα' },
        ]) {
          // The rows of the filter before stay until then, and what is typed meanwhile would be lost.
          const answer = page.waitForResponse(/\/admin\/trail\?/)
          await filter(values)
          await answer
          await settle(page)
          await row.waitFor()
        }
        await row.getByRole('link', { name: `Ακίνητο ${code}` }).click()
        await row.waitFor()
        await filter({ actor: 'κανένας τέτοιος' })
        await page.getByText('Κανένα κλειδί ή πρόσωπο δεν έχει αυτό το όνομα.').waitFor()
      },
      { locale: 'el-GR' },
    )
  })

  it('names in the trail what ids mean, who called without a key, and calls, in Greek', async () => {
    const [request] = await list('/api/requests?per_page=1')
    const [status, user] = [(await list('/api/requests/statuses')).at(-1), (await list('/api/users')).at(-1)]
    const { key } = await createApiKey(service, 'Writer', ['requests:write'])
    await ask(key, 'PUT', `/api/requests/${request?.id}`, { status: status?.id, users: [user?.id] })
    await adminCall(service, 'POST', '/admin/definitions/contact_tags', JSON.stringify({ name: 'Νέα' }))
    await adminCall(service, 'GET', `/admin/contacts/${request?.id}/person`)
    await inGreek(async (page) => {
      await show(page, `trail/requests/${request?.id}`)
      const change = page.getByRole('row', { name: /Writer/ })
      await change.getByText(`→ ${status?.name}`).waitFor()
      await change.getByText(`→ ${user?.name}`).waitFor()
      await show(page, 'trail/by/token')
      await page.getByRole('link', { name: 'Διακριτικό διαχειριστή' }).first().waitFor()
      for (const name of [/επαφών \d+ έγινε/, /Επαφή \d+ ανάγνωση/])
        await page.getByRole('row', { name }).first().waitFor()
      await page.locator('[name=actor]').fill('Η υπηρεσία')
      await page.getByRole('button', { name: 'Φίλτρο' }).click()
      await settle(page)
      expect(await page.locator('[name=actor]').inputValue()).toBe('η υπηρεσία')
      expect(await page.getByText('Κανένα κλειδί').count()).toBe(0)
    })
  })

  it('shows what waits for people first, and the machinery behind a fold, with Greek words', async () => {
    await inGreek(async (page) => {
      await show(page, 'overview')
      const headings = await page.getByRole('heading', { level: 2 }).allTextContents()
      expect(headings[0]).toBe('Σας περιμένουν')
      expect(await page.locator('details.machinery').getAttribute('open')).toBeNull()
      await page.getByText('Λειτουργία της υπηρεσίας').click()
      const words = await page.locator('main').innerText()
      for (const one of ['Αντιστοίχιση ζητήσεων', 'Ακίνητα', 'Ενεργό']) expect(words).toContain(one)
      expect(words).not.toMatch(/\b(listings|matching|active|idempotency|Knowledge base)\b/)
    })
  })

  it('reaches all of the menu at 390 px, and breaks no word of a table', async () => {
    await open(
      everything,
      async (page) => {
        const hidden = await page.locator('nav.menu a').evaluateAll(
          (links) =>
            links.filter((link) => {
              const { left, right } = link.getBoundingClientRect()
              return left < 0 || right > 390
            }).length,
        )
        expect(hidden).toBe(0)
        for (const view of ['keys', 'trail', 'overview', 'backups']) {
          await show(page, view)
          const broken = await page
            .locator('td button, td a, th, .badge')
            .evaluateAll((elements) =>
              elements
                .filter(
                  (one) => /^\S+$/.test(one.textContent?.trim() ?? '') && one.getClientRects().length > 1,
                )
                .map((one) => one.textContent),
            )
          expect([view, broken]).toEqual([view, []])
        }
      },
      { viewport: { width: 390, height: 844 } },
    )
  })

  it('shows what happened with a contact, takes what was said and a task, and finishes it', async () => {
    const id = await importContact({ first_name: 'Ρένα', last_name: 'Χρονολογίου' })
    for (let number = 1; number <= 31; number++)
      await send('POST', '/api/activities', {
        ...{ type: 'email', direction: 'in', text: `Γράμμα ${number}`, contacts: [id], users: [1] },
        date: `2026-01-01 10:00:${String(number).padStart(2, '0')}`,
      })
    const [user] = await list('/api/users')
    await inGreek(async (page) => {
      await show(page, `people/${id}`)
      await page.getByRole('heading', { name: 'Ρένα Χρονολογίου' }).waitFor()
      await page.getByText('Το κλειδί σας δεν βλέπει: Προσφορά, Συμβόλαιο').waitFor()
      const rows = page.getByRole('table', { name: 'Χρονολόγιο' }).locator('tbody tr')
      const texts = async () => (await rows.locator('.letter').allTextContents()).map(String)
      expect(await texts()).toEqual(Array.from({ length: 30 }, (_, index) => `Γράμμα ${31 - index}`))
      const newest = (await rows.first().textContent()) ?? ''
      for (const part of ['Επικοινωνία', 'Ηλεκτρονικό ταχυδρομείο', 'Εισερχόμενη', '1 Ιαν 2026'])
        expect(newest).toContain(part)
      await page.getByRole('button', { name: 'Παλαιότερες εγγραφές' }).click()
      await expect.poll(texts).toContain('Γράμμα 1')
      // What is half written stays, whatever else is done meanwhile.
      const said = page.getByLabel('Κείμενο')
      await said.fill('Θέλει να το ξαναδεί')
      await page.getByLabel('Τίτλος').fill('Να την πάρω')
      await page.getByLabel('Προθεσμία').fill('2026-01-02')
      await page.getByLabel('Συνεργάτης').selectOption({ label: user?.name ?? '' })
      await page.getByRole('button', { name: 'Προσθήκη' }).click()
      const task = page
        .getByRole('region', { name: 'Ανοιχτές εργασίες' })
        .getByRole('row', { name: /Να την πάρω/ })
      await task.getByText('2 Ιαν 2026').waitFor()
      expect([await said.inputValue(), await page.getByLabel('Τίτλος').inputValue()]).toEqual([
        'Θέλει να το ξαναδεί',
        '',
      ])
      await page.getByRole('button', { name: 'Αποθήκευση' }).click()
      await expect.poll(async () => (await texts())[0]).toBe('Θέλει να το ξαναδεί')
      expect(await rows.first().textContent()).toContain('Κλήση')
      expect(await said.inputValue()).toBe('')
      await show(page, 'overview')
      await taskIn(page, 'Εργασίες ως και σήμερα', 'Να την πάρω').waitFor()
      await show(page, `people/${id}`)
      await task.getByRole('button', { name: 'Ολοκληρώθηκε' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Αποτέλεσμα').fill('Θα το σκεφτεί')
      await dialog.getByLabel('Προθεσμία').fill('2026-01-09')
      await dialog.getByRole('button', { name: 'Ολοκληρώθηκε' }).click()
      await dialog.getByRole('alert').waitFor()
      await dialog.getByLabel('Επόμενη εργασία').fill('Να ξαναπάρω')
      await dialog.getByRole('button', { name: 'Ολοκληρώθηκε' }).click()
      await task.waitFor({ state: 'detached' })
      await page
        .getByRole('row', { name: /Να ξαναπάρω/ })
        .getByText('9 Ιαν 2026')
        .waitFor()
      expect(await list(`/api/tasks?contact_id=${id}`)).toMatchObject([
        { title: 'Να ξαναπάρω', status: 'open', contacts: [id], result: null },
        { title: 'Να την πάρω', status: 'done', result: 'Θα το σκεφτεί' },
      ])
      await expect.poll(async () => (await texts()).slice(0, 2)).toContain('Να την πάρω\nΘα το σκεφτεί')
    }, 1)
  })

  it('shows possible duplicates, what their merge would move, and undoes it', async () => {
    const phones = [{ number: '6900 123 987' }]
    const id = await importContact({ first_name: 'Πρώτος', last_name: 'Διπλός', phones })
    const other = await importContact({ first_name: 'Δεύτερος', last_name: 'Διπλή', phones })
    await send('POST', '/api/tasks', { title: 'Δική του', contacts: [other], user_id: 1 })
    const made = await send('POST', '/api/tasks', { title: 'Αλλάζει', contacts: [other], user_id: 1 })
    const { created_id } = made as { created_id: number }
    const tasks = () => list(`/api/tasks?contact_id=${id}`)
    await inGreek(async (page) => {
      await show(page, `people/${id}`)
      const duplicates = page.getByRole('region', { name: 'Ίσως το ίδιο πρόσωπο' })
      await duplicates.getByText('Τηλέφωνο').waitFor()
      await duplicates.getByRole('button', { name: /Συγχώνευση εδώ/ }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('Εργασίες: 2').waitFor()
      expect(await tasks()).toEqual([])
      await dialog.getByRole('group', { name: 'Επώνυμο' }).getByLabel('Διπλή').check()
      await dialog.getByRole('button', { name: 'Συγχώνευση εδώ' }).click()
      await taskIn(page, 'Ανοιχτές εργασίες', 'Δική του').waitFor()
      await duplicates.waitFor({ state: 'detached' })
      await send('PUT', `/api/tasks/${created_id}`, { contacts: [] })
      await page.getByRole('link', { name: `Επαφή ${other}` }).click()
      const notice = page.getByRole('status')
      await notice.getByRole('link', { name: `Επαφή ${id}` }).waitFor()
      await notice.getByRole('button', { name: 'Αναίρεση συγχώνευσης' }).click()
      await page.getByText('είναι πάλι χωριστή επαφή.').waitFor()
      await notice.getByRole('link', { name: `Εργασία ${created_id}` }).waitFor()
      await page.getByRole('heading', { name: 'Δεύτερος Διπλή' }).waitFor()
      await duplicates.getByRole('link', { name: 'Πρώτος Διπλή' }).waitFor()
      expect(await tasks()).toEqual([])
    }, 1)
  })

  it('shows what a person’s erasure would blank, and erases', async () => {
    const custom_fields = { 45: [4, 1] }
    const id = String(await importContact({ first_name: 'Sentinel', last_name: 'Person', custom_fields }))
    await open(everything, async (page) => {
      await show(page, 'people')
      await page.getByLabel(/number of the contact/).fill(id)
      await page.locator('form.filters').getByRole('button', { name: 'Find' }).click()
      await page.getByRole('heading', { name: 'Sentinel Person' }).waitFor()
      await page.getByRole('button', { name: 'Everything that is held' }).click()
      await page.getByText('Ενδιαφέροντα: Εξοχικό, Αγορά').waitFor()
      // In words: no JSON, and nothing that is empty.
      const words = await page.locator('main').innerText()
      expect(words).toMatch(/First name\s+Sentinel/)
      expect(words).not.toMatch(/\{"|\[\{|\bnull\b|last_name/)
      await page.getByRole('button', { name: 'Erase', exact: true }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('First name, Last name').waitFor()
      await dialog.getByLabel('Reason').fill('asked for it')
      await dialog.getByLabel(/Type the id/).fill(id)
      await dialog.getByRole('button', { name: 'Erase', exact: true }).click()
      await page.getByText(/The person is erased\..*no longer have it from \d{4}-\d\d-\d\d/).waitFor()
      expect(await page.locator('main').innerText()).not.toContain('Sentinel')
      await show(page, 'overview')
      expect(await page.getByRole('heading', { level: 1 }).allTextContents()).toEqual(['Overview'])
    })
    await ask(everything, 'GET', `/api/contacts/${id}`, undefined, 404)
  })
})
