/** The example website before the demo agency: as people see it, with and without JavaScript, and as axe judges it. */
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { buildClient } from '../../scripts/build/client.ts'
import { createApiKey } from '../../scripts/service/admin.ts'
import { freePort } from '../../scripts/start/port.ts'
import { devServer, type Server } from '../../scripts/start/server.ts'
import { browser, hasBrowser, openDemo, service, takeScreenshot, violationsOf, watch } from './browser.ts'

const SCREENS = [
  { language: 'el', width: 320 },
  { language: 'en', width: 390 },
  { language: 'el', width: 768 },
  { language: 'en', width: 1280 },
]
/** The largest first page, without photos. */
const FIRST_PAGE_BYTES = 200_000

let server: Server | undefined
let site: string
let pages: Record<string, string>

openDemo(async () => {
  await buildClient()
  const scopes = ['listings:public', 'enquiries:write']
  const siteKey = await createApiKey(service, 'server', scopes, { publishable: false })
  const publishable = await createApiKey(service, 'maps', ['listings:public'])
  const port = await freePort()
  const vars = { ESTIA_URL: service.url, SITE_KEY: siteKey.key, PUBLISHABLE_KEY: publishable.key }
  server = devServer(port, vars, ['--cwd', 'examples/website'], '/robots.txt')
  await Promise.race([server.run(), server.ready])
  site = `http://localhost:${port}`
  pages = {
    home: '/',
    search: '/search?availability=sale',
    'no-results': '/search?subcategory=houseboat&area=101&features=elevator&rooms=9',
    map: '/search?view=map',
    listing: `/listings/${await idOf('has_photos=true&category=residential')}`,
    auction: `/listings/${await idOf('availability=auction')}`,
    video: `/listings/${await idOf('has_video=true')}`,
    office: '/office',
    privacy: '/privacy',
    'thank-you': `/thank-you?listing=${await idOf('has_photos=true')}&reference=AB12CD34EF`,
  }
})

afterAll(() => server?.stop())

/** The newest listing that filters find; expects that there is one. */
async function idOf(filters: string): Promise<number> {
  const { key } = await createApiKey(service, 'test', ['listings:public'])
  const answer = await fetch(`${service.url}/api/listings?key=${key}&fields=id&${filters}`)
  const { data } = (await answer.json()) as { data: { id: number }[] }
  const [listing] = data
  if (!listing) throw new Error(`The demo agency has no listing with ${filters}`)
  return listing.id
}

/** Opens a page in a window of its own, and closes it after `look`. */
async function visit<Seen>(
  path: string,
  look: (page: Page, seen: ReturnType<typeof watch>) => Promise<Seen>,
  options: BrowserContextOptions = {},
): Promise<Seen> {
  const context = await browser.newContext(options)
  try {
    const page = await context.newPage()
    const seen = watch(page, site)
    await page.goto(site + path)
    return await look(page, seen)
  } finally {
    await context.close()
  }
}

/** Looks closer at the points of a map until `pin` is one listing. */
async function zoomUntil(page: Page, pin: Locator): Promise<void> {
  await page.locator('.pin').first().waitFor()
  for (let tries = 0; tries < 8 && (await pin.count()) === 0; tries++) {
    // By the keyboard, as points may lie upon each other.
    await page.locator('button.pin').first().press('Enter')
    await page.waitForTimeout(800)
  }
  // The last points have come.
  await page.waitForLoadState('networkidle')
}

describe.runIf(hasBrowser)('the example website', () => {
  it.each(SCREENS)(
    'fits $width pixels in $language, and logs nothing',
    async ({ language, width }) => {
      for (const [name, path] of Object.entries(pages)) {
        const found = await visit(
          `/${language}${path}`,
          async (page, { logged, refused }) => {
            await page.waitForLoadState('networkidle')
            await takeScreenshot(page, `website-${name}-${language}-${width}`)
            const tooWide = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
            return { tooWide, logged, refused, lang: await page.getAttribute('html', 'lang') }
          },
          { viewport: { width, height: 900 } },
        )
        expect(found, path).toEqual({ tooWide: 0, logged: [], refused: [], lang: language })
      }
    },
    120_000,
  )

  it.each(['light', 'dark'] as const)(
    'has nothing that axe finds wrong: %s',
    async (colorScheme) => {
      for (const path of [...Object.values(pages), '/nothing-here']) {
        const violations = await visit(
          `/en${path}`,
          async (page) => {
            await page.waitForLoadState('networkidle')
            return violationsOf(page)
          },
          { colorScheme },
        )
        expect(violations, path).toEqual([])
      }
    },
    120_000,
  )

  it('keeps filters in the address bar, and goes back', async () => {
    await visit('/en/search', async (page) => {
      await page.getByLabel('Offer').selectOption('rent')
      await page.getByLabel('Price to').fill('5000')
      await page.getByRole('button', { name: 'Search' }).click()
      await page.waitForURL('**/en/search?availability=rent&price_max=5000')
      await page.getByRole('link', { name: 'Cheapest' }).click()
      await page.waitForURL('**/en/search?availability=rent&price_max=5000&sort=cheapest')
      await page.goBack()
      expect(page.url()).toBe(`${site}/en/search?availability=rent&price_max=5000`)
      expect(await page.getByLabel('Price to').inputValue()).toBe('5,000')
    })
  })

  it('searches, shows a listing and refuses a form without JavaScript', async () => {
    await visit(
      '/el/',
      async (page) => {
        await page.getByRole('button', { name: 'Αναζήτηση' }).click()
        await page.waitForURL('**/el/search')
        await page.locator('.card-title a').first().click()
        await page.waitForURL('**/el/listings/*')
        await page.getByLabel('Μήνυμα').fill('Καλημέρα')
        await page.getByRole('button', { name: 'Αποστολή' }).click()
        expect(await page.getByRole('alert').textContent()).toContain('δεν στάλθηκε')
        expect(await page.getByLabel('Μήνυμα').inputValue()).toBe('Καλημέρα')
        expect(await page.locator('#last_name-error').textContent()).toBe('Συμπληρώστε αυτό το πεδίο.')
        expect(await page.getByLabel('Επώνυμο').getAttribute('aria-describedby')).toBe('last_name-error')
      },
      { javaScriptEnabled: false },
    )
  })

  it('says of a point what it costs and which one it is, once', async () => {
    await visit('/en/search?view=map', async (page) => {
      const pin = page.locator('a.pin').first()
      await zoomUntil(page, pin)
      const id = (await pin.getAttribute('href'))?.split('/').at(-1)
      const seen = String(await page.evaluate(`document.querySelector('a.pin').firstChild.textContent`))
      expect(seen).toMatch(/^€[\d.,]+[km]?$|^€ –$/)
      await page.getByRole('link', { name: `${seen}, property ${id}`, exact: true }).waitFor()
      // The marker around it is no other thing to read or to stop at.
      expect(await page.locator('.leaflet-marker-icon:is([tabindex], [role], [title], [alt])').count()).toBe(
        0,
      )
    })
  })

  it('finds the map as it was when it goes back', async () => {
    await visit('/en/search?view=map', async (page) => {
      const first = page.locator('a.pin').first()
      await page.getByRole('button', { name: 'Zoom out' }).click()
      await page.waitForURL(/#map=/)
      await page.waitForLoadState('networkidle')
      await zoomUntil(page, first)
      const href = await first.getAttribute('href')
      // A point beyond the edge moves the map.
      await page.locator(`a.pin[href="${href}"]`).focus()
      await page.waitForLoadState('networkidle')
      const names = async () => (await page.locator('.pin').allTextContents()).toSorted()
      const before = { hash: new URL(page.url()).hash, names: await names() }
      expect(before.hash).toMatch(/^#map=\d+\/[\d.]+\/[\d.]+$/)
      await page.keyboard.press('Enter')
      await page.waitForURL(`**${href}`)
      await page.goBack()
      await page.waitForURL(`**/search?view=map${before.hash}`)
      await expect.poll(names).toEqual(before.names)
      expect(await page.getByRole('link', { name: 'Cheapest' }).getAttribute('href')).toContain(before.hash)
    })
  })

  it('shows the coast on a map without tiles, and on a phone the map before the form', async () => {
    await visit(
      '/el/search?view=map',
      async (page) => {
        await page.getByText('Απλός χάρτης χωρίς δρόμους').waitFor()
        await page.locator('.map-plain .map-land').first().waitFor({ state: 'attached' })
        expect(await page.locator('.map-land').count()).toBeGreaterThan(50)
        const [map, form, list] = await Promise.all(
          ['.found-map', 'form.search', '.found-list'].map((part) => page.locator(part).boundingBox()),
        )
        expect(map?.y).toBeLessThan(form?.y ?? 0)
        expect(form?.y).toBeLessThan(list?.y ?? 0)
      },
      { viewport: { width: 390, height: 844 } },
    )
  })

  it('breaks no word of its own at 320 pixels, and keeps a word without end within the page', async () => {
    const word = 'ά'.repeat(255)
    for (const path of Object.values(pages)) {
      const found = await visit(
        `/el${path}`,
        async (page) => ({
          // A text that is higher than its line, although it is one word, is broken within.
          broken:
            await page.evaluate(`[...document.querySelectorAll('header a, footer a, .button, .button-quiet, dt, h1, h2, label span, .sorts a')]
            .filter((element) => element.children.length === 0 && /^\\S+$/.test(element.textContent.trim()))
            .filter((element) => {
              const range = document.createRange()
              range.selectNodeContents(element)
              return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1
            })
            .map((element) => element.textContent)`),
          tooWide: await page.evaluate(`{
            for (const element of document.querySelectorAll('main :is(h1, h2, .card-title a, .card-place, .prose p, .details dd, .store-line a, .place, .hero-caption span, .chip span + *)'))
              if (element.firstChild?.nodeType === Node.TEXT_NODE || element.children.length === 0) element.append('${word}')
            document.documentElement.scrollWidth - innerWidth
          }`),
        }),
        { viewport: { width: 320, height: 800 } },
      )
      expect(found, path).toEqual({ broken: [], tooWide: 0 })
    }
  })

  it('asks when a viewing would suit, and sends that', async () => {
    const path = `/en${pages.listing}`
    await visit(path, async (page) => {
      const dates = page.getByRole('group', { name: 'When would suit you?' })
      expect(await dates.isVisible()).toBe(false)
      await page.getByLabel('Viewing').check()
      const day = new Date(Date.now() + 7 * 24 * 3600 * 1000).toISOString().slice(0, 10)
      await dates.getByLabel('Choice 1').fill(`${day}T18:30`)
      await page.getByLabel('Last name').fill('Viewer')
      await page.getByLabel('E-mail', { exact: true }).fill('viewer@example.com')
      await page.getByLabel('Message').fill('May we see it?')
      await page.getByRole('checkbox', { name: /I agree/ }).check()
      await page.getByRole('button', { name: 'Send' }).click()
      await page.waitForURL('**/en/thank-you?listing=*')
      const { key } = await createApiKey(service, 'enquiries', ['enquiries:read'])
      const answer = await fetch(`${service.url}/api/enquiries?search=viewer@example.com`, {
        headers: { Authorization: `Bearer ${key}` },
      })
      const { data } = (await answer.json()) as { data: { type: string; dates: string[] }[] }
      expect(data.map(({ type, dates }) => [type, dates.length, dates[0]?.slice(0, 10)])).toEqual([
        ['viewing', 1, day],
      ])
    })
  })

  it('has a first page below 200 KB without photos', async () => {
    const bytes = await visit('/el/', (page) =>
      page.evaluate(`performance.getEntries()
        .filter(({ entryType, initiatorType }) => entryType === 'navigation' || (entryType === 'resource' && initiatorType !== 'img'))
        .reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0)`),
    )
    expect(bytes).toBeGreaterThan(1_000)
    expect(bytes).toBeLessThan(FIRST_PAGE_BYTES)
  })
})
