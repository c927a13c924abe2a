/** The pictures of the demo agency: drawings, the same every time. */
import { seeded } from '../fixtures/random.ts'
import { STORES } from './agency.ts'
import { backdrop } from './drawing/backdrop.ts'
import { camera, HEIGHT, WIDTH } from './drawing/camera.ts'
import type { Exterior } from './drawing/exteriors.ts'
import type { Storey } from './drawing/floor-layout.ts'
import { floorPlan } from './drawing/floor-plan.ts'
import * as interiors from './drawing/interiors.ts'
import { capitals } from './drawing/letters.ts'
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

export type RoomName = keyof typeof ROOMS

/** A room as a PNG file. */
export async function drawRoom(subject: Subject, name: RoomName): Promise<Uint8Array<ArrayBuffer>> {
  const home = homeOf(subject)
  const room = ROOMS[name]
  const stage = new Stage(room.eye, indoors(home.style.sky))
  room.build(stage, home)
  const drawing = svgOf(stage, camera(room.heading))
  return photoOf(subject.seed % 2 === 0 ? mirrored(drawing) : drawing)
}

/** A property from outside as a PNG file. */
export async function drawOutside(subject: Subject, scene: Exterior): Promise<Uint8Array<ArrayBuffer>> {
  const home = homeOf(subject)
  const stage = new Stage(scene.eye, home.style.sky)
  scene.build(stage, home)
  const view = camera(scene.heading, scene.horizon, scene.zoom)
  const far = backdrop(home.style.sky, home.outlook, view.horizon, HEIGHT, home.random)
  const drawing = far + svgOf(stage, view)
  return photoOf(subject.seed % 2 === 0 && !scene.hasLetters ? mirrored(drawing) : drawing)
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
export async function drawPanorama(subject: Subject, name: RoomName): Promise<Uint8Array<ArrayBuffer>> {
  const home = homeOf(subject)
  const { sky } = home.style
  const room: interiors.Interior = ROOMS[name]
  const stage = new Stage(room.middle, room.isOutside ? sky : indoors(sky))
  room.build(stage, home)
  return unroll(stage, room.heading, coast(sky))
}

/** The name of the first office in half-transparent white on a soft shadow, as a PNG file. */
export async function watermark(): Promise<Uint8Array<ArrayBuffer>> {
  const { elements, width, height } = watermarkOf(capitals(STORES[0].name))
  return new Uint8Array(await render(elements, width, height).png(PNG).toBuffer())
}

function homeOf({ seed, outlook }: Subject): interiors.Home {
  const random = seeded(4_000 + seed)
  return { style: pickStyle(random), outlook, random }
}

/** The other way round, as half of the properties are. */
function mirrored(drawing: string): string {
  return `<g transform="translate(${WIDTH}) scale(-1 1)">${drawing}</g>`
}

async function photoOf(elements: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await render(elements, WIDTH, HEIGHT).removeAlpha().png(PNG).toBuffer())
}
