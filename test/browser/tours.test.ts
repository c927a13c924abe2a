import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { listingPictures } from '../../demo/agency.ts'
import { readPhoto } from '../../demo/pictures.ts'
import { buildViewer } from '../../scripts/build/tours.ts'
import { createApiKey } from '../../scripts/service/admin.ts'
import { ask, browser, DEMO_SIZE, hasBrowser, openDemo, service, takeScreenshot, visit } from './browser.ts'

/** A listing of the demo agency that has one panorama. */
const LISTING = listingPictures(DEMO_SIZE).find(({ panoramas }) => panoramas.length === 1)?.listing_id
const SHOWN = '#tour[data-mode="round"]:has(#sphere[aria-busy="false"])'
const FLAT = '#tour[data-mode="flat"]'
const CURRENT = '#strip [aria-current="true"] img'
const DESKTOP = { viewport: { width: 1280, height: 800 }, locale: 'en-GB' }
const PHONE = { viewport: { width: 390, height: 844 }, locale: 'el-GR', hasTouch: true, deviceScaleFactor: 2 }
const STILL = { ...DESKTOP, reducedMotion: 'reduce' } as const

let tour = ''

openDemo(async () => {
  await buildViewer()
  tour = await addPanoramas()
})

/** Gives the listing two panoramas more, a green one and one in negative, 8192 pixels wide; returns its tour. */
async function addPanoramas(): Promise<string> {
  const { key } = await createApiKey(service, 'tours', ['listings:read', 'listings:write'])
  const room = sharp(await readPhoto('panorama-living'))
  const pictures = await Promise.all([
    room.clone().modulate({ hue: 140 }).jpeg().toBuffer(),
    room.clone().resize(8192, 4096).negate({ alpha: false }).jpeg().toBuffer(),
  ])
  const path = `/api/listings/${LISTING}`
  const photos = pictures.map((bytes) => ({ data: bytes.toString('base64') }))
  const added = await ask(key, 'POST', `${path}/panorama-photos`, { photos })
  expect(added).toMatchObject({ data: [{ success: true }, { success: true }] })
  const captions = [1, 2].map((language_id) => ({ language_id, caption: null }))
  await ask(key, 'PUT', `${path}/panorama-photos/1`, { captions })
  const { data } = (await ask(key, 'GET', path)) as { data: { panorama_tour_url: string } }
  return data.panorama_tour_url
}

const open = async (page: Page, address = tour) => {
  await page.goto(address)
  await page.waitForSelector(SHOWN)
}

/** The picture between status line and buttons, as numbers. */
async function look(page: Page): Promise<{ pixels: Buffer; spread: number; mean: number[] }> {
  const box = await page.locator('#sphere').boundingBox()
  if (!box) throw new Error('There is no sphere')
  const clip = { x: box.x + 10, y: box.y + 70, width: box.width - 20, height: box.height - 140 }
  const image = sharp(await page.screenshot({ clip })).removeAlpha()
  const { channels } = await image.stats()
  return {
    pixels: await image.raw().toBuffer(),
    spread: Math.max(...channels.map(({ stdev }) => stdev)),
    mean: channels.map(({ mean }) => Math.round(mean)),
  }
}

/** Share of the values that differ. */
function difference(a: { pixels: Buffer }, b: { pixels: Buffer }): number {
  let differing = 0
  for (let at = 0; at < a.pixels.length; at++)
    if (Math.abs((a.pixels[at] ?? 0) - (b.pixels[at] ?? 0)) > 8) differing++
  return differing / a.pixels.length
}

/** Whether the picture moves by itself. */
async function moves(page: Page): Promise<boolean> {
  const before = await look(page)
  await page.waitForTimeout(400)
  return difference(before, await look(page)) > 0
}

async function drag(page: Page): Promise<void> {
  await page.mouse.move(700, 400)
  await page.mouse.down()
  await page.mouse.move(500, 360, { steps: 8 })
  await page.mouse.up()
}

async function swipe(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: x === undefined ? [] : [{ x, y: 400 }] })
  await touch('touchStart', 300)
  for (let x = 280; x >= 120; x -= 20) await touch('touchMove', x)
  await touch('touchEnd')
}

/** Opens a page of another site, with this body. */
async function openHost(body: string, look: (page: Page, address: string) => Promise<void>): Promise<void> {
  const host = createServer((_, answer) => answer.setHeader('Content-Type', 'text/html').end(body))
  await once(host.listen(0, '127.0.0.1'), 'listening')
  const address = `http://127.0.0.1:${(host.address() as AddressInfo).port}/listing`
  const page = await browser.newPage(DESKTOP)
  await page.goto(address)
  await look(page, address)
  await page.close()
  host.close()
}

describe.skipIf(!hasBrowser)('the tour', { timeout: 60_000 }, () => {
  it.each([
    ['desktop', DESKTOP, drag],
    ['phone', PHONE, swipe],
  ] as const)('shows the room and lets it be dragged: %s', async (name, options, move) => {
    await visit(options, async (page) => {
      await open(page)
      await page.waitForTimeout(1000)
      const before = await look(page)
      expect(before.spread).toBeGreaterThan(20)
      expect(await moves(page)).toBe(false)
      await takeScreenshot(page, `tours-${name}`)
      await move(page)
      await page.waitForTimeout(1000)
      const after = await look(page)
      expect(after.spread).toBeGreaterThan(20)
      expect(difference(before, after)).toBeGreaterThan(0.05)
      expect(await page.locator(':focus-visible').count()).toBe(0)
      await takeScreenshot(page, `tours-${name}-turned`)
      const width = await page.evaluate<number>('document.documentElement.scrollWidth')
      expect(width).toBe(options.viewport.width)
    })
  })

  it('switches pictures by thumb', async () => {
    await visit(DESKTOP, async (page) => {
      await open(page)
      const colours: number[][] = []
      for (const number of [1, 2, 3, 1]) {
        await page.getByRole('button', { name: `Picture ${number} of 3` }).click()
        await page.waitForSelector(SHOWN)
        await page.waitForTimeout(1000)
        colours.push((await look(page)).mean)
        expect(await page.locator(CURRENT).getAttribute('alt')).toBe(`Picture ${number} of 3`)
        expect(await page.locator('#status').textContent()).toBe(`Picture ${number} of 3`)
      }
      const [first, second, third, again] = colours
      expect(first).toEqual(again)
      expect(new Set([first, second, third].map(String)).size).toBe(3)
    })
  })

  it('leads back to the page that led to it, after a change of the language too', async () => {
    await openHost(`<a href="${tour}">Tour</a>`, async (page, address) => {
      await page.getByRole('link', { name: 'Tour' }).click()
      await page.waitForSelector(SHOWN)
      await page.getByRole('link', { name: 'Ελληνικά' }).click()
      await page.waitForURL('**?lang=el*')
      await page.getByRole('button', { name: 'Πίσω' }).click()
      await page.waitForURL(address)
    })
  })

  it('offers no way back where nothing led to it', async () => {
    await visit(DESKTOP, async (page) => {
      await open(page)
      expect(await page.locator('#back').isVisible()).toBe(false)
      await page.getByRole('link', { name: 'Ελληνικά' }).click()
      await page.waitForURL('**?lang=el*')
      await page.waitForSelector(SHOWN)
      expect(await page.locator('#back').isVisible()).toBe(false)
    })
  })

  it('does as the keys say', async () => {
    await visit(STILL, async (page) => {
      await open(page)
      const start = await look(page)
      for (const key of ['ArrowLeft', 'ArrowUp', '+', '=', '-', 'ArrowRight']) {
        const before = await look(page)
        await page.keyboard.press(key, { delay: 250 })
        await page.waitForTimeout(600)
        expect(difference(before, await look(page)), key).toBeGreaterThan(0)
      }
      expect(difference(start, await look(page))).toBeGreaterThan(0)
      for (const [key, number] of [
        ['PageDown', 2],
        ['PageDown', 3],
        ['PageDown', 3],
        ['PageUp', 2],
        ['Home', 1],
        ['PageUp', 1],
        ['End', 3],
        ['2', 2],
        ['9', 2],
      ] as const) {
        await page.keyboard.press(key)
        await page.waitForSelector(SHOWN)
        expect(await page.locator(CURRENT).getAttribute('alt'), key).toBe(`Picture ${number} of 3`)
      }
    })
  })

  it('has everything in reach of Tab, and a ring around it', async () => {
    await visit(DESKTOP, async (page) => {
      await open(page)
      const reached: string[] = []
      for (let stop = 0; stop < 9; stop++) {
        await page.keyboard.press('Tab')
        const [name, ring] = await page.evaluate<[string, string]>(
          `(({ activeElement: at }) => [at.id || at.textContent.trim(),
            at.id === 'sphere' ? getComputedStyle(at, '::after').outlineStyle : getComputedStyle(at).outlineStyle])(document)`,
        )
        expect(ring, name).toBe('solid')
        reached.push(name)
      }
      expect(reached).toEqual([
        'Ελληνικά',
        'sphere',
        'zoom-out',
        'zoom-in',
        'full-screen',
        '?',
        '1',
        '2',
        '3',
      ])
    })
  })

  it('zooms by button and fills the screen', async () => {
    await visit(DESKTOP, async (page) => {
      await open(page)
      const before = await look(page)
      await page.getByRole('button', { name: 'Zoom in' }).click()
      await page.waitForTimeout(500)
      expect(difference(before, await look(page))).toBeGreaterThan(0.01)
      await page.keyboard.press('f')
      await page.waitForSelector('#tour:fullscreen')
      // It is told a moment later, by an event.
      await page.getByRole('button', { name: 'Full screen', pressed: true }).click()
      await page.waitForSelector('#tour:not(:fullscreen)')
    })
  })

  it.each([
    [8192, 8192],
    [4096, 4096],
  ])('shows a picture of 8192 pixels on a device whose limit is %s', async (limit, width) => {
    await visit(DESKTOP, async (page) => {
      await page.addInitScript(`{
        const context = WebGL2RenderingContext.prototype
        const { getParameter, texStorage2D } = context
        globalThis.widths = []
        context.getParameter = function (name) {
          return name === this.MAX_TEXTURE_SIZE ? ${limit} : getParameter.call(this, name)
        }
        context.texStorage2D = function (...texture) {
          widths.push(texture[3])
          return texStorage2D.apply(this, texture)
        }
      }`)
      await open(page, `${tour}#3`)
      // Not `waitForFunction`: the page's policy forbids what it does while it waits.
      const largest = async () => Math.max(...(await page.evaluate<number[]>('widths')))
      await expect.poll(largest, { timeout: 30_000 }).toBe(width)
      expect((await look(page)).spread).toBeGreaterThan(20)
    })
  })

  it('stays where it is laid out while it loads', async () => {
    await visit(PHONE, async (page) => {
      await page.addInitScript(`globalThis.shifts = []
        new PerformanceObserver((list) => shifts.push(...list.getEntries().map((entry) => entry.value)))
          .observe({ type: 'layout-shift', buffered: true })`)
      await open(page)
      await page.waitForTimeout(500)
      expect(await page.evaluate('shifts')).toEqual([])
    })
  })

  it('keeps the picture when the language changes', async () => {
    await visit(DESKTOP, async (page) => {
      await open(page)
      await page.keyboard.press('2')
      await page.waitForSelector(SHOWN)
      await page.getByRole('link', { name: 'Ελληνικά' }).click()
      await page.waitForURL('**?lang=el#2')
      await page.waitForSelector(SHOWN)
      expect(await page.locator('html').getAttribute('lang')).toBe('el')
      expect(await page.locator(CURRENT).getAttribute('alt')).toBe('Εικόνα 2 από 3')
    })
  })

  it('runs in a frame of another site, which keeps its wheel', async () => {
    const body = `<iframe src="${tour}" width="900" height="500" allow="fullscreen"></iframe><p style="height: 3000px">`
    await openHost(body, async (page) => {
      const frame = page.frameLocator('iframe')
      await frame.locator(SHOWN).waitFor()
      await page.mouse.move(400, 250)
      await page.mouse.wheel(0, 200)
      await page.waitForFunction('scrollY > 0')
      expect(await frame.getByText('To zoom, hold Ctrl').isVisible()).toBe(true)
      await frame.locator('#sphere').click({ position: { x: 100, y: 200 } })
      await page.keyboard.press('2')
      await frame.locator(CURRENT).and(frame.getByAltText('Picture 2 of 3')).waitFor()
    })
  })
})

describe.skipIf(!hasBrowser)('the flat pictures', { timeout: 60_000 }, () => {
  it('are there without WebGL', async () => {
    await visit(PHONE, async (page) => {
      await page.addInitScript(`HTMLCanvasElement.prototype.getContext = () => null`)
      await page.goto(tour)
      await page.waitForSelector(FLAT)
      await page.getByText('Εδώ δεν γίνεται προβολή 360°').waitFor()
      await page.keyboard.press('PageDown')
      await page.getByText('Εικόνα 2 από 3 · Εδώ δεν γίνεται').waitFor()
      await takeScreenshot(page, 'tours-phone-flat')
    })
  })

  it('take the place of a sphere that breaks', async () => {
    const page = await browser.newPage(DESKTOP)
    await open(page)
    await page.evaluate(`document.querySelector('canvas').dispatchEvent(new Event('webglcontextlost'))`)
    await page.waitForSelector(FLAT)
    await page.getByText('A 360° view is not possible here').waitFor()
    await page.close()
  })

  it('tell when a picture is gone, and let go of it for the next', async () => {
    const page = await browser.newPage(DESKTOP)
    const lost = new Set<string>()
    await page.route('**/photos/**', (route) =>
      lost.has(route.request().url()) ? route.abort() : route.continue(),
    )
    await open(page)
    const second = page.getByRole('button', { name: 'Picture 2 of 3' })
    for (const address of [
      await second.getAttribute('data-image'),
      await second.locator('img').getAttribute('src'),
    ])
      lost.add(new URL(address ?? '', tour).href)
    await second.click()
    await page.getByText('Picture 2 of 3 · The picture could not be loaded.').waitFor()
    await page.getByRole('button', { name: 'Picture 3 of 3' }).click()
    await page.waitForSelector(SHOWN)
    await page.waitForTimeout(1000)
    expect((await look(page)).spread).toBeGreaterThan(20)
    await page.close()
  })
})
