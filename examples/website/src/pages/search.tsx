/** The results of a search, as a list, and beside it as a map. */
import { Cards } from '../components/card.tsx'
import { Icon } from '../components/icons.tsx'
import { MapView } from '../components/map.tsx'
import { FORM_FACETS, SearchForm } from '../components/search-form.tsx'
import type { Facets, ListingPage, MapCells } from '../estia.ts'
import { number } from '../format.ts'
import { filtersOf, PAGE_SIZE, queryOf, type Search, SORTS, type Sort, searchPath } from '../search.ts'
import { useVisit, type View, type Visit } from '../visit.ts'

/** How much detail the map of a whole search has at first. */
const FIRST_ZOOM = 9

/** The results of a search. */
export async function showSearch(visit: Visit, search: Search): Promise<View> {
  const { estia, language } = visit
  const { availability, category, subcategory, area } = search
  const filters = filtersOf(search)
  const [result, facets, cells] = await Promise.all([
    estia.find({ ...filters, sort: SORTS[search.sort ?? 'newest'], page: search.page, per_page: PAGE_SIZE }),
    estia.count(filters, FORM_FACETS),
    search.view === 'map' ? estia.map({ ...filters, zoom: FIRST_ZOOM }) : null,
  ])
  const found = facets.area_level2?.find(({ value }) => value === area)?.[`name_${language}`]
  const areaName = found ?? (area === undefined ? undefined : await estia.place(area, language))
  const title = titleOf(search, areaName, visit)
  const isSimple = queryOf(search) === queryOf({ availability, category, subcategory, area })
  return {
    page: {
      path: `/search${queryOf(search)}`,
      title,
      // Other combinations of filters are too many for search engines.
      isHidden: !isSimple,
      hasMap: cells !== null,
    },
    body: <Results {...{ title, search, result, facets, areaName, cells }} />,
  }
}

interface ResultsProps {
  title: string
  search: Search
  result: ListingPage
  facets: Facets
  /** What the chosen area is called. */
  areaName: string | undefined
  /** Null unless the map is shown. */
  cells: MapCells | null
}

function Results({ title, search, result, facets, areaName, cells }: ResultsProps) {
  const { t, language } = useVisit()
  const { total_results, total_pages, data } = result
  return (
    <div class={cells ? 'wide results with-map' : 'wide results'}>
      <h1>{title}</h1>
      <SearchForm {...{ search, facets, areaName }} />
      <div class="bar">
        <p class="count">
          <strong>{number(total_results, language)}</strong> {t.results(total_results)}
        </p>
        <Sorts search={search} />
        <nav class="toggle" aria-label={t.view}>
          {(['list', 'map'] as const).map((view) => (
            <a
              href={searchPath(language, { ...search, view: view === 'map' ? view : undefined })}
              aria-current={(view === 'map') === (cells !== null) ? 'page' : undefined}
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
              areFirst
              sizes={cells ? '(min-width: 64rem) 19rem, (min-width: 40rem) 46vw, 92vw' : undefined}
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
          <Pager search={search} total={total_pages} />
        </div>
        {cells && (
          <aside class="found-map">
            <MapView cells={cells} query={filtersOf(search)} />
            <p class="quiet">{t.mapHint}</p>
          </aside>
        )}
      </div>
    </div>
  )
}

/** What is searched for, as a heading: "Apartment for sale in Kifisia", "Homes to rent". */
function titleOf({ subcategory, category, availability }: Search, area: string | undefined, visit: Visit) {
  const { t, names } = visit
  const group = category ? t.manyCategories[category] : t.properties
  const what = subcategory && subcategory !== 'other' ? names.of('subcategory', subcategory) : group
  const title = availability ? `${what} ${t.offered[availability]}` : what
  return area ? t.inArea(title, area) : title
}

function Sorts({ search }: { search: Search }) {
  const { t, language } = useVisit()
  const current = search.sort ?? 'newest'
  const to = (sort: Sort) => ({ ...search, sort: sort === 'newest' ? undefined : sort, page: undefined })
  return (
    <nav class="sorts" aria-label={t.sort}>
      {(Object.keys(SORTS) as Sort[]).map((sort) => (
        <a href={searchPath(language, to(sort))} aria-current={sort === current ? 'true' : undefined}>
          {t.sorts[sort]}
        </a>
      ))}
    </nav>
  )
}

function Pager({ search, total }: { search: Search; total: number }) {
  const { t, language } = useVisit()
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
