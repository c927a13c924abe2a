/** The pictures of the demo agency: drawings, the same every time. */
import { seeded } from '../fixtures/random.ts'
import { STORES } from './agency.ts'
import { backdrop } from './drawing/backdrop.ts'
import { camera, HEIGHT, WIDTH } from './drawing/camera.ts'
import type { Exterior } from './drawing/exteriors.ts'
import { floorPlan, type Storey } from './drawing/floor-plan.ts'
import * as interiors from './drawing/interiors.ts'
import { coast, unroll } from './drawing/panorama.ts'
import { Stage } from './drawing/stage.ts'
import { indoors, pickStyle } from './drawing/style.ts'
import { terrace } from './drawing/terraces.ts'
import { PNG, render, svgOf } from './drawing/view.ts'
import { watermarkOf } from './drawing/watermark.ts'
import type { Outlook } from './drawing/windows.ts'

/** A property that is drawn: its seed makes the colours and the light that its pictures share. */
export interface Subject {
  readonly seed: number
  readonly outlook: Outlook
}

/** A home for examples. */
export const EXAMPLE_HOME: Subject = { seed: 1, outlook: 'sea' }

const ROOMS = { ...interiors, terrace }

export type Room = keyof typeof ROOMS

/** A room as a PNG file. */
export async function drawRoom(subject: Subject, name: Room): Promise<Uint8Array<ArrayBuffer>> {
  const home = homeOf(subject)
  const room = ROOMS[name]
  const stage = new Stage(room.eye, indoors(home.style.sky))
  room.build(stage, home)
  const drawing = svgOf(stage, camera(room.heading))
  // Half of the homes are built the other way round.
  return photoOf(subject.seed % 2 ? drawing : `<g transform="translate(${WIDTH}) scale(-1 1)">${drawing}</g>`)
}

/** A property from outside as a PNG file. */
export async function drawOutside(subject: Subject, scene: Exterior): Promise<Uint8Array<ArrayBuffer>> {
  const home = homeOf(subject)
  const stage = new Stage(scene.eye, home.style.sky)
  scene.build(stage, home)
  const view = camera(scene.heading, scene.horizon, scene.zoom)
  return photoOf(
    backdrop(home.style.sky, home.outlook, view.horizon, HEIGHT, home.random) + svgOf(stage, view),
  )
}

/** The floor plan of a storey as a PNG file. */
export async function drawPlan(
  subject: Subject,
  storey: Storey,
  title: string,
): Promise<Uint8Array<ArrayBuffer>> {
  return photoOf(floorPlan(storey, title, homeOf(subject).style))
}

/** A room seen from its middle in every direction: an equirectangular PNG of 2560 × 1280. */
export async function drawPanorama(subject: Subject, name: Room): Promise<Uint8Array<ArrayBuffer>> {
  const home = homeOf(subject)
  const { sky } = home.style
  const room: interiors.Interior = ROOMS[name]
  const stage = new Stage(room.middle, room.isOutside ? sky : indoors(sky))
  room.build(stage, home)
  return unroll(stage, room.heading, coast(sky))
}

/** The name of the first office in half-transparent white on a soft shadow, as a PNG file. */
export async function watermark(): Promise<Uint8Array<ArrayBuffer>> {
  const name = STORES[0].name.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase()
  const { elements, width, height } = watermarkOf(name)
  return new Uint8Array(await render(elements, width, height).png(PNG).toBuffer())
}

function homeOf({ seed, outlook }: Subject): interiors.Home {
  const random = seeded(4_000 + seed)
  return { style: pickStyle(random), outlook, random }
}

async function photoOf(elements: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await render(elements, WIDTH, HEIGHT).removeAlpha().png(PNG).toBuffer())
}
