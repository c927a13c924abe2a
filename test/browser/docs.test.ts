import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, openBrowser, type RunningService, startDemo, takeScreenshot, watch } from './browser.ts'

const DESKTOP = { viewport: { width: 1280, height: 800 } }
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, deviceScaleFactor: 2 }
const NOTHING = { logged: [], foreign: [], refused: [] }

let service: RunningService
let browser: Browser
/** What `beforeAll` opened. */
const closing: (() => Promise<void>)[] = []

beforeAll(async () => {
  if (!hasBrowser) return
  service = await startDemo({ hasDemoKey: true })
  closing.push(service.close)
  browser = await openBrowser()
  closing.push(() => browser.close())
}, 300_000)

afterAll(async () => {
  for (const close of closing.toReversed()) await close()
})

/** Opens `/docs`, runs `look`, and expects that the page logs nothing and asks nobody else for anything. */
async function read(options: BrowserContextOptions, look: (page: Page) => Promise<void>): Promise<void> {
  const page = await browser.newPage(options)
  const seen = watch(page, service.url)
  try {
    await page.goto(`${service.url}/docs`)
    await page.getByRole('heading', { name: 'Estia', exact: true }).waitFor()
    await look(page)
    expect(seen).toEqual(NOTHING)
  } finally {
    await page.close()
  }
}

describe.skipIf(!hasBrowser)('/docs in a browser', () => {
  it.each([
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ])('shows guides and reference: %s', async (name, options) => {
    await read(options, async (page) => {
      await takeScreenshot(page, `docs-${name}`)
      // On a phone the list of guides fills the screen, and what is below comes when it is scrolled to.
      await page.mouse.wheel(0, 900)
      await page.getByRole('heading', { name: 'First call' }).first().waitFor()
      const root = 'document.documentElement'
      const overflow = await page.evaluate<number>(`${root}.scrollWidth - ${root}.clientWidth`)
      expect(overflow).toBe(0)
    })
  })

  it('lists guides and calls while the reference is still on its way', async () => {
    const page = await browser.newPage(PHONE)
    const held = Promise.withResolvers<void>()
    await page.route('**/scalar/**', async (route) => {
      await held.promise
      await route.continue()
    })
    await page.goto(`${service.url}/docs`, { waitUntil: 'commit' })
    const contents = page.locator('#contents')
    await contents.getByRole('link', { name: 'First call' }).waitFor()
    await contents.getByText('POST /api/listings', { exact: true }).waitFor()
    await takeScreenshot(page, 'docs-phone-contents')
    const width = await page.evaluate<number>('document.documentElement.scrollWidth')
    expect(width).toBe(PHONE.viewport.width)
    held.resolve()
    await page.getByRole('heading', { name: 'Estia', exact: true }).waitFor()
    await contents.waitFor({ state: 'detached' })
    await page.close()
  })

  it('answers a call with the key that is filled in', async () => {
    await read(DESKTOP, async (page) => {
      const answered = page.waitForResponse(
        (response) => new URL(response.url()).pathname === '/api/listings',
      )
      await page.goto(`${service.url}/docs#tag/listings/GET/api/listings`)
      await page.reload()
      await page
        .getByRole('button', { name: /test request/i })
        .first()
        .click()
      await takeScreenshot(page, 'docs-request')
      await page.getByRole('button', { name: /^send/i }).first().click()
      const answer = await answered
      expect(answer.status()).toBe(200)
      expect(new URL(answer.url()).search).toBe('')
      expect(await answer.json()).toMatchObject({ status: 200, page: 1, results_per_page: 50 })
      await takeScreenshot(page, 'docs-answer')
    })
  })
})
