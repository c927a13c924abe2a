/** A map, which `browser/map.ts` draws. Without JavaScript it says so. */

import { AGENCY } from '../agency.ts'
import type { MapCells, Municipality } from '../estia.ts'
import { estiaUrl, type Settings } from '../settings.ts'
import { type Language, texts } from '../texts.ts'

/** What the script reads from the page. */
export interface MapData {
  language: Language
  /** Where to ask for the points of another part of the map; null for the map of one listing. */
  service: { url: string; key: string; query: Record<string, unknown> } | null
  cells: MapCells
  /** Names on a map without tiles. */
  places: Municipality[]
  center: { latitude: number; longitude: number }
  tiles: string
  attribution: string
  texts: { zoomIn: string; zoomOut: string; pinOne: string; pinMany: string }
}

/** What a map shows: cells, and of a search its filters, by which the script reads other parts of the map. */
interface MapContent {
  cells: MapCells
  places: Municipality[]
  query?: object
}

/** The data of a map in the page. */
export function mapData(env: Settings, language: Language, { cells, places, query }: MapContent): MapData {
  const { zoomIn, zoomOut, pinOne, pinMany } = texts[language]
  return {
    language,
    service: query
      ? { url: estiaUrl(env), key: env.PUBLISHABLE_KEY, query: query as Record<string, unknown> }
      : null,
    cells,
    places,
    center: AGENCY.center,
    tiles: env.MAP_TILES ?? '',
    attribution: env.MAP_ATTRIBUTION ?? '',
    texts: { zoomIn, zoomOut, pinOne, pinMany },
  }
}

export function MapView({ data }: { data: MapData }) {
  const t = texts[data.language]
  return (
    <>
      <section class="map" aria-label={t.mapOf} data-map={JSON.stringify(data)}>
        <noscript>{t.needsScript}</noscript>
      </section>
      {data.tiles === '' && <p class="quiet">{t.plainMap}</p>}
    </>
  )
}
