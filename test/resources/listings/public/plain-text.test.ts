import { describe, expect, it } from 'vitest'
import { withoutHtml } from '../../../../src/resources/listings/public/plain-text.ts'

describe('the plain text of', () => {
  it.each([
    // Named references, those of HTML 4 and of HTML 5.
    ['&Delta;&iota;&alpha;&mu;&#941;&rho;&iota;&sigma;&mu;&alpha;', 'Διαμέρισμα'],
    ['Sal&oacute;n &ndash; ba&ntilde;o &amp; jard&iacute;n', 'Salón – baño & jardín'],
    ['&check; &starf; &Zcaron;i&zcaron;kov &hellip; &CounterClockwiseContourIntegral;', '✓ ★ Žižkov … ∳'],
    ['&nbsp;&euro;&nbsp;300', '€ 300'],
    ['Caf&eacute, 2 &lt 3', 'Café, 2 < 3'],
    ['&unknown; &; & &amp', '&unknown; &; & &'],
    ['https://a.example/?a=1&copy=2&reg3=4&lang=el', 'https://a.example/?a=1&copy=2&reg3=4&lang=el'],
    // Numbers, of which 128 to 159 are windows-1252.
    ['&#128;300 &#150; &#x93;new&#x94; &#146;s &#159;', '€300 – “new” ’s Ÿ'],
    ['&#916;&#x394;&#X394;&#128512;', 'ΔΔΔ😀'],
    ['a&#0;b&#xD800;c&#x110000;d&#99999999999;e', 'a\ufffdb\ufffdc\ufffdd\ufffde'],
    // Decoded once.
    ['&amp;eacute; &amp;amp;lt; &amp;#233;', '&eacute; &amp;lt; &#233;'],
    ['&lt;p&gt;A&lt;/p&gt;&lt;p&gt;B &lt; C&lt;/p&gt;', 'A\nB < C'],
    // Comments, scripts and styles go whole.
    ['a<!-- b > c <p>d</p> -->e<!---->f<!-->g', 'aefg'],
    ['a<script>if (1 < 2) "</p>"</script >b<STYLE type="a>b">p > a {}</style\n>c', 'abc'],
    ['İ<script>alert(1)</script>', 'İ'],
    ['a<scripts>b</scripts> <script>c', 'ab c'],
    ['a <!-- b', 'a <!-- b'],
    // What Word writes, also where an editor took away its comments or escaped its tags.
    ['<?xml version="1.0" encoding="UTF-8"?><p>a</p>', 'a'],
    ['a<?xml:namespace prefix = o ns = "urn:schemas>office" /><o:p>b</o:p>', 'ab'],
    ['&lt;?xml:namespace prefix = o /&gt;a&lt;o:p&gt;&amp;nbsp;&lt;/o:p&gt;', 'a&nbsp;'],
    ['a<!--[if gte mso 9]><xml><w:View>Normal</w:View></xml><![endif]-->b', 'ab'],
    ['<xml><w:View>Normal</w:View><w:Zoom>0</w:Zoom></xml><p class=MsoNormal>a', 'a'],
    ['<xml />a<xml>b</xml> c<xml/>d', 'a cd'],
    ['<![if !supportLists]>· <![endif]>a<!--[if !mso]><!--> b<!--<![endif]-->', '· a b'],
    ['<st1:place w:st="on">Athens</st1:place>', 'Athens'],
    ['a <? b <?> c <?= 1 > 0', 'a <? b <?> c <?= 1 > 0'],
    ['a <?xml', 'a <?xml'],
    // CDATA of feeds holds HTML.
    ['<![CDATA[<p>a &lt; b</p><p>c</p>]]> d', 'a < b\nc\n d'],
    ['a<![CDATA[]]>b<![CDATA[<b>c]]></b>d]]>', 'abcd]]>'],
    ['&lt;![CDATA[a]]&gt;', 'a'],
    ['<![CDATA[a', 'a'],
    // Breaks, blocks and cells part words.
    ['a<br>b<BR/>c<br clear="all" />d<hr>e', 'a\nb\nc\nd\ne'],
    ['Title<p>One</p><p>Two</p>End', 'Title\nOne\nTwo\nEnd'],
    ['a<div>b<div>c</div></div><section>d</section>e', 'a\nb\nc\n\nd\ne'],
    ['<ul><li>a</li><li>b</li></ul>', 'a\nb'],
    ['a<ul>\n  <li>b\n  <li>c\n</ul>', 'a\n\n  b\n  c'],
    ['<dl><dt>a</dt><dd>b</dd></dl><blockquote>c</blockquote>', 'a\nb\nc'],
    ['<table><tr><th>Size</th><td>85</td></tr><tr><td>Rooms<td>3</tr></table>', 'Size 85\nRooms 3'],
    ['Sea<b>side</b> <i>view</i><wbr>s', 'Seaside views'],
    // Attributes hold anything.
    ['<a title="a > b" href=\'x>y\'>c</a>', 'c'],
    ['<img alt="<b>a</b>" src=x>b', 'b'],
    ['<p data-x = "1 > 0"\n>a</p>', 'a'],
    ['<p title="a>b</p>', 'b'],
    ['a < b <c d> e > f, 5<6', 'a < b  e > f, 5<6'],
    ['x <b y <i>z</i>', 'x <b y z'],
  ])('%j', (html, text) => {
    expect(withoutHtml(html)).toBe(text)
  })

  it.each([
    ['<', 60_000],
    ['<a ', 20_000],
    ['<a b="', 10_000],
    ['="<a " ', 10_000],
    ['<!--', 15_000],
    ['<?xml ', 10_000],
    ['<?a b="', 10_000],
    ['<xml>', 12_000],
    ['<![CDATA[', 7000],
    [']]>', 20_000],
    ['<script>', 8000],
    ['<script></script ', 4000],
    ['<style><script></style ', 4000],
    [' ', 65_000],
    ['<p> ', 15_000],
    ['<td> ', 15_000],
    ['&', 65_000],
    ['&CounterClockwiseContourIntegra', 2000],
    ['&#', 30_000],
    ['= ', 30_000],
  ])('a long text of %j costs no more than its length', (part, times) => {
    const long = `<a${part.repeat(times)}<i>x`
    const started = performance.now()
    withoutHtml(long)
    withoutHtml(`${part.repeat(times)}x<`)
    expect(performance.now() - started).toBeLessThan(500)
  })
})
