/** The facts of a listing: the four that matter most, all others as a table, its features. */
import { Icon } from '../components/icons.tsx'
import type { Listing } from '../estia.ts'
import { area, date, euros, number } from '../format.ts'
import { labels } from '../labels.ts'
import { type Language, texts } from '../texts.ts'

interface DetailsProps {
  listing: Listing
  language: Language
}

export function KeyFacts({ listing, language }: DetailsProps) {
  const t = texts[language]
  const { category, size, land_size, rooms, bathrooms, floor, year_built } = listing
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

export function Details({ listing, features, language }: DetailsProps & { features: Map<string, string> }) {
  const t = texts[language]
  const rows = rowsOf(listing, language).filter(([, value]) => value !== null)
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
                  {labels[language].energy[listing.energy_class]}
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

function rowsOf(listing: Listing, language: Language): [label: string, value: string | null][] {
  const t = texts[language]
  const { condition, heating } = labels[language]
  const when = <Value,>(value: Value | null, show: (value: Value) => string) =>
    value === null ? null : show(value)
  const squareMetres = (value: number) => area(value, language)
  return [
    [t.code, listing.code ?? String(listing.id)],
    [t.condition, when(listing.property_condition, (value) => condition[value])],
    [t.land, when(listing.land_size, squareMetres)],
    [t.renovated, when(listing.year_renovated, String)],
    [t.heating, when(listing.heating_type, (value) => heating[value])],
    [t.parking, when(listing.parking_total || null, String)],
    [t.balcony, when(listing.balcony_size, squareMetres)],
    [t.storage, when(listing.storage_size, squareMetres)],
    [t.garden, when(listing.garden_size, squareMetres)],
    [t.maintenance, when(listing.monthly_maintenance, (value) => euros(value, language))],
    [t.seaDistance, when(listing.distance_sea, (value) => `${number(value, language)} ${t.metres}`)],
    [t.availableFrom, when(listing.available_from, (value) => date(value, language))],
    [t.listed, when(listing.date_listed, (value) => date(value, language))],
  ]
}
