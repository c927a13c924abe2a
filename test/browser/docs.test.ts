import { readFileSync } from 'node:fs'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { browser, hasBrowser, openDemo, overflowOf, service, takeScreenshot, visit } from './browser.ts'

const DESKTOP = { viewport: { width: 1280, height: 800 } }
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, deviceScaleFactor: 2 }
const TABLET = { viewport: { width: 768, height: 1024 }, hasTouch: true }
const SIZES = [
  ['desktop', DESKTOP],
  ['tablet', TABLET],
  ['phone', PHONE],
] as const
/** The first sentence of the guide on errors, as it stands in the repository. */
const ERRORS_GUIDE_OPENING = readFileSync('docs/errors.md', 'utf8').split('\n')[2] ?? ''

openDemo(undefined, true)

/** Opens `/docs`, and runs `look` there. */
const read = (options: BrowserContextOptions, look: (page: Page) => Promise<void>) =>
  visit(options, async (page) => {
    await page.goto(`${service.url}/docs`)
    await page.getByRole('heading', { name: 'Estia', exact: true }).waitFor()
    await look(page)
    // A request that is broken off ends wrangler's development server.
    await page.waitForLoadState('networkidle')
  })

/** In the page: the words of a table that stand on two lines, and how wide it is. */
const measureTable = new Function(
  'table',
  `const broken = []
  const texts = document.createTreeWalker(table, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text; text = texts.nextNode())
    for (const word of text.data.matchAll(/[\\p{L}\\p{N}_]+/gu)) {
      const range = document.createRange()
      range.setStart(text, word.index)
      range.setEnd(text, word.index + word[0].length)
      if (range.getClientRects().length > 1) broken.push(word[0])
    }
  return { broken, widest: table.clientWidth }`,
) as (table: unknown) => { broken: string[]; widest: number }

describe.skipIf(!hasBrowser)('/docs in a browser', () => {
  it.each(SIZES)('leads to calls and guides at once: %s', async (name, options) => {
    await read(options, async (page) => {
      await takeScreenshot(page, `docs-${name}`)
      for (const link of ['Listings', 'Contacts', 'first call']) {
        const box = await page.getByRole('link', { name: link, exact: true }).last().boundingBox()
        expect([link, box !== null && box.y + box.height < options.viewport.height]).toEqual([link, true])
      }
      expect(await overflowOf(page)).toBe(0)
      await page.getByRole('link', { name: 'Contacts', exact: true }).last().click()
      await page.getByRole('heading', { name: 'Contacts' }).first().waitFor()
      expect(new URL(page.url()).hash).toBe('#tag/contacts')
    })
  })

  it.each(SIZES)('names the client of this deployment as its library: %s', async (name, options) => {
    await read(options, async (page) => {
      const libraries = page.locator('.scalar-reference-intro-clients').first()
      await libraries.scrollIntoViewIfNeeded()
      await libraries.getByText(`npm install ${service.url}/client.tgz`).waitFor()
      expect(await libraries.getByRole('tab').allInnerTexts()).toEqual(['TypeScript'])
      await takeScreenshot(page, `docs-libraries-${name}`)
      // Whoever chooses the library still sees how a call is made.
      await libraries.getByRole('tab').click()
      await page.goto(`${service.url}/docs#tag/listings/GET/api/listings`)
      await page
        .getByRole('button', { name: /test request/i })
        .first()
        .waitFor()
      await page.getByText('curl', { exact: false }).first().waitFor()
    })
  })

  it.each([
    ['tablet', TABLET],
    ['phone', PHONE],
  ] as const)('closes the menu over the guide that was chosen: %s', async (name, options) => {
    await read(options, async (page) => {
      const inMenu = (address: string) => page.locator(`.t-doc__sidebar a[href="${address}"]:visible`)
      await page.locator('.t-doc__header button').first().click()
      await inMenu('#tag/contacts').first().click()
      await inMenu('#tag/contacts/GET/api/contacts').first().waitFor()
      await takeScreenshot(page, `docs-menu-${name}`)
      await inMenu('#tag/guide-errors').first().click()
      await expect.poll(() => inMenu('#tag/guide-errors').count()).toBe(0)
      await page.getByText(ERRORS_GUIDE_OPENING).waitFor()
      await takeScreenshot(page, `docs-guide-${name}`)
    })
  })

  it.each(SIZES)('breaks no word of a table, which scrolls instead: %s', async (name, options) => {
    await read(options, async (page) => {
      for (const guide of ['errors', 'transfer', 'measurements']) {
        await page.goto(`${service.url}/docs#tag/guide-${guide}`)
        const table = page.locator(`[id*="guide-${guide}"] table`).first()
        await table.scrollIntoViewIfNeeded()
        await takeScreenshot(page, `docs-table-${guide}-${name}`)
        const { broken, widest } = await table.evaluate(measureTable)
        expect([guide, broken]).toEqual([guide, []])
        expect(widest).toBeLessThanOrEqual(options.viewport.width)
        expect(await overflowOf(page)).toBe(0)
      }
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
    expect(await overflowOf(page)).toBe(0)
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
      // The page fills in the defaults of the document.
      expect(['', '?sort=-id']).toContain(new URL(answer.url()).search)
      expect(await answer.json()).toMatchObject({ status: 200, page: 1, results_per_page: 50 })
      await takeScreenshot(page, 'docs-answer')
    })
  })
})
