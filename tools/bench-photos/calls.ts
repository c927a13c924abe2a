/**
 * What a photo costs over HTTP: whole calls to the Worker, as base64 in JSON, as the bytes themselves and as a form,
 * each less what a refused call with the same body costs, against sharp on one thread. Everything stored goes into
 * Miniflare's D1 and R2, which run in the same process and count as well.
 */

import {
  CONTENDERS,
  cpuTime,
  type Job,
  makePicture,
  median,
  type Session,
  table,
} from '@estia/photo-codec/bench'
import { watermark as drawLogo } from '../../demo/pictures.ts'
import { importLines } from '../../scripts/service/import-lines.ts'
import { showProgress } from '../../scripts/service/terminal.ts'
import { ADMIN_TOKEN, type AgencyService, KEY, startAgency } from '../runtime/agency.ts'

const AGENCY = [
  { entity: 'stores', data: { id: 1, name: 'Center' } },
  { entity: 'users', data: { id: 1, name: 'User' } },
  {
    entity: 'listings',
    data: { id: 1, category: 'residential', availability: 'sale', store_id: 1, created_by: 1, users: [1] },
  },
]

type Body = string | Uint8Array<ArrayBuffer> | FormData

/** A way in which a photo comes in. */
interface Way {
  title: string
  body: (picture: Uint8Array<ArrayBuffer>) => Body
  contentType?: string
}

const WAYS: readonly Way[] = [
  {
    title: 'base64',
    body: (picture) => JSON.stringify({ photos: [{ data: Buffer.from(picture).toString('base64') }] }),
  },
  { title: 'bytes', body: (picture) => picture, contentType: 'image/jpeg' },
  {
    title: 'form',
    body: (picture) => {
      const form = new FormData()
      form.append('photos', new Blob([picture]), 'photo.jpg')
      return form
    },
  },
]

/** Milliseconds: of the clock, and of the processor. */
interface Cost {
  wall: number
  processor: number
}

/** Measures the jobs, everything in turn within each of `rounds`, and prints the ratios. */
export async function measureCalls(jobs: Job[], rounds: number): Promise<void> {
  const agency = await startAgency(null, 0)
  try {
    const lines = AGENCY.map((line) => JSON.stringify(line))
    await importLines({ url: agency.url.origin, adminToken: ADMIN_TOKEN }, lines, () => undefined)
    await setWatermark(agency)
    const rows: string[][] = []
    for (const job of jobs) rows.push(await measureJob(agency, job, rounds))
    showProgress('', true)
    console.log(`\nMs of processor, ÷ sharp (÷ of the clock); median of ${rounds} rounds\n`)
    console.log(table(['photo', 'sharp, 1 thread', ...WAYS.map(({ title }) => title)], rows))
  } finally {
    await agency.stop()
  }
}

async function measureJob(agency: AgencyService, job: Job, rounds: number): Promise<string[]> {
  const picture = await makePicture(job)
  const bodies = WAYS.map(({ body }) => body(new Uint8Array(picture)))
  const sharp = await CONTENDERS.find(({ name }) => name === 'sharp')?.open('', picture, await drawLogo())
  if (!sharp) throw new Error('There is no sharp')
  const native: Cost[] = []
  const calls: Cost[][] = WAYS.map(() => [])
  try {
    await sharp.first()
    for (let round = 0; round <= rounds; round++) {
      showProgress(`${job.title}, round ${round} of ${rounds}`)
      const base = await costOf(sharp.pid, () => runOnce(sharp))
      if (round > 0) native.push(base)
      for (const [index, { contentType }] of WAYS.entries()) {
        const cost = async (listing: number, status: number) =>
          costOf(agency.pid(), () => send(agency, listing, bodies[index] ?? '', contentType, status))
        const refused = await cost(999, 404)
        const stored = await cost(1, 200)
        // The first round warms up.
        if (round > 0)
          calls[index]?.push({
            wall: stored.wall - refused.wall,
            processor: stored.processor - refused.processor,
          })
      }
    }
  } finally {
    await sharp.close()
  }
  const base = middle(native)
  return [
    job.title,
    base.processor.toFixed(0),
    ...calls.map((costs) => {
      const { wall, processor } = middle(costs)
      const ratio = (processor / base.processor).toFixed(2)
      return `${processor.toFixed(0)}, ${ratio} (${(wall / base.wall).toFixed(2)})`
    }),
  ]
}

async function runOnce(session: Session): Promise<void> {
  await session.run(1)
}

/** What `work` costs, when it is all that the process `pid` has to do. */
async function costOf(pid: number, work: () => Promise<void>): Promise<Cost> {
  const [startedAt, before] = [performance.now(), cpuTime(pid)]
  await work()
  return { wall: performance.now() - startedAt, processor: cpuTime(pid) - before }
}

function middle(costs: Cost[]): Cost {
  return {
    wall: median(costs.map(({ wall }) => wall)),
    processor: median(costs.map(({ processor }) => processor)),
  }
}

/** One call; throws unless it is answered with `status` and the photo, if any, is stored with its watermark. */
async function send(
  { url }: AgencyService,
  listing: number,
  body: Body,
  contentType: string | undefined,
  status: number,
): Promise<void> {
  const answer = await fetch(new URL(`/api/listings/${listing}/photos`, url), {
    method: 'POST',
    headers: { Authorization: `Bearer ${KEY}`, ...(contentType ? { 'Content-Type': contentType } : {}) },
    body,
  })
  const text = await answer.text()
  if (answer.status !== status || (status === 200 && !/"watermark_image":"/.test(text))) throw new Error(text)
}

async function setWatermark({ url }: AgencyService): Promise<void> {
  const answer = await fetch(new URL('/admin/stores/1/watermark', url), {
    method: 'PUT',
    headers: { Authorization: `Bearer ${ADMIN_TOKEN}` },
    body: await drawLogo(),
  })
  if (!answer.ok) throw new Error(await answer.text())
}
