/** The first page: a search, the newest listings, areas and kinds. */
import { Cards } from '../components/card.tsx'
import { Icon } from '../components/icons.tsx'
import { Photo, photoOf } from '../components/photo.tsx'
import { AreaChoice, Text, ValueChoice } from '../components/search-form.tsx'
import type { Facets, Listing } from '../estia.ts'
import { number, place, price } from '../format.ts'
import { type Search, searchPath } from '../search.ts'
import { useVisit, type View, type Visit } from '../visit.ts'

/** How many listings the page shows, the one above all included. */
const NEWEST = 7
const TILES = 8

export async function showHome({ env, estia, t }: Visit): Promise<View> {
  const newest = { has_photos: true, sort: '-date_listed', per_page: NEWEST } as const
  const [{ data: homes }, { data: all }, facets] = await Promise.all([
    // The newest home stands above all, rather than a plot or a parking space.
    estia.find({ ...newest, category: 'residential', per_page: 1 }),
    estia.find(newest),
    estia.count({}, ['availability', 'area_level2', 'subcategory']),
  ])
  const [first, ...others] = [...homes, ...all.filter(({ id }) => id !== homes[0]?.id)]
  const image = first?.photos[0]?.image
  return {
    page: {
      path: '/',
      title: t.tagline,
      description: `${t.intro} ${t.siteDescription}`,
      image: image && photoOf(image, env, 1280),
    },
    body: <Home {...{ first, facets }} others={others.slice(0, NEWEST - 1)} />,
  }
}

interface HomeProps {
  first: Listing | undefined
  others: Listing[]
  facets: Facets
}

function Home({ first, others, facets }: HomeProps) {
  const { t, language, names } = useVisit()
  const where = first && place(first, language)
  const areas = (facets.area_level2 ?? []).map(({ value, count, ...area }) => ({
    text: area[`name_${language}`],
    count,
    search: { area: value },
  }))
  const kinds = (facets.subcategory ?? []).map(({ value, count }) => ({
    text: names.of('subcategory', value),
    count,
    search: { subcategory: value as Search['subcategory'] },
  }))
  return (
    <>
      <section class="hero wide">
        <div class="hero-text">
          <h1>{t.tagline}</h1>
          <p class="lead">{t.intro}</p>
          <search aria-label={t.search}>
            <form class="hero-search" action={`/${language}/search`}>
              <ValueChoice
                name="availability"
                kind="availability"
                label={t.availability}
                search={{}}
                facets={facets}
              />
              <AreaChoice search={{}} facets={facets} />
              <Text name="price_max" label={t.priceTo} isNumber />
              <button type="submit" class="button">
                <Icon name="search" />
                {t.search}
              </button>
            </form>
          </search>
        </div>
        {first && (
          <a class="hero-photo" href={`/${language}/listings/${first.id}`}>
            <Photo photo={first.photos[0]} alt="" sizes="(min-width: 64rem) 44rem, 100vw" isFirst />
            <span class="hero-caption">
              {where && <span>{where}</span>}
              <strong>{price(first, language)}</strong>
            </span>
          </a>
        )}
      </section>
      <section class="wide section" aria-labelledby="newest">
        <div class="section-head">
          <h2 id="newest">{t.newest}</h2>
          <a class="see-all" href={searchPath(language)}>
            {t.seeAll}
            <Icon name="arrow" />
          </a>
        </div>
        <Cards listings={others} heading="h3" />
      </section>
      <section class="wide section split">
        <Tiles title={t.byArea} tiles={areas} />
        <Tiles title={t.byKind} tiles={kinds} />
      </section>
    </>
  )
}

interface TilesProps {
  title: string
  tiles: { text: string; count: number; search: Search }[]
}

function Tiles({ title, tiles }: TilesProps) {
  const { language } = useVisit()
  return (
    <div>
      <h2>{title}</h2>
      <ul class="tiles">
        {tiles.slice(0, TILES).map(({ text, count, search }) => (
          <li>
            <a href={searchPath(language, search)}>
              {text} <span>{number(count, language)}</span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
