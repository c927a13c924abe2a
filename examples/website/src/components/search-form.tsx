/** The search form. Every choice says how many listings it would find. */
import type { Facets } from '../estia.ts'
import { number } from '../format.ts'
import type { Search } from '../search.ts'
import { useVisit } from '../visit.ts'
import { Icon } from './icons.tsx'

/** What the form counts. */
export const FORM_FACETS = [
  ...['availability', 'category', 'subcategory', 'area_level2', 'rooms'],
  ...['property_condition', 'energy_class', 'features'],
]
/** How many features the form offers: those that most listings have. */
const OFFERED_FEATURES = 12
const MOST_ROOMS = 5

interface FormProps {
  search: Search
  facets: Facets
  /** The name of the area that is chosen. */
  areaName?: string | undefined
}

export function SearchForm({ search, facets, areaName }: FormProps) {
  const { t, language, names } = useVisit()
  const { condition, energy, size_min, tour, features: chosen = [] } = search
  const isMoreOpen = Boolean(condition || energy || size_min || tour || chosen.length > 0)
  const found = facets.features ?? []
  // What is chosen stays, even if it finds nothing.
  const missing = chosen.filter((key) => !found.some(({ value }) => value === key))
  const offered = [
    ...found.filter(({ value }, index) => index < OFFERED_FEATURES || chosen.includes(value)),
    ...missing.map((value) => ({ value, count: 0 })),
  ]
  return (
    <search aria-label={t.filters}>
      <form class="search" action={`/${language}/search`}>
        {(['sort', 'view', 'category', 'store'] as const).map(
          (name) => search[name] && <input type="hidden" name={name} value={String(search[name])} />,
        )}
        <div class="search-main">
          <Text name="text" label={t.text} value={search.text} />
          <ValueChoice
            name="availability"
            kind="availability"
            label={t.availability}
            {...{ search, facets }}
          />
          <ValueChoice name="subcategory" kind="subcategory" label={t.subcategory} {...{ search, facets }} />
          <AreaChoice {...{ search, facets, areaName }} />
          <Text name="price_min" label={t.priceFrom} value={search.price_min} isNumber />
          <Text name="price_max" label={t.priceTo} value={search.price_max} isNumber />
          <Choice
            name="rooms"
            label={t.bedrooms}
            value={search.rooms}
            nameOf={(value) => `${value}+`}
            options={roomChoices(facets)}
          />
          <button type="submit" class="button">
            <Icon name="search" />
            {t.search}
          </button>
        </div>
        <details class="more" open={isMoreOpen}>
          <summary>{t.moreFilters}</summary>
          <div class="search-more">
            <Text name="size_min" label={t.sizeFrom} value={size_min} isNumber />
            <ValueChoice
              name="condition"
              kind="property_condition"
              label={t.condition}
              {...{ search, facets }}
            />
            <ValueChoice name="energy" kind="energy_class" label={t.energyClass} {...{ search, facets }} />
            <fieldset class="checks">
              <legend>{t.features}</legend>
              <label class="check">
                <input type="checkbox" name="tour" value="1" checked={tour === true} />
                <span>{t.withTour}</span>
              </label>
              {offered.map(({ value, count }) => (
                <label class="check">
                  <input type="checkbox" name="features" value={value} checked={chosen.includes(value)} />
                  <span>
                    {names.feature(value)} <small>({number(count, language)})</small>
                  </span>
                </label>
              ))}
            </fieldset>
          </div>
        </details>
      </form>
    </search>
  )
}

interface ValueChoiceProps extends FormProps {
  name: 'availability' | 'subcategory' | 'condition' | 'energy'
  kind: 'availability' | 'subcategory' | 'property_condition' | 'energy_class'
  label: string
}

/** One of the values that Estia names. */
export function ValueChoice({ name, kind, label, search, facets }: ValueChoiceProps) {
  const { names } = useVisit()
  const nameOf = (value: string) => names.of(kind, value)
  return <Choice {...{ name, label, nameOf }} value={search[name]} options={facets[kind]} />
}

/** The municipalities. */
export function AreaChoice({ search, facets, areaName }: FormProps) {
  const { t, language } = useVisit()
  const areas = facets.area_level2 ?? []
  const names = new Map(areas.map((area) => [String(area.value), area[`name_${language}`]]))
  const nameOf = (value: string) => names.get(value) ?? areaName ?? ''
  const options = areas.toSorted((one, other) =>
    nameOf(String(one.value)).localeCompare(nameOf(String(other.value)), language),
  )
  return <Choice name="area" label={t.area} value={search.area} nameOf={nameOf} options={options} />
}

/** From how many rooms on, with the number of listings that have at least as many. */
function roomChoices({ rooms = [] }: Facets) {
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
  value: string | number | undefined
  /** The label of a value. */
  nameOf: (value: string) => string
  /** Absent if nothing is found. */
  options: { value: string | number; count: number }[] | undefined
}

function Choice({ name, label, value, nameOf, options: facet = [] }: ChoiceProps) {
  const { t } = useVisit()
  // A choice that finds nothing is still shown once it is made.
  const isMissing = value !== undefined && !facet.some((option) => option.value === value)
  const options = isMissing ? [{ value, count: 0 }, ...facet] : facet
  return (
    <label class="field">
      <span>{label}</span>
      <select name={name}>
        <option value="">{t.any}</option>
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
  value?: string | number | undefined
  isNumber?: boolean
}

export function Text({ name, label, value, isNumber = false }: TextProps) {
  const { language } = useVisit()
  return (
    <label class={`field field-${name}`}>
      <span>{label}</span>
      <input
        type={isNumber ? 'text' : 'search'}
        name={name}
        value={typeof value === 'number' ? number(value, language) : value}
        inputmode={isNumber ? 'numeric' : undefined}
        maxlength={isNumber ? 30 : 100}
      />
    </label>
  )
}
