/**
 * What a photo costs: `npm run bench -- photos` at the root. Estia in workerd and sharp get the same pictures in turn and do
 * the whole job: decode, fit into 1920 pixels, JPEG at quality 90, then the watermark on it and JPEG again. Only the ratios
 * mean anything on another machine.
 */
import { psnr, readLook } from '../fixtures/looks.ts'
import { readCommandLine, runCommand, showProgress } from '../scripts/terminal.ts'
import { median, type Session, sharpSession, withWorkerd } from './contenders.ts'
import { drawLogo, JOBS, type Job, makePicture } from './jobs.ts'

const NAMES = JOBS.map(({ name }) => name)

const USAGE = `Measures what a photo costs.

Usage: npm run bench -- photos [OPTIONS]

  --jobs NAMES     some of ${NAMES.join(', ')} (default: all)
  --rounds NUMBER  how often each is measured (default: 5)
  --help           shows this`

const { values: options } = readCommandLine(USAGE, {
  rounds: { type: 'string', default: '5' },
  jobs: { type: 'string', default: NAMES.join() },
})
const ROUNDS = Number(options.rounds)
/** Short jobs are repeated until a sample takes about so many milliseconds. */
const SAMPLE = 300
const LEGEND = `Median of ${ROUNDS} rounds. MB: the codec's WebAssembly memory. KB / dB: size of the first copy, and luma PSNR against the
picture decoded whole by sharp and resized with Lanczos.`

async function main(): Promise<void> {
  const asked = options.jobs.split(',')
  const unknown = asked.filter((name) => !NAMES.includes(name))
  if (unknown.length > 0) throw new Error(`Unknown: ${unknown}. There is ${NAMES.join(', ')}`)
  const rows: string[][] = []
  for (const job of JOBS) if (asked.includes(job.name)) rows.push(await measure(job))
  showProgress('', true)
  const head = [
    'photo',
    'Estia in workerd, ms (÷ sharp)',
    'sharp, 1 thread',
    'MB',
    'KB / dB',
    'sharp: KB / dB',
  ]
  const lines = [head, head.map((_, at) => (at === 0 ? '---' : '---:')), ...rows]
  console.log(`\n${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n\n${LEGEND}`)
}

/** The row of a job, done by both in turn within each round. */
async function measure(job: Job): Promise<string[]> {
  showProgress(`${job.title}: drawing`)
  const [picture, watermark] = [await makePicture(job), drawLogo()]
  const fit = { width: 1920, height: 1920, fit: 'inside', withoutEnlargement: true } as const
  const best = await readLook(picture, { ...fit, kernel: 'lanczos3', fastShrinkOnLoad: false })
  const likeness = async ({ original }: Awaited<ReturnType<Session['copy']>>) => {
    const { luma } = psnr(await readLook(original), best)
    return `${(original.length / 1000).toFixed(0)} / ${luma.toFixed(2)}`
  }
  const row = [job.title]
  await withWorkerd(picture, watermark, async (ours) => {
    const theirs = sharpSession(picture, watermark)
    const copies = [await ours.copy(), await theirs.copy()] as const
    const times = Math.min(5, Math.max(1, Math.round(SAMPLE / (await theirs.run(1)))))
    const [own, other]: [number[], number[]] = [[], []]
    for (let round = 1; round <= ROUNDS; round++) {
      showProgress(`${job.title}, round ${round} of ${ROUNDS}`)
      own.push(await ours.run(times))
      other.push(await theirs.run(times))
    }
    const ratio = (median(own) / median(other)).toFixed(2)
    row.push(`${median(own).toFixed(0)} (${ratio})`, median(other).toFixed(0))
    row.push((copies[0].memory / 1e6).toFixed(1), ...(await Promise.all(copies.map(likeness))))
  })
  return row
}

await runCommand(main)
