/** A sound feed of each format, and a table of faults that feeds are known for. */
import { writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { checkFeed } from '../../scripts/feed-check/check.ts'
import { run } from '../../tools/runtime/run.ts'
import { listen, temporaryFolder } from './temporary.ts'

const file = join(temporaryFolder(), 'feed')

async function findingsIn(content: string | Uint8Array | URL): Promise<string[]> {
  if (!(content instanceof URL)) writeFileSync(file, content)
  const { findings } = await checkFeed(content instanceof URL ? content.href : file, 'Greece')
  return findings.map(({ where, message }) => `${where}: ${message}`)
}

const PROPERTY = `<property><id>1</id><date>2026-01-02 03:04:05</date><ref>A-1</ref><price>250000</price><currency>EUR</currency>
<price_freq>sale</price_freq><type>Apartment</type><town>Kifisia</town><province>Attica</province><country>Greece</country>
<location><latitude>38.07</latitude><longitude>23.81</longitude></location><beds>2</beds><pool>0</pool>
<url><en>https://a.example/en/1</en></url><desc><en>Flat &lt; 100 m² &amp; sunny</en></desc>
<images><image id="1"><url>https://p.example/1.jpg</url></image></images></property>`
const KYERO = `<?xml version="1.0" encoding="UTF-8"?><root><kyero><feed_version>3</feed_version></kyero>${PROPERTY}</root>`
const FEED = JSON.stringify({
  ...{ version: 'https://jsonfeed.org/version/1.1', title: 'Portal' },
  items: [{ id: '1', url: 'https://a.example/1', content_text: 'x', date_modified: '2026-01-02T03:04:05Z' }],
})
const SITEMAP = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:x="http://www.w3.org/1999/xhtml"><url>
<loc>https://a.example/1</loc><lastmod>2026-01-02</lastmod><x:link hreflang="el" href="https://a.example/1"/></url></urlset>`

it.each([KYERO, FEED, SITEMAP])('a sound feed has no finding: %s', async (feed) => {
  expect(await findingsIn(feed)).toEqual([])
})

it.each([
  [KYERO, '>sale<', '>rent<', 'property 1 (1): price_freq must be sale or month, not "rent"'],
  [KYERO, '<date>2026-01-02 03:04:05</date>', '', 'date is missing'],
  [KYERO, 'Flat', '&lt;p&gt;Flat', 'desc.en must be without HTML, not "<p>Flat'],
  [KYERO, 'Flat', '<b>flat</b>', 'desc.*.b must be no element of HTML, not "b"'],
  [KYERO, '<en>Flat', '<el>Σπίτι</el><en>Flat', 'desc.el must be a language of the format, not "el"'],
  [KYERO, '<country>Greece', '<country>Spain', 'country must be Greece, not "Spain"'],
  [KYERO, '<country>Greece', '<country>', 'country is missing'],
  [KYERO, '<url>https://p.example/1.jpg</url>', '', 'images.*.url is missing'],
  [KYERO, 'id="1"', 'id="51"', 'images.image must have an id from 1 to 50, not "51"'],
  [KYERO, '<beds>', 'Warning<beds>', 'must have no text between its elements, as after a fault'],
  [KYERO, PROPERTY, PROPERTY + PROPERTY, 'property 2 (1): id is that of another: "1"'],
  [KYERO, PROPERTY, '', 'the file: has no property: readers would delete all they have'],
  [KYERO, PROPERTY, PROPERTY.repeat(250), 'the file: has exactly 250 properties'],
  [KYERO, PROPERTY, 'Fatal error', 'there is text between its elements, as after a fault: "Fatal error"'],
  [KYERO, PROPERTY, '<error/>', 'has an element that readers do not know: "error"'],
  [KYERO, '>3<', '>2<', 'feed_version must be 3, not "2"'],
  [KYERO, 'UTF-8', 'ISO-8859-1', 'its encoding must be UTF-8, not ISO-8859-1'],
  [KYERO, 'A-1', 'A & B', 'it is not well-formed: each & must be written as &amp;'],
  [KYERO, '</desc>', '', 'it is not well-formed: '],
  [KYERO, '</root>', '', 'it ends before its root is closed: it was cut off'],
  [KYERO, KYERO, '', 'it ends before its root is closed: it was cut off'],
  [KYERO, KYERO, '<html><body/></html>', 'is no feed that is known: its root is "html"'],
  [FEED, '/1.1', '', 'version must be https://jsonfeed.org/version/1.1, not'],
  [FEED, '"content_text"', '"text"', 'item 1 (1): content_text or content_html is missing'],
  [FEED, '"id":"1"', '"id":1', 'id must be text, not "number"'],
  [FEED, 'T03:04:05Z', '', 'date_modified must be a date-time of RFC 3339, not "2026-01-02"'],
  [FEED, '}]}', '', 'the file: it is not JSON, or was cut off'],
  [SITEMAP, '2026-01-02', '02/01/2026', 'lastmod must be a date, not "02/01/2026"'],
  [SITEMAP, '"el"', '"greek"', 'xhtml:link must have a language or x-default, not "greek"'],
])('%#: a fault is found', async (feed, part, other, finding) => {
  expect((await findingsIn(feed.replace(part, other))).join('\n')).toContain(finding)
})

it.each<[RequestListener, RegExp]>([
  [(_, answer) => answer.writeHead(404).end(), /: its address answers 404$/],
  [(_, answer) => answer.end(KYERO), /: has no Last-Modified: readers cannot tell/],
  [
    (_, answer) => answer.setHeader('Last-Modified', 'x').write(KYERO, () => answer.destroy()),
    /: it breaks off: /,
  ],
])('%#: an address is read as a reader would', async (listener, finding) => {
  expect(await findingsIn(new URL(await listen(listener)))).toEqual([expect.stringMatching(finding)])
})

it('the command names five places of a problem, and says by its status whether there is an error', async () => {
  writeFileSync(file, KYERO.replace(PROPERTY, PROPERTY.replace('<pool>0', '<pool>x').repeat(7)))
  const faulty = await run('scripts/feeds.ts', ['--check', file])
  expect([faulty.code, faulty.output]).toEqual([
    1,
    expect.stringMatching(/… and 2 more: pool.*\n.*7 properties: 13 problems\n$/s),
  ])
  writeFileSync(file, KYERO)
  expect(await run('scripts/feeds.ts', ['--check', file])).toMatchObject({
    code: 0,
    output: '1 properties: no problem\n',
  })
})
