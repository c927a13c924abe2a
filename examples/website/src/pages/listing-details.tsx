/** The facts of a listing: the four that matter most, all others as a table, its features. */

import type { Child } from 'hono/jsx'
import { Icon } from '../components/icons.tsx'
import type { Listing } from '../estia.ts'
import { area, date, euros, link, number } from '../format.ts'
import type { Kind, Labels } from '../labels.ts'
import { type Language, texts } from '../texts.ts'

interface DetailsProps {
  listing: Listing
  language: Language
}

export function KeyFacts({ listing, language }: DetailsProps) {
  const t = texts[language]
  const { category, size, land_size, rooms, bathrooms, floor, year_built } = listing
  const { availability, auction_date, shortterm_max_guests: guests } = listing
  const facts = [
    { icon: 'size', label: t.size, value: size === null ? null : area(size, language) },
    {
      icon: 'size',
      label: t.land,
      value: size === null && land_size !== null ? area(land_size, language) : null,
    },
    { icon: 'bed', label: t.bedrooms, value: (category === 'residential' && rooms) || null },
    { icon: 'bath', label: t.bathrooms, value: bathrooms || null },
    { icon: 'floor', label: t.floor, value: floor === null ? null : t.floors(floor) },
    { icon: 'calendar', label: t.year, value: year_built },
    { icon: 'guests', label: t.guests, value: guests ? t.upToGuests(guests) : null },
    {
      icon: 'hammer',
      label: t.auctionDate,
      value: availability === 'auction' && auction_date !== null ? date(auction_date, language) : null,
    },
  ] as const
  return (
    <dl class="key-facts">
      {facts.map(
        ({ icon, label, value }) =>
          value !== null && (
            <div>
              <dt>
                <Icon name={icon} />
                {label}
              </dt>
              <dd>{String(value)}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

interface AllDetailsProps extends DetailsProps {
  features: Map<string, string>
  labels: Labels
}

export function Details({ listing, features, labels, language }: AllDetailsProps) {
  const t = texts[language]
  const rows = rowsOf(listing, labels, language).filter(([, value]) => value !== null)
  const keys = [...listing.features, ...listing.positioning, ...listing.view, ...listing.flooring]
  const names = keys.map((key) => features.get(key) ?? key)
  return (
    <>
      <section>
        <h2>{t.details}</h2>
        <dl class="details">
          {rows.map(([label, value]) => (
            <div>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
          {listing.energy_class && (
            <div>
              <dt>{t.energyClass}</dt>
              <dd>
                <span class={`energy energy-${listing.energy_class}`}>
                  {labels.of('energy_class', listing.energy_class)}
                </span>
              </dd>
            </div>
          )}
        </dl>
      </section>
      {names.length > 0 && (
        <section>
          <h2>{t.features}</h2>
          <ul class="features">
            {names.map((name) => (
              <li>{name}</li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

function rowsOf(listing: Listing, labels: Labels, language: Language): [label: string, value: Child][] {
  const t = texts[language]
  const { shortterm_unit, shortterm_min_stay } = listing
  const auction = link(listing.auction_url)
  const when = <Value,>(value: Value | null, show: (value: Value) => string) =>
    value === null ? null : show(value)
  const named = (kind: Kind, value: string | null) => when(value, (some) => labels.of(kind, some))
  const squareMetres = (value: number) => area(value, language)
  const count = (value: number | null) => when(value || null, (some) => number(some, language))
  const metres = (value: number | null) => when(value, (some) => `${number(some, language)}\u00a0${t.metres}`)
  return [
    [t.code, listing.code ?? String(listing.id)],
    // Of an auction, the date is above.
    [
      t.auctionDate,
      listing.availability === 'auction'
        ? null
        : when(listing.auction_date, (value) => date(value, language)),
    ],
    [t.auctionCode, listing.auction_code || null],
    [t.auctionPage, auction && <a href={auction.href}>{auction.host}</a>],
    [t.minStay, shortterm_min_stay && shortterm_unit ? t.stays(shortterm_min_stay, shortterm_unit) : null],
    [t.levels, count(listing.levels)],
    [t.buildingFloors, count(listing.total_building_floors)],
    [t.masterBedrooms, count(listing.master_bedrooms)],
    [t.livingRooms, count(listing.living_rooms)],
    [t.kitchens, count(listing.kitchens)],
    [t.wcs, count(listing.wcs)],
    [t.condition, named('property_condition', listing.property_condition)],
    [t.land, when(listing.land_size, squareMetres)],
    [t.coverage, when(listing.coverage_ratio, (value) => `${number(value, language)}%`)],
    [t.buildRatio, when(listing.build_ratio, (value) => number(value, language))],
    [t.frontage, metres(listing.frontage_length)],
    [t.renovated, when(listing.year_renovated, String)],
    [t.ready, when(listing.completion_year, String)],
    [t.orientation, named('orientation', listing.orientation)],
    [t.heating, named('heating_type', listing.heating_type)],
    [t.heatingSource, named('heating_source', listing.heating_source)],
    [t.parking, count(listing.parking_total)],
    [t.balcony, when(listing.balcony_size, squareMetres)],
    [t.storage, when(listing.storage_size, squareMetres)],
    [t.garden, when(listing.garden_size, squareMetres)],
    [t.roof, when(listing.rooftop_size, squareMetres)],
    [t.maintenance, when(listing.monthly_maintenance, (value) => euros(value, language))],
    [t.seaDistance, metres(listing.distance_sea)],
    [t.cityDistance, metres(listing.distance_city)],
    [t.airportDistance, metres(listing.distance_airport)],
    [t.availableFrom, when(listing.available_from, (value) => date(value, language))],
    [t.listed, when(listing.date_listed, (value) => date(value, language))],
  ]
}
