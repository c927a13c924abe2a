/** The results of a search, as a list, and beside it as a map. */

import { Cards } from '../components/card.tsx'
import { Icon } from '../components/icons.tsx'
import { type MapData, MapView } from '../components/map.tsx'
import type { PhotoBases } from '../components/photo.tsx'
import { SearchForm } from '../components/search-form.tsx'
import type { Facets, ListingPage } from '../estia.ts'
import { euros, number } from '../format.ts'
import type { Kind, Labels } from '../labels.ts'
import { type Search, SORTS, type Sort, searchPath } from '../search.ts'
import { type Language, texts } from '../texts.ts'

/** Names of what the address bar holds by id. */
export interface SearchNames {
  area: string | undefined
  store: string | undefined
}

interface ResultsProps {
  search: Search
  result: ListingPage
  facets: Facets
  features: Map<string, string>
  /** What the chosen area and office are called. */
  names: SearchNames
  /** Null unless the map is shown. */
  map: MapData | null
  language: Language
  languages: Map<string, number>
  labels: Labels
  estia: PhotoBases
}

export function Results(props: ResultsProps) {
  const { search, result, facets, features, names, map, language, languages, labels, estia } = props
  const t = texts[language]
  const { total_results, total_pages, data } = result
  return (
    <div class={map ? 'wide results with-map' : 'wide results'}>
      <h1>{titleOf(search, names, labels, language)}</h1>
      <SearchForm {...{ search, facets, features, labels, language }} areaName={names.area} />
      <Chosen {...{ search, names, features, labels, language }} />
      <div class="bar">
        <p class="count">
          <strong>{number(total_results, language)}</strong> {t.results(total_results)}
        </p>
        <Sorts search={search} language={language} />
        <nav class="toggle" aria-label={t.view}>
          {(['list', 'map'] as const).map((view) => (
            <a
              href={searchPath(language, { ...search, view: view === 'map' ? view : undefined })}
              aria-current={(view === 'map') === (map !== null) ? 'page' : undefined}
            >
              <Icon name={view} />
              {t[view]}
            </a>
          ))}
        </nav>
      </div>
      <div class="found">
        <div class="found-list">
          {data.length > 0 ? (
            <Cards
              listings={data}
              {...{ language, languages, labels, estia }}
              areFirst
              sizes={map ? '(min-width: 64rem) 19rem, (min-width: 40rem) 46vw, 92vw' : undefined}
            />
          ) : (
            <div class="empty">
              <h2>{t.noResults}</h2>
              <p>{t.noResultsHint}</p>
              <a class="button" href={searchPath(language)}>
                {t.allProperties}
              </a>
            </div>
          )}
          <Pager search={search} total={total_pages} language={language} />
        </div>
        {map && (
          <aside class="found-map">
            <MapView data={map} />
            <p class="quiet">{t.mapHint}</p>
          </aside>
        )}
      </div>
    </div>
  )
}

/** What is searched for, as a heading: "Apartment for sale in Kifisia", "Homes to rent". */
export function titleOf(
  { subcategory, category, availability }: Search,
  { area }: SearchNames,
  labels: Labels,
  language: Language,
) {
  const { properties, manyCategories, offered, inArea } = texts[language]
  const group = category ? manyCategories[category] : properties
  const what = subcategory && subcategory !== 'other' ? labels.of('subcategory', subcategory) : group
  const title = availability ? `${what} ${offered[availability]}` : what
  return area ? inArea(title, area) : title
}

type ChosenProps = Pick<ResultsProps, 'search' | 'names' | 'features' | 'labels' | 'language'>

/** The filters that are set, each with a link that removes it. */
function Chosen({ search, names, features, labels, language }: ChosenProps) {
  const t = texts[language]
  const { price_min, price_max, size_min, rooms } = search
  const label = (kind: Kind, value: string | undefined) => value && labels.of(kind, value)
  const entries: [keyof Search, string | undefined][] = [
    ['text', search.text && `“${search.text}”`],
    ['availability', label('availability', search.availability)],
    ['category', label('category', search.category)],
    ['subcategory', label('subcategory', search.subcategory)],
    ['area', names.area],
    ['price_min', price_min === undefined ? undefined : `${t.from} ${euros(price_min, language)}`],
    ['price_max', price_max === undefined ? undefined : `${t.upTo} ${euros(price_max, language)}`],
    ['size_min', size_min === undefined ? undefined : `${t.from} ${number(size_min, language)} m²`],
    ['rooms', rooms === undefined ? undefined : `${rooms}+ ${t.bedroomsShort}`],
    ['condition', label('property_condition', search.condition)],
    ['energy', search.energy && `${t.energyClass} ${labels.of('energy_class', search.energy)}`],
    ['tour', search.tour ? t.withTour : undefined],
    ['store', names.store],
  ]
  const chips = entries.flatMap(([name, text]) =>
    text ? [{ text, without: { ...search, [name]: undefined } as Search }] : [],
  )
  for (const key of search.features ?? [])
    chips.push({
      text: features.get(key) ?? key,
      without: { ...search, features: search.features?.filter((other) => other !== key) },
    })
  if (chips.length === 0) return null
  return (
    <ul class="chips" aria-label={t.chosen}>
      {chips.map(({ text, without }) => (
        <li>
          <a class="chip" href={searchPath(language, { ...without, page: undefined })}>
            <span class="hidden">{t.remove}: </span>
            {text}
            <Icon name="close" />
          </a>
        </li>
      ))}
      <li>
        <a class="chip-clear" href={searchPath(language, { sort: search.sort, view: search.view })}>
          {t.clear}
        </a>
      </li>
    </ul>
  )
}

function Sorts({ search, language }: { search: Search; language: Language }) {
  const t = texts[language]
  const current = search.sort ?? 'newest'
  return (
    <nav class="sorts" aria-label={t.sort}>
      {(Object.keys(SORTS) as Sort[]).map((sort) => (
        <a
          href={searchPath(language, {
            ...search,
            sort: sort === 'newest' ? undefined : sort,
            page: undefined,
          })}
          aria-current={sort === current ? 'true' : undefined}
        >
          {t.sorts[sort]}
        </a>
      ))}
    </nav>
  )
}

function Pager({ search, total, language }: { search: Search; total: number; language: Language }) {
  const t = texts[language]
  const page = search.page ?? 1
  if (total < 2) return null
  const to = (number: number) => searchPath(language, { ...search, page: number > 1 ? number : undefined })
  return (
    <nav class="pager" aria-label={t.pages}>
      {page > 1 && (
        <a class="button-quiet" rel="prev" href={to(Math.min(page - 1, total))}>
          {t.previous}
        </a>
      )}
      <span>{t.page(page, total)}</span>
      {page < total && (
        <a class="button-quiet" rel="next" href={to(page + 1)}>
          {t.next}
        </a>
      )}
    </nav>
  )
}
