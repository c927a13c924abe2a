/** The example website before the demo agency: as people see it, with and without JavaScript, and as axe judges it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { setTimeout as wait } from 'node:timers/promises'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildClient } from '../../scripts/build/client.ts'
import { createApiKey } from '../../scripts/service/admin.ts'
import { freePort } from '../../tools/runtime/port.ts'
import { hasBrowser, openBrowser, type RunningService, startDemo, takeScreenshot, watch } from './browser.ts'

const FOLDER = 'examples/website'
const WIDTHS = [390, 768, 1280]
const LANGUAGES = ['el', 'en']
/** The largest first page, without photos. */
const FIRST_PAGE_BYTES = 200_000

let service: RunningService
let browser: Browser
let server: ChildProcess
let site: string
let axe: string
let pages: Record<string, string>

beforeAll(async () => {
  if (!hasBrowser) return
  await buildClient()
  ;[service, browser] = await Promise.all([startDemo(), openBrowser()])
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  const siteKey = await createApiKey(service, 'server', ['listings:public'], { publishable: false })
  const publishable = await createApiKey(service, 'maps', ['listings:public'])
  site = `http://localhost:${await freePort()}`
  server = startWebsite({
    ESTIA_URL: service.url,
    SITE_KEY: siteKey.key,
    PUBLISHABLE_KEY: publishable.key,
  })
  await untilAnswering()
  pages = {
    home: '/',
    search: '/search?availability=sale',
    map: '/search?view=map',
    listing: `/listings/${await idOf('has_photos=true&has_tour=true')}`,
    office: '/office',
    privacy: '/privacy',
    'thank-you': '/thank-you?listing=1',
  }
}, 240_000)

afterAll(async () => {
  if (server?.exitCode === null) {
    server.kill()
    await once(server, 'exit')
  }
  await Promise.all([service?.close(), browser?.close()])
})

/** Runs the Worker of the website as `npm run website` does. */
function startWebsite(vars: Record<string, string>): ChildProcess {
  const wrangler = createRequire(import.meta.url).resolve('wrangler')
  const variables = Object.entries(vars).flatMap(([name, value]) => ['--var', `${name}:${value}`])
  const options = [
    '--port',
    new URL(site).port,
    '--inspector-port',
    '0',
    '--show-interactive-dev-session=false',
  ]
  return spawn(process.execPath, ['--no-warnings', wrangler, 'dev', ...options, ...variables], {
    cwd: FOLDER,
    env: { ...process.env, CI: 'true', NO_COLOR: '1', WRANGLER_SEND_METRICS: 'false' },
    stdio: 'ignore',
  })
}

async function untilAnswering(): Promise<void> {
  for (let tries = 0; tries < 120; tries++) {
    const answer = await fetch(`${site}/robots.txt`).catch(() => null)
    if (answer?.ok) return
    await wait(500)
  }
  throw new Error('The website did not answer within a minute')
}

async function idOf(filters: string): Promise<number> {
  const key = (await createApiKey(service, 'test', ['listings:public'])).key
  const answer = await fetch(`${service.url}/api/listings?key=${key}&fields=id&${filters}`)
  const { data } = (await answer.json()) as { data: { id: number }[] }
  return data[0]?.id ?? 0
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

describe.runIf(hasBrowser)('the example website', () => {
  it.each(LANGUAGES.flatMap((language) => WIDTHS.map((width) => ({ language, width }))))(
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
            // Not by a script element, which the page's own policy forbids.
            await page.evaluate(axe)
            return page.evaluate(`axe.run().then(({ violations }) =>
              violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html.slice(0, 200))]))`)
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
      await page.getByRole('link', { name: 'Remove: To rent' }).click()
      await page.waitForURL('**/en/search?price_max=5000&sort=cheapest')
      await page.goBack()
      await page.goBack()
      expect(page.url()).toBe(`${site}/en/search?availability=rent&price_max=5000`)
      expect(await page.getByLabel('Price to').inputValue()).toBe('5000')
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

  it('leads from a point of the map to its listing by the keyboard', async () => {
    await visit('/en/search?view=map', async (page) => {
      const pin = page.locator('a.pin').first()
      while ((await pin.count()) === 0) {
        await page.locator('button.pin').first().click()
        await page.waitForTimeout(500)
      }
      expect(await pin.getAttribute('aria-label')).toMatch(/, Property \d+/)
      const href = (await pin.getAttribute('href')) ?? ''
      await pin.focus()
      await page.keyboard.press('Enter')
      await page.waitForURL(`**${href}`)
    })
  })

  it('has controls of at least 24 pixels', async () => {
    for (const path of Object.values(pages)) {
      const small = await visit(
        `/en${path}`,
        (page) =>
          page.evaluate(`[...document.querySelectorAll('main :is(a, button, select, summary), header a, footer a')]
            .filter((element) => !element.closest('p, label') || element.matches('.button, .button-quiet'))
            .map((element) => [element.outerHTML.slice(0, 100), element.getBoundingClientRect()])
            .filter(([, box]) => box.width > 1 && (box.height < 23.9 || box.width < 23.9))
            .map(([html]) => html)`),
        { viewport: { width: 390, height: 844 } },
      )
      expect(small, path).toEqual([])
    }
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
