/** Draws the maps of a page: points that lead to listings, gathered where they are close. */
import 'leaflet/dist/leaflet.css'
import { createVisitorClient, orThrow } from 'estia/client'
import * as L from 'leaflet'
import type { MapData } from '../src/components/map.tsx'
import { euros, number } from '../src/format.ts'

type Cell = MapData['cells'][number]

/** How far from the real place the point of a circle may be, in metres. */
const CIRCLE_METRES = 400
const LISTING_ZOOM = 15
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
  const points = L.layerGroup().addTo(map)
  look(map, data)
  show(points, data, data.cells, map)
  if (data.service) follow(map, points, data)
}

/** Begins where the points are. */
function look(map: L.Map, { cells, center, service }: MapData): void {
  const [first] = cells
  if (!first) map.setView([center.latitude, center.longitude], 11)
  else if (!service) map.setView([first.latitude, first.longitude], LISTING_ZOOM)
  else map.fitBounds(L.latLngBounds(cells.map(pointOf)), { padding: [40, 40], maxZoom: 15 })
}

/** Asks for the points of what is shown whenever that changes. The latest answer counts. */
function follow(map: L.Map, points: L.LayerGroup, data: MapData): void {
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
  map.on('moveend', () => void refresh())
  void refresh()
}

function show(points: L.LayerGroup, data: MapData, cells: Cell[], map: L.Map): void {
  points.clearLayers()
  for (const cell of cells) {
    if (!data.service && cell.precision === 'circle') {
      L.circle(pointOf(cell), { radius: CIRCLE_METRES, className: 'map-circle' }).addTo(points)
      continue
    }
    const icon = L.divIcon({ className: 'map-marker', html: pin(cell, data, map), iconSize: [0, 0] })
    L.marker(pointOf(cell), { icon, keyboard: false, interactive: false }).addTo(points)
  }
}

/** A link to one listing, or a button that looks closer at several. */
function pin(cell: Cell, data: MapData, map: L.Map): HTMLElement {
  const { language, texts } = data
  if (cell.id === null) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'pin pin-many'
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
  link.href = `/${language}/listings/${cell.id}`
  link.textContent = cell.price === null ? '€ –' : short(cell.price, language)
  const name = cell.price === null ? '' : ` ${euros(cell.price, language)}`
  // Begins with what is seen, so that it can be said to a voice control.
  link.setAttribute('aria-label', `${link.textContent}, ${texts.pinOne} ${cell.id}${name}`)
  return link
}

/** A price in few letters: "€250k". */
function short(price: number, language: MapData['language']): string {
  return new Intl.NumberFormat(language === 'el' ? 'el-GR' : 'en-GB', {
    style: 'currency',
    currency: 'EUR',
    notation: price >= 1_000_000 || (price >= 10_000 && language === 'en') ? 'compact' : 'standard',
    maximumSignificantDigits: 3,
  }).format(price)
}

function pointOf({ latitude, longitude }: Cell): L.LatLngTuple {
  return [latitude, longitude]
}
