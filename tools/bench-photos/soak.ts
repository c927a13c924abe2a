/**
 * How much memory workerd holds while a listing gets photos of 12 megapixels by one call of the API, each
 * downloaded from this process and stored with a watermark. Miniflare's databases and bucket live in the same process.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { JOBS, makePicture, megabytes, table } from '@estia/photo-codec/bench'
import { watermark } from '../../demo/pictures.ts'
import { showProgress } from '../../scripts/service/terminal.ts'
import { ADMIN_TOKEN, KEY, startAgency } from '../runtime/agency.ts'

/** Different pictures among them; making one takes a second. */
const PICTURES = 4
/** Milliseconds between two looks at the memory. */
const INTERVAL = 200
/** Milliseconds to watch on after the last photo. */
const REST = 5000

interface Sample {
  at: number
  bytes: number
  /** How many photos had been asked for by then. */
  photo: number
}

/** Adds so many photos, at most 100, and prints the resident memory after each. */
export async function soak(count: number): Promise<void> {
  const pictures = await makePictures()
  let asked = 0
  const service = await startAgency(null, { contacts: 10, listings: 10 }, () => {
    asked += 1
    showProgress(`Photo ${asked} of ${count}`)
    return new Response(new Uint8Array(pictures[asked % PICTURES] ?? []))
  })
  try {
    await setWatermark(service.url)
    const pid = findWorkerd()
    const samples: Sample[] = []
    const start = performance.now()
    const look = () =>
      samples.push({ at: performance.now() - start, bytes: residentBytes(pid), photo: asked })
    look()
    const timer = setInterval(look, INTERVAL)
    await addPhotos(service.url, count)
    const took = performance.now() - start
    await new Promise((resolve) => setTimeout(resolve, REST))
    clearInterval(timer)
    report(samples, took, count)
  } finally {
    await service.stop()
  }
}

async function makePictures(): Promise<Buffer[]> {
  const job = JOBS.find(({ name }) => name === '12')
  if (!job) throw new Error('There is no job of 12 MP')
  const pictures: Buffer[] = []
  for (let seed = 1; seed <= PICTURES; seed += 1) {
    showProgress(`Drawing picture ${seed} of ${PICTURES}`)
    pictures.push(await makePicture(job, seed))
  }
  return pictures
}

/** Gives every office a watermark. */
async function setWatermark(url: URL): Promise<void> {
  const stores = await fetch(new URL('/api/stores', url), { headers: { Authorization: `Bearer ${KEY}` } })
  const { data } = (await stores.json()) as { data: { id: number }[] }
  for (const { id } of data) {
    const answer = await fetch(new URL(`/admin/stores/${id}/watermark`, url), {
      method: 'PUT',
      headers: { Authorization: `Bearer ${ADMIN_TOKEN}` },
      body: await watermark(),
    })
    if (!answer.ok) throw new Error(`The watermark was refused: ${await answer.text()}`)
  }
}

async function addPhotos(url: URL, count: number): Promise<void> {
  const photos = Array.from({ length: count }, (_, index) => `https://pictures.example/${index}.jpg`)
  const answer = await fetch(new URL('/api/listings/1/photos', url), {
    method: 'POST',
    headers: { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ photos }),
  })
  const body = (await answer.json()) as { data?: { success: boolean; watermark_image?: string }[] }
  const stored = body.data?.filter(({ success, watermark_image }) => success && watermark_image).length
  if (stored !== count) throw new Error(`Stored ${stored ?? 0} of ${count}: ${JSON.stringify(body)}`)
}

/** The workerd that this process started. */
function findWorkerd(): number {
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const status = statusOf(Number(entry))
    if (status.includes('Name:\tworkerd') && status.includes(`PPid:\t${process.pid}\n`)) return Number(entry)
  }
  throw new Error('workerd was not found; this needs Linux')
}

function residentBytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(statusOf(pid))?.[1] ?? 0) * 1024
}

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return ''
  }
}

/** Memory while each photo was the last one asked for, and afterwards. */
function report(samples: Sample[], took: number, count: number): void {
  showProgress('', true)
  const rows = Array.from({ length: count + 1 }, (_, photo) => {
    const during = samples.filter((sample) => sample.photo === photo && sample.at <= took)
    const last = during.at(-1)
    if (!last) return []
    return [
      photo === 0 ? 'before' : String(photo),
      (last.at / 1000).toFixed(1),
      megabytes(last.bytes),
      megabytes(Math.max(...during.map(({ bytes }) => bytes))),
    ]
  }).filter((row) => row.length > 0)
  const after = samples.filter(({ at }) => at > took).map(({ bytes }) => bytes)
  rows.push([
    'after',
    ((took + REST) / 1000).toFixed(1),
    megabytes(after.at(-1) ?? 0),
    megabytes(Math.max(...after)),
  ])
  console.log(`\n${table(['photo', 's', 'RSS MB at its end', 'most'], rows)}`)
  const steady = samples.filter(({ photo, at }) => photo > 5 && at <= took).map(({ bytes }) => bytes)
  console.log(
    `\nAfter the fifth photo RSS was ${megabytes(Math.min(...steady))} to ${megabytes(Math.max(...steady))} MB;`,
    `${(took / count).toFixed(0)} ms a photo with download and storage.`,
  )
}
