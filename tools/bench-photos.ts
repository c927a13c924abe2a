/**
 * What a photo costs: `npm run bench:photos`. Without the options below it measures the codec alone, as
 * `packages/photo-codec/bench/main.ts` describes.
 *
 *     npm run bench:photos -- --calls [--jobs 12,48] [--rounds 5]    whole calls over HTTP against sharp
 *     npm run bench:photos -- --sizes                                smaller copies against sharp
 *     npm run bench:photos -- --soak [--photos 20]                   the memory of workerd over so many photos
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { chosen, JOBS } from '@estia/photo-codec/bench'
import { runScript } from '../scripts/service/terminal.ts'
import { measureCalls } from './bench-photos/calls.ts'
import { measureSizes } from './bench-photos/sizes.ts'
import { soak } from './bench-photos/soak.ts'

/** What is not measured by the package of the codec. */
const SERVED = ['--calls', '--sizes', '--soak']

const CODEC_BENCH = 'packages/photo-codec/bench/main.ts'

async function main(): Promise<void> {
  const parameters = process.argv.slice(2)
  if (!SERVED.some((option) => parameters.includes(option))) return benchCodec(parameters)
  const { values } = parseArgs({
    options: {
      calls: { type: 'boolean' },
      sizes: { type: 'boolean' },
      soak: { type: 'boolean' },
      jobs: { type: 'string' },
      rounds: { type: 'string', default: '5' },
      photos: { type: 'string', default: '20' },
    },
  })
  if (values.soak) await soak(Number(values.photos))
  else if (values.sizes) await measureSizes()
  else await measureCalls(chosen(JOBS, values.jobs), Number(values.rounds))
}

async function benchCodec(parameters: string[]): Promise<void> {
  const [code] = await once(
    spawn(process.execPath, [CODEC_BENCH, ...parameters], { stdio: 'inherit' }),
    'exit',
  )
  process.exitCode = Number(code ?? 1)
}

await runScript(main)
