/** The search form. Every choice says how many listings it would find. */
import type { Facets } from '../estia.ts'
import { number } from '../format.ts'
import type { Labels } from '../labels.ts'
import type { Search } from '../search.ts'
import { type Language, texts } from '../texts.ts'
import { Icon } from './icons.tsx'

/** What the form counts. */
export const FORM_FACETS = [
  'availability',
  'category',
  'subcategory',
  'area_level2',
  'rooms',
  'property_condition',
  'energy_class',
  'features',
]
/** The features that most people look for, and how many the form offers: then those that most listings have. */
const FIRST_FEATURES = [
  'elevator',
  'parking',
  'storage',
  'balcony',
  'garden',
  'private_pool',
  'air_condition',
  'fireplace',
  'furnished',
]
const OFFERED_FEATURES = 12
const MOST_ROOMS = 5

interface FormProps {
  search: Search
  facets: Facets
  features: Map<string, string>
  labels: Labels
  /** The name of the area that is chosen. */
  areaName: string | undefined
  language: Language
}

export function SearchForm({ search, facets, features, labels, areaName, language }: FormProps) {
  const t = texts[language]
  const { condition, energy, size_min, tour, features: chosen = [] } = search
  const isMoreOpen = Boolean(condition || energy || size_min || tour || chosen.length > 0)
  const rank = (key: string) => FIRST_FEATURES.indexOf(key) + 1 || FIRST_FEATURES.length + 1
  const facet = (facets.features ?? []).toSorted((one, other) => rank(one.value) - rank(other.value))
  const offered = [
    ...facet.filter(({ value }, index) => index < OFFERED_FEATURES || chosen.includes(value)),
    // What is chosen stays, even if it finds nothing.
    ...chosen
      .filter((key) => !facet.some(({ value }) => value === key))
      .map((value) => ({ value, count: 0 })),
  ]
  return (
    <search aria-label={t.filters}>
      <form class="search" action={`/${language}/search`}>
        {search.sort && <input type="hidden" name="sort" value={search.sort} />}
        {search.view && <input type="hidden" name="view" value={search.view} />}
        {search.category && <input type="hidden" name="category" value={search.category} />}
        {search.store && <input type="hidden" name="store" value={String(search.store)} />}
        <div class="search-main">
          <Text name="text" label={t.text} value={search.text} language={language} />
          <OfferChoice {...{ search, facets, labels, language }} />
          <Choice
            name="subcategory"
            label={t.subcategory}
            any={t.any}
            value={search.subcategory}
            nameOf={(value) => labels.of('subcategory', value)}
            options={facets.subcategory}
          />
          <AreaChoice {...{ search, facets, areaName, language }} />
          <Text name="price_min" label={t.priceFrom} value={search.price_min} {...{ language }} isNumber />
          <Text name="price_max" label={t.priceTo} value={search.price_max} {...{ language }} isNumber />
          <Choice
            name="rooms"
            label={t.roomsFrom}
            any={t.any}
            value={search.rooms}
            nameOf={(value) => t.atLeast(Number(value))}
            options={roomChoices(facets)}
          />
          <button type="submit" class="button">
            <Icon name="search" />
            {t.find}
          </button>
        </div>
        <details class="more" open={isMoreOpen}>
          <summary>{t.moreFilters}</summary>
          <div class="search-more">
            <Text name="size_min" label={t.sizeFrom} value={search.size_min} {...{ language }} isNumber />
            <Choice
              name="condition"
              label={t.condition}
              any={t.any}
              value={condition}
              nameOf={(value) => labels.of('property_condition', value)}
              options={facets.property_condition}
            />
            <Choice
              name="energy"
              label={t.energyClass}
              any={t.any}
              value={energy}
              nameOf={(value) => labels.of('energy_class', value)}
              options={facets.energy_class}
            />
            <fieldset class="checks">
              <legend>{t.features}</legend>
              <Check name="tour" value="1" text={t.withTour} isChecked={tour === true} />
              {offered.map(({ value, count }) => (
                <Check
                  name="features"
                  value={value}
                  text={features.get(value) ?? value}
                  count={number(count, language)}
                  isChecked={chosen.includes(value)}
                />
              ))}
            </fieldset>
          </div>
        </details>
      </form>
    </search>
  )
}

type PartProps = Pick<FormProps, 'search' | 'facets' | 'language'> & { areaName?: string | undefined }

/** Sale, rent, … */
export function OfferChoice({ search, facets, labels, language }: PartProps & Pick<FormProps, 'labels'>) {
  const { availability: label, any } = texts[language]
  return (
    <Choice
      name="availability"
      label={label}
      any={any}
      value={search.availability}
      nameOf={(value) => labels.of('availability', value)}
      options={facets.availability}
    />
  )
}

/** The municipalities. */
export function AreaChoice({ search, facets, areaName, language }: PartProps) {
  const areas = facets.area_level2 ?? []
  const names = new Map(areas.map((area) => [String(area.value), area[`name_${language}`]]))
  const nameOf = (value: string) => names.get(value) ?? areaName ?? ''
  const options = areas.toSorted((one, other) =>
    nameOf(String(one.value)).localeCompare(nameOf(String(other.value)), language),
  )
  const { area, anyArea } = texts[language]
  return (
    <Choice name="area" label={area} any={anyArea} value={search.area} nameOf={nameOf} options={options} />
  )
}

/** From how many rooms on, with the number of listings that have at least as many. */
function roomChoices(facets: Facets) {
  const rooms = facets.rooms ?? []
  const atLeast = (least: number) =>
    rooms.reduce((sum, { value, count }) => (value >= least ? sum + count : sum), 0)
  return Array.from({ length: MOST_ROOMS }, (_, index) => ({
    value: index + 1,
    count: atLeast(index + 1),
  })).filter(({ count }) => count > 0)
}

interface ChoiceProps {
  name: string
  label: string
  any: string
  value: string | number | undefined
  /** The label of a value. */
  nameOf: (value: string) => string
  /** Absent if nothing is found. */
  options: { value: string | number; count: number }[] | undefined
}

function Choice({ name, label, any, value, nameOf, options: facet = [] }: ChoiceProps) {
  // A choice that finds nothing is still shown once it is made.
  const isMissing = value !== undefined && !facet.some((option) => option.value === value)
  const options = isMissing ? [{ value, count: 0 }, ...facet] : facet
  return (
    <label class="field">
      <span>{label}</span>
      <select name={name}>
        <option value="">{any}</option>
        {options.map((option) => (
          <option value={String(option.value)} selected={option.value === value}>
            {nameOf(String(option.value))} ({option.count})
          </option>
        ))}
      </select>
    </label>
  )
}

interface TextProps {
  name: string
  label: string
  value: string | number | undefined
  isNumber?: boolean
  language: Language
}

export function Text({ name, label, value, isNumber = false, language }: TextProps) {
  const shown = typeof value === 'number' ? number(value, language) : value
  return (
    <label class={`field field-${name}`}>
      <span>{label}</span>
      <input
        type={isNumber ? 'text' : 'search'}
        name={name}
        value={shown}
        inputmode={isNumber ? 'numeric' : undefined}
        maxlength={isNumber ? 30 : 100}
      />
    </label>
  )
}

function Check({
  name,
  value,
  text,
  count,
  isChecked,
}: {
  name: string
  value: string
  text: string
  count?: string
  isChecked: boolean
}) {
  return (
    <label class="check">
      <input type="checkbox" name={name} value={value} checked={isChecked} />
      <span>
        {text} {count && <small>({count})</small>}
      </span>
    </label>
  )
}
