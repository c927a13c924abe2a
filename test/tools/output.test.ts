import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { passOutput } from '../../scripts/start/output.ts'

const FAILURE =
  '\u001b[31m✘ [ERROR]\u001b[0m \u001b[1me = kj/async-io-unix.c++:1293: failed: DNS lookup failed.; params.host = x\u001b[0m'
const STACK = '  stack: /node_modules/workerd@553261e /node_modules/workerd@5533110; wdErrId = kivtfh9mp9i363'

it.each([
  ['a failure of the runtime', ['a', FAILURE, '', STACK, '', '', 'b'], ['a', 'b']],
  ['two of them', [FAILURE, '', STACK, '', FAILURE, '', STACK, '', 'b'], ['b']],
  ['an error of wrangler', ['✘ [ERROR] Build failed', '', '  src/index.ts:1', ''], null],
  ['an error of the service', ['TypeError: x', '    at file.ts:1', '', 'stack: of dishes'], null],
])('passOutput: %s', async (_, printed, passed) => {
  const [from, to] = [new PassThrough(), new PassThrough()]
  passOutput(from, to)
  from.end(printed.map((line) => `${line}\n`).join(''))
  await once(from, 'close')
  to.end()
  expect((await to.setEncoding('utf8').toArray()).join('').split('\n').slice(0, -1)).toEqual(
    passed ?? printed,
  )
})
