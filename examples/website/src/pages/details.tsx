/** The facts of a listing and its features. Whatever else you show is one more line of `rowsOf`. */
import type { Child } from 'hono/jsx'
import type { Listing } from '../estia.ts'
import { area, date, euros, link, number } from '../format.ts'
import type { Kind } from '../names.ts'
import { useVisit, type Visit } from '../visit.ts'

export function Details({ listing }: { listing: Listing }) {
  const visit = useVisit()
  const { t, names } = visit
  const keys = [...listing.features, ...listing.positioning, ...listing.view, ...listing.flooring]
  return (
    <>
      <section>
        <h2>{t.details}</h2>
        <dl class="details">
          {rowsOf(listing, visit).map(
            ([label, value]) =>
              value !== null &&
              value !== false && (
                <div>
                  <dt>{label}</dt>
                  <dd>{value}</dd>
                </div>
              ),
          )}
        </dl>
      </section>
      {keys.length > 0 && (
        <section>
          <h2>{t.features}</h2>
          <ul class="features">
            {keys.map((key) => (
              <li>{names.feature(key)}</li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

function rowsOf(listing: Listing, { t, language, names }: Visit): [label: string, value: Child][] {
  const { energy_class, shortterm_unit: unit, shortterm_min_stay: stay } = listing
  const auction = link(listing.auction_url)
  const when = <Value,>(value: Value | null, show: (value: Value) => string) =>
    value === null ? null : show(value)
  const named = (kind: Kind, value: string | null) => when(value, (some) => names.of(kind, some))
  const squareMetres = (value: number | null) => when(value, (some) => area(some, language))
  const day = (value: string | null) => when(value, (some) => date(some, language))
  const count = (value: number | null) => when(value || null, (some) => number(some, language))
  return [
    [t.code, listing.code ?? String(listing.id)],
    [t.size, squareMetres(listing.size)],
    [t.bedrooms, listing.category === 'residential' && count(listing.rooms)],
    [t.bathrooms, count(listing.bathrooms)],
    [t.floor, listing.floor !== null && t.floors(listing.floor)],
    [t.year, listing.year_built],
    [t.auctionDate, day(listing.auction_date)],
    [t.auctionCode, listing.auction_code || null],
    [t.auctionPage, auction && <a href={auction.href}>{auction.host}</a>],
    [t.guests, count(listing.shortterm_max_guests)],
    // No language has a unit for seasons.
    [
      t.minStay,
      stay && unit && unit !== 'per_season' ? duration(stay, unit.replace('per_', ''), language) : null,
    ],
    [t.condition, named('property_condition', listing.property_condition)],
    [t.land, squareMetres(listing.land_size)],
    [t.renovated, listing.year_renovated],
    [t.orientation, named('orientation', listing.orientation)],
    [t.heating, named('heating_type', listing.heating_type)],
    [t.heatingSource, named('heating_source', listing.heating_source)],
    [t.parking, count(listing.parking_total)],
    [t.balcony, squareMetres(listing.balcony_size)],
    [t.storage, squareMetres(listing.storage_size)],
    [t.garden, squareMetres(listing.garden_size)],
    [t.maintenance, when(listing.monthly_maintenance, (value) => euros(value, language))],
    [t.seaDistance, when(listing.distance_sea, (value) => `${number(value, language)}\u00a0${t.metres}`)],
    [t.availableFrom, day(listing.available_from)],
    [t.listed, day(listing.date_listed)],
    [
      t.energyClass,
      energy_class && (
        <span class={`energy energy-${energy_class}`}>{names.of('energy_class', energy_class)}</span>
      ),
    ],
  ]
}

/** "2 weeks". */
const duration = (value: number, unit: string, language: Visit['language']) =>
  number(value, language, { style: 'unit', unit, unitDisplay: 'long' })
