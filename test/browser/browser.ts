/**
 * A real browser before a real service: the demo agency on a free port, and a Chromium that tells what a page logs
 * and asks for.
 */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import type { DemoSize } from '../../demo/lines.ts'
import { loadDemo, withTemporaryKey } from '../../scripts/service/load-demo.ts'
import { type LocalService, startLocalService } from '../../scripts/start/local.ts'
import { demoKeys, writeLocalConfig } from '../../scripts/start/prepare.ts'

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
const SCREENSHOTS = 'build/screenshots'
/** Those that the README shows, and their names in `docs/`; `PICTURES=1` renews them. */
const README_PICTURES: Record<string, string> = {
  'website-listing-en-1280': 'website',
  'console-enquiries-1280-light-en': 'console',
}
/** Whether there is a browser to test with; `CHROMIUM` names one that is elsewhere. */
export const hasBrowser = existsSync(CHROMIUM)

/** What a page did that it should not do. */
export interface Watch {
  /** What it logged, and the errors that nobody caught. */
  logged: string[]
  /** Addresses elsewhere that it asked for. */
  foreign: string[]
  /** Answers of 400 and above. */
  refused: string[]
}

/** How much of the demo agency is loaded: enough for both kinds of tours. */
export const DEMO_SIZE: DemoSize = { listings: 60 }

/** The demo agency, and a browser. */
export let service: LocalService
export let browser: Browser

/** Opens both for the tests of a file, and then makes what these need. */
export function openDemo(make: () => Promise<unknown> = async () => undefined, hasDemoKey = false): void {
  beforeAll(async () => {
    if (!hasBrowser) return
    ;[service, browser] = await Promise.all([startDemo(hasDemoKey), openBrowser()])
    await make()
  }, 300_000)
  afterAll(() => Promise.all([service?.stop(), browser?.close()]))
}

/** The demo agency, in a folder of its own. Where a page aborts a request, its server may end, and is started again. */
async function startDemo(hasDemoKey: boolean): Promise<LocalService> {
  const started = await startLocalService({
    varsOf: async (folder): Promise<Record<string, string>> =>
      hasDemoKey ? { DOCS_DEMO_KEY: (await demoKeys(folder)).key } : {},
    options: ['--config', writeLocalConfig()],
  })
  try {
    await withTemporaryKey(started, (key) => loadDemo(started, key, DEMO_SIZE))
  } catch (error) {
    await started.stop()
    throw error
  }
  return started
}

/** Chromium without a window, with WebGL in software. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    args: ['--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'],
  })
}

/** Notes what `page` does from now on; `origin` is the only one it may ask. */
export function watch(page: Page, origin: string): Watch {
  const seen: Watch = { logged: [], foreign: [], refused: [] }
  page.on('console', (message) => seen.logged.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', (error) => seen.logged.push(String(error)))
  page.on('request', (request) => {
    const { protocol, origin: asked } = new URL(request.url())
    if (/^(https?|wss?):$/.test(protocol) && asked !== origin) seen.foreign.push(request.url())
  })
  page.on('response', (response) => {
    if (response.status() >= 400) seen.refused.push(`${response.status()} ${response.url()}`)
  })
  return seen
}

/** Runs `look` on a page of its own; expects that the page logs nothing and asks nobody else for anything. */
export async function visit(
  options: BrowserContextOptions,
  look: (page: Page) => Promise<void>,
): Promise<void> {
  const page = await browser.newPage(options)
  const seen = watch(page, service.url)
  try {
    await look(page)
    expect(seen).toEqual({ logged: [], foreign: [], refused: [] })
  } finally {
    await page.close()
  }
}

/** By how many pixels a page is wider than the screen. */
export const overflowOf = (page: Page) =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')

/** What axe finds wrong with a page. It is no script element, which the page's own policy would forbid. */
export async function violationsOf(page: Page): Promise<unknown> {
  await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'))
  return page.evaluate(`axe.run().then(({ violations }) =>
    violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html.slice(0, 200))]))`)
}

/** What the service answers to a call by `key`, as JSON; expects its status. */
export async function ask(key: string, method: string, path: string, body?: object, status = 200) {
  const answer = await fetch(`${service.url}${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  expect([path, answer.status]).toEqual([path, status])
  return answer.json()
}

/** Keeps a picture of what the page shows, for people to look at. */
export async function takeScreenshot(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: `${SCREENSHOTS}/${name}.png` })
  const picture = process.env.PICTURES && README_PICTURES[name]
  if (picture) await page.screenshot({ path: `docs/${picture}.jpg`, type: 'jpeg', quality: 70 })
}
