import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { services } from '../../../src/app.ts'
import { createApp, Router, registerRoutes } from '../../../src/http/endpoint/router.ts'
import { notFound } from '../../../src/http/errors.ts'
import { describeApi } from '../../../src/openapi/document.ts'
import { EXAMPLES } from '../../../src/openapi/examples.ts'

const visits = new Router('Visits', 'Not of this agency.')
const deprecated = { since: '2027-01-01', sunset: '2027-10-01', instead: 'Call `/tours` instead.' }
visits.get('/visits', { summary: 'List visits', deprecated }, (c) => {
  c.header('Link', '<?page=2>; rel="next"')
  return c.json({ status: 200 })
})
visits.get('/visits/{id}', { summary: 'One visit', resource: 'Visit', deprecated }, () => {
  throw notFound('Visit')
})
let made: Response | undefined
visits.get('/tours', { summary: 'List tours', deprecated: { since: '2027-01-01', instead: '' } }, () => {
  made = new Response('[]')
  return made
})
visits.get('/guests', { summary: 'List guests' }, (c) => c.json({ status: 200 }))
let answered: Response | undefined
const app = createApp()
app.use(async (c, next) => {
  await next()
  answered = c.res
})
registerRoutes(app, [visits], services)

const POLICY = '</docs/versioning.md>; rel="deprecation"; type="text/markdown"'
const SUNSET = 'Fri, 01 Oct 2027 00:00:00 GMT'

it.each([
  ['/visits', 200, '@1798761600', SUNSET, `<?page=2>; rel="next", ${POLICY}`],
  ['/visits/1', 404, '@1798761600', SUNSET, POLICY],
  ['/tours', 200, '@1798761600', null, POLICY],
  ['/guests', 200, null, null, null],
])('%s says whether it will go away', async (path, status, since, sunset, link) => {
  const { status: answered, headers } = await app.request(path, {}, env)
  const told = ['Deprecation', 'Sunset', 'Link'].map((name) => headers.get(name))
  expect([answered, ...told]).toEqual([status, since, sunset, link])
})

it('keeps the reply object, so that its body is not copied', async () => {
  await app.request('/tours', {}, env)
  expect(answered).toBeInstanceOf(Response)
  expect(answered).toBe(made)
})

it('is marked in the document', () => {
  const { paths, components } = describeApi([visits], EXAMPLES) as {
    paths: Record<'/visits' | '/guests', { get: { description?: string; responses: { 200: object } } }>
    components: { headers: object }
  }
  expect(paths['/visits'].get.description).toContain(
    'Deprecated since 2027-01-01; may be gone from 2027-10-01 on. Call `/tours` instead.',
  )
  expect(paths['/visits'].get).toMatchObject({
    deprecated: true,
    responses: { 200: { headers: { Deprecation: {}, Sunset: {} } } },
  })
  expect(paths['/guests'].get).not.toHaveProperty('deprecated')
  expect(components.headers).toHaveProperty('Sunset')
})

it('takes days only', () => {
  const odd = new Router('Odd', 'Never served.')
  odd.get('/odd', { summary: 'Odd', deprecated: { since: 'soon', instead: '' } }, (c) => c.json({}))
  expect(() => registerRoutes(createApp(), [odd], services)).toThrow('soon is no day')
})
