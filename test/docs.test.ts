import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { ENTITIES } from '../src/admin/transfer/entities.ts'
import { sendAndWait } from './http/send.ts'
import { get, ORIGIN } from './support/api.ts'

const FILES = import.meta.glob('../docs/*.md', { query: '?raw', import: 'default', eager: true })
const GUIDES = new Map(
  Object.entries(FILES)
    .map(([path, text]) => [path.replace(/^.*\/|\.md$/g, ''), text] as const)
    .filter(([name]) => name !== 'README'),
)

/** The page as a deployment with this demo key answers it. */
async function pageWith(
  key: string | undefined,
  headers: Record<string, string> = {},
  origin = 'http://localhost:8787',
): Promise<string> {
  const answer = await sendAndWait({ DOCS_DEMO_KEY: key }, new Request(`${origin}/docs`, { headers }))
  return answer.text()
}

/** What a path answers, be it of the Worker or a file beside it. */
async function statusOf(path: string): Promise<number> {
  const isFile = /^\/(reference|scalar)\/|^\/client\.tgz$/.test(path)
  return (isFile ? await env.ASSETS.fetch(ORIGIN + path) : await get(path)).status
}

it('the guide on import names the entities in the order of an export', () => {
  const [, section = ''] = GUIDES.get('transfer')?.split('## Entities') ?? []
  const table = section.split('\n').filter((line) => line.startsWith('| '))
  const named = table.flatMap((line) => [...line.matchAll(/`(\w+)`/g)].map(([, name]) => name))
  expect(named).toEqual(ENTITIES.map(({ name }) => name))
})

describe('GET /', () => {
  it('leads to the documentation', async () => {
    const { status, headers } = await get('/')
    expect([status, headers.get('Location')]).toEqual([302, '/docs'])
  })
})

describe('GET /docs', () => {
  it('is a page without a key, with a trailing slash too', async () => {
    for (const path of ['/docs', '/docs/']) {
      const { status, headers, body } = await get(path)
      expect(status).toBe(200)
      expect(headers.get('Content-Type')).toBe('text/html; charset=utf-8')
      expect(headers.get('Cache-Control')).toBe('no-cache')
      expect(body).toContain('<title>Estia API</title>')
    }
  })

  it('runs scripts of this origin only, and calls no other', async () => {
    const { headers, body } = await get('/docs')
    const policy = headers.get('Content-Security-Policy')?.split('; ')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).toContain("connect-src 'self'")
    expect(body).not.toMatch(/https?:|<script>|\son\w+=/)
  })

  it('lists every guide and every call before any script has come', async () => {
    const { body } = await get('/docs')
    for (const name of GUIDES.keys()) expect(body).toContain(`<a href="/docs/${name}.md">`)
    const { paths } = (await get('/openapi.json')).body
    const calls = Object.entries<object>(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(calls.length).toBeGreaterThan(50)
    const listed = [...body.matchAll(/<code>(.+?)<\/code>/g)].map(([, call]) => call)
    expect(listed.length).toBe(calls.length)
    expect(new Set(listed)).toEqual(new Set(calls))
  })

  it('finds every file it asks for', async () => {
    const { body } = await get('/docs')
    const paths = [...body.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, path]) => path)
    expect(paths).toContain('/reference/page.js')
    expect(paths).toContain('/client.tgz')
    for (const path of paths.filter((path = '') => !path.startsWith('#'))) {
      expect([path, await statusOf(path)]).toEqual([path, 200])
    }
  })

  it('lets caches keep Scalar for ever, and asks anew for what is ours', async () => {
    const { body } = await get('/docs')
    const cacheControl = async (path: string) =>
      (await env.ASSETS.fetch(ORIGIN + path)).headers.get('Cache-Control')
    const scalar = /\/scalar\/[^"]+/.exec(body)?.[0] ?? ''
    expect(await cacheControl(scalar)).toBe('public, max-age=31536000, immutable')
    expect(await cacheControl('/reference/page.js')).toBe('public, max-age=0, must-revalidate')
  })

  it('holds a key only where the deployment has one to show', async () => {
    expect(await pageWith(undefined)).toContain('<meta name="demo-key" content="">')
    expect(await pageWith('estia_"demo"')).toContain(
      '<meta name="demo-key" content="estia_&quot;demo&quot;">',
    )
  })

  it('tells the key to no script of another origin', async () => {
    expect(await pageWith('estia_demo', { Origin: 'https://elsewhere.example' })).not.toContain('estia_demo')
  })

  it.each([
    ['http://localhost:8787', true],
    ['http://127.0.0.1:8787', true],
    ['http://[::1]:8787', true],
    // A page under a name of its own that leads to this machine would be of the same origin.
    ['http://evil.example:8787', false],
    ['http://localhost.evil.example:8787', false],
    ['http://127.0.0.1.evil.example', false],
    ['https://estia.example', false],
  ])('at %s with the key: %s', async (origin, isShown) => {
    expect((await pageWith('estia_demo', {}, origin)).includes('estia_demo')).toBe(isShown)
  })
})

describe('guides', () => {
  it('are all listed, in docs/README.md and in llms.txt', async () => {
    const listed = [...(FILES['../docs/README.md'] ?? '').matchAll(/^- \[.+\]\((.+)\.md\): /gm)]
    expect(new Set(listed.map(([, name]) => name))).toEqual(new Set(GUIDES.keys()))
    const { headers, body } = await get('/llms.txt')
    expect(headers.get('Content-Type')).toBe('text/plain; charset=utf-8')
    expect(body).toMatch(/^# Estia\n\n> /)
    expect(body).toContain('](/openapi.json): ')
    expect(body).toContain('](/client.tgz): ')
    for (const name of GUIDES.keys()) expect(body).toContain(`](/docs/${name}.md): `)
  })

  it('are served as Markdown, as they are', async () => {
    for (const [name, text] of GUIDES) {
      const { status, headers, body } = await get(`/docs/${name}.md`)
      expect([name, status]).toEqual([name, 200])
      expect(headers.get('Content-Type')).toBe('text/markdown; charset=utf-8')
      expect(headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/)
      expect(headers.get('Access-Control-Allow-Origin')).toBe('*')
      expect(body).toBe(text)
    }
  })

  it('link only to what is there, and show nothing from elsewhere', async () => {
    for (const [name, text] of Object.entries(FILES)) {
      const prose = text.replace(/^```.*?^```/gms, '')
      expect([name, prose.match(/!\[|<img/)]).toEqual([name, null])
      for (const [, target = ''] of prose.matchAll(/\]\(([^)]+)\)/g)) {
        if (/^https:/.test(target)) continue
        const path = target.startsWith('/') ? target : `/docs/${target}`
        expect([name, target, await statusOf(path)]).toEqual([name, target, 200])
      }
    }
  })
})
