/** A map, which `browser/map.ts` draws. Without JavaScript it says so. */
import { AGENCY } from '../agency.ts'
import type { Filters, MapCells } from '../estia.ts'
import { estiaUrl } from '../settings.ts'
import type { Language } from '../texts.ts'
import { useVisit } from '../visit.ts'

/** What the script reads from the page. */
export interface MapData {
  language: Language
  /** Where to ask for the points of another part of the map; null for the map of one listing. */
  service: { url: string; key: string; query: Filters } | null
  cells: MapCells
  center: { latitude: number; longitude: number }
  tiles: string
  attribution: string
  texts: { zoomIn: string; zoomOut: string; pinOne: string; pinMany: string }
}

interface MapViewProps {
  cells: MapCells
  /** The filters of a search, by which the script reads other parts of the map. */
  query?: Filters
}

export function MapView({ cells, query }: MapViewProps) {
  const { env, language, t } = useVisit()
  const { zoomIn, zoomOut, pinOne, pinMany } = t
  const data: MapData = {
    language,
    service: query ? { url: estiaUrl(env), key: env.PUBLISHABLE_KEY, query } : null,
    cells,
    center: AGENCY.center,
    tiles: env.MAP_TILES ?? '',
    attribution: env.MAP_ATTRIBUTION ?? '',
    texts: { zoomIn, zoomOut, pinOne, pinMany },
  }
  return (
    <>
      <section class="map" aria-label={t.mapOf} data-map={JSON.stringify(data)}>
        <noscript>{t.needsScript}</noscript>
      </section>
      {data.tiles === '' && <p class="quiet">{t.plainMap}</p>}
    </>
  )
}
