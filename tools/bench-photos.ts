/**
 * What a photo costs: `npm run bench -- photos`. Without the options below it measures the codec alone, as
 * `packages/photo-codec/bench/main.ts` describes.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chosen, JOBS } from '@estia/photo-codec/bench'
import { readCommandLine, readNumber, runScript } from '../scripts/service/terminal.ts'
import { measureCalls } from './bench-photos/calls.ts'
import { measureSizes } from './bench-photos/sizes.ts'

const USAGE = `Measures what a photo costs.

Usage: npm run bench -- photos [OPTIONS]
       npm run bench -- photos --calls [--jobs 12,48] [--rounds 5]
       npm run bench -- photos --sizes

  --calls          whole calls over HTTP against sharp
  --sizes          smaller copies against sharp
  --jobs NAMES     some of ${JOBS.map(({ name }) => name).join(', ')} (default: all)
  --rounds NUMBER  how often each is measured (default: 5)
  --help           shows this

Without --calls or --sizes, the codec alone is measured against others:

  --contenders NAMES  some of them (default: all)
  --processor         processor time instead of time`

/** What is not measured by the package of the codec. */
const SERVED = ['--calls', '--sizes']

const CODEC_BENCH = 'packages/photo-codec/bench/main.ts'

async function main(): Promise<void> {
  const parameters = process.argv.slice(2)
  const { values } = readCommandLine(USAGE, {
    calls: { type: 'boolean' },
    sizes: { type: 'boolean' },
    jobs: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    contenders: { type: 'string' },
    processor: { type: 'boolean' },
  })
  if (!SERVED.some((option) => parameters.includes(option))) return benchCodec(parameters)
  if (values.sizes) await measureSizes()
  else await measureCalls(chosen(JOBS, values.jobs), readNumber('rounds', values.rounds))
}

async function benchCodec(parameters: string[]): Promise<void> {
  const [code] = await once(
    spawn(process.execPath, [CODEC_BENCH, ...parameters], { stdio: 'inherit' }),
    'exit',
  )
  process.exitCode = Number(code ?? 1)
}

await runScript(main)
