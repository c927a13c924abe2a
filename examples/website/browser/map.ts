/** Draws the maps of a page: points that lead to listings, gathered where they are close. */
import 'leaflet/dist/leaflet.css'
import { createVisitorClient, orThrow } from 'estia/client'
import * as L from 'leaflet'
import type { MapData } from '../src/components/map.tsx'
import { number } from '../src/format.ts'

type Cell = MapData['cells'][number]

/** `static/greece.json`: rings of longitude and latitude in steps from point to point, `scale` steps a degree. */
interface Outlines {
  scale: number
  greece: number[][]
  others: number[][]
}

/** How far from the real place the point of a circle may be, in metres. */
const CIRCLE_METRES = 400
const LISTING_ZOOM = 15
/** Without streets, the coast around a listing says where it is. */
const PLAIN_LISTING_ZOOM = 11
const MAX_ZOOM = 18
const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches

for (const element of document.querySelectorAll<HTMLElement>('[data-map]')) draw(element)

function draw(element: HTMLElement): void {
  const data = JSON.parse(element.dataset.map ?? '') as MapData
  element.replaceChildren()
  const map = L.map(element, {
    zoomControl: false,
    attributionControl: data.tiles !== '',
    maxZoom: MAX_ZOOM,
    // Otherwise a visitor who scrolls the page is caught by the map.
    scrollWheelZoom: false,
    zoomAnimation: !isCalm,
    fadeAnimation: !isCalm,
    markerZoomAnimation: !isCalm,
  })
  L.control.zoom({ zoomInTitle: data.texts.zoomIn, zoomOutTitle: data.texts.zoomOut }).addTo(map)
  L.control.scale({ imperial: false }).addTo(map)
  if (data.tiles) L.tileLayer(data.tiles, { attribution: data.attribution, maxZoom: MAX_ZOOM }).addTo(map)
  else void drawOutlines(map, element)
  const points = L.layerGroup().addTo(map)
  setFirstView(map, data)
  show(points, data, data.cells, map)
  if (data.service) refreshOnMove(map, points, data)
}

/** Land and sea, where no tiles show them. */
async function drawOutlines(map: L.Map, element: HTMLElement): Promise<void> {
  const answer = await fetch('/greece.json').catch(() => null)
  if (!answer?.ok) return
  const { scale, greece, others } = (await answer.json()) as Outlines
  const land = (rings: number[][], className: string) =>
    rings.map((ring) => L.polygon(pointsIn(ring, scale), { className, interactive: false }))
  const shapes = [...land(others, 'map-abroad'), ...land(greece, 'map-land')]
  for (const shape of shapes.toReversed()) shape.addTo(map).bringToBack()
  element.classList.add('map-plain')
}

function pointsIn(ring: number[], scale: number): L.LatLngTuple[] {
  const points: L.LatLngTuple[] = []
  let [x, y] = [0, 0]
  for (let at = 0; at + 1 < ring.length; at += 2) {
    x += ring[at] ?? 0
    y += ring[at + 1] ?? 0
    points.push([y / scale, x / scale])
  }
  return points
}

/** Begins where the visitor left the map, otherwise where the points are. */
function setFirstView(map: L.Map, { cells, center, service, tiles }: MapData): void {
  const [first] = cells
  const kept = service && readPlace()
  if (kept) {
    map.setView(kept.center, kept.zoom)
    keepPlace(map)
  } else if (!first) map.setView([center.latitude, center.longitude], 11)
  else if (!service) map.setView([first.latitude, first.longitude], tiles ? LISTING_ZOOM : PLAIN_LISTING_ZOOM)
  else map.fitBounds(L.latLngBounds(cells.map(pointOf)), { padding: [40, 24], maxZoom: 15 })
}

/** What the address bar says of the map: `#map=13/37.98/23.73`. */
function readPlace(): { zoom: number; center: L.LatLngTuple } | null {
  const match = /^#map=(\d{1,2})\/(-?\d{1,2}\.\d+)\/(-?\d{1,3}\.\d+)$/.exec(location.hash)
  const [zoom = 0, latitude = 0, longitude = 0] = match?.slice(1).map(Number) ?? []
  return match && zoom <= MAX_ZOOM ? { zoom, center: [latitude, longitude] } : null
}

/** Keeps the place in the address bar, and in the links that show the same map: "back" finds it again. */
function keepPlace(map: L.Map): void {
  const { lat, lng } = map.getCenter()
  const hash = `#map=${map.getZoom()}/${lat.toFixed(5)}/${lng.toFixed(5)}`
  history.replaceState(history.state, '', hash)
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.sorts a, .pager a, .language'))
    link.hash = hash
}

/** Asks for the points of what is shown whenever that changes. The latest answer counts. */
function refreshOnMove(map: L.Map, points: L.LayerGroup, data: MapData): void {
  const { service } = data
  if (!service) return
  const estia = createVisitorClient({ baseUrl: service.url, key: service.key, retries: false })
  let latest: AbortController | undefined
  const refresh = async () => {
    latest?.abort()
    latest = new AbortController()
    const { signal } = latest
    const bounds = map.getBounds().pad(0.2)
    const query = {
      ...service.query,
      zoom: Math.min(20, map.getZoom()),
      bounds: {
        south: Math.max(-90, bounds.getSouth()),
        west: Math.max(-180, bounds.getWest()),
        north: Math.min(90, bounds.getNorth()),
        east: Math.min(180, bounds.getEast()),
      },
    }
    try {
      const { data: cells } = await orThrow(estia.get('/api/listings/map', { query, signal }))
      if (!signal.aborted) show(points, data, cells, map)
    } catch {
      // The points that are there stay.
    }
  }
  map.on('moveend', () => {
    keepPlace(map)
    void refresh()
  })
  void refresh()
}

function show(points: L.LayerGroup, data: MapData, cells: Cell[], map: L.Map): void {
  const focused =
    document.activeElement instanceof HTMLElement ? document.activeElement.dataset.pin : undefined
  points.clearLayers()
  for (const cell of cells) {
    if (!data.service && cell.precision === 'circle') {
      L.circle(pointOf(cell), { radius: CIRCLE_METRES, interactive: false, className: 'map-circle' }).addTo(
        points,
      )
      continue
    }
    const html = pin(cell, data, map)
    // Points just beyond the edge are there, too: the keyboard brings them in.
    html.addEventListener('focus', () => {
      if (!map.getBounds().contains(pointOf(cell))) map.panTo(pointOf(cell), { animate: false })
    })
    const icon = L.divIcon({ className: 'map-marker', html, iconSize: [0, 0] })
    L.marker(pointOf(cell), { icon, keyboard: false, interactive: false }).addTo(points)
    // The points are new: the keyboard stays where it was.
    if (html.dataset.pin !== undefined && html.dataset.pin === focused) html.focus({ preventScroll: true })
  }
}

/** A link to one listing, or a button that looks closer at several. */
function pin(cell: Cell, data: MapData, map: L.Map): HTMLElement {
  const { language, texts } = data
  if (cell.id === null) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'pin pin-many'
    button.dataset.pin = `${cell.latitude},${cell.longitude}`
    button.textContent = number(cell.count, language)
    button.setAttribute('aria-label', `${number(cell.count, language)} ${texts.pinMany}`)
    button.addEventListener('click', () => map.setView(pointOf(cell), Math.min(MAX_ZOOM, map.getZoom() + 2)))
    return button
  }
  if (!data.service) {
    const point = document.createElement('span')
    point.className = 'pin pin-point'
    return point
  }
  const link = document.createElement('a')
  link.className = 'pin'
  link.dataset.pin = String(cell.id)
  link.href = `/${language}/listings/${cell.id}`
  link.textContent = cell.price === null ? '€ –' : short(cell.price, language)
  // Begins with what is seen, so that it can be said to a voice control; the price is read once.
  link.setAttribute('aria-label', `${link.textContent}, ${texts.pinOne} ${cell.id}`)
  return link
}

/** A price in few letters: "€250k". */
function short(price: number, language: MapData['language']): string {
  return number(price, language, {
    style: 'currency',
    currency: 'EUR',
    notation: price >= 1_000_000 || (price >= 10_000 && language === 'en') ? 'compact' : 'standard',
    maximumFractionDigits: undefined,
    maximumSignificantDigits: 3,
  })
}

function pointOf({ latitude, longitude }: Cell): L.LatLngTuple {
  return [latitude, longitude]
}
