/** What a table to import refers to. */
import type { Place } from '../../../../admin/transfer/csv/map.ts'
import { may, read, type Self } from '../../call.ts'
import type { Csv } from '../../csv.ts'

/** What the service has: its places, and an id above those of its listings; null if the key may not read them. */
export interface Stored {
  places: NamedPlace[]
  firstId: number | null
}

type NamedPlace = Place & { full_name_el: string; full_name_en: string }

/** Reads it as far as the key may. */
export async function readStored(csv: Csv, self: Self): Promise<Stored> {
  const [places, last] = await Promise.all([
    may(self, 'locations:read') ? read<NamedPlace[]>('/api/locations') : [],
    may(self, 'listings:read') ? read<{ id: number }[]>('/api/listings?sort=-id&per_page=1&fields=id') : null,
  ])
  return { places, firstId: last && csv.idAbove(last[0]?.id ?? 0) }
}
