/** The first page: a search, the newest listings, areas and kinds. */

import { Cards } from '../components/card.tsx'
import { Icon } from '../components/icons.tsx'
import { Photo, type PhotoBases } from '../components/photo.tsx'
import { AreaChoice, OfferChoice, Text } from '../components/search-form.tsx'
import type { Facets, Listing } from '../estia.ts'
import { number, place, price } from '../format.ts'
import type { Labels } from '../labels.ts'
import { type Search, searchPath } from '../search.ts'
import { type Language, texts } from '../texts.ts'

const TILES = 8

interface HomeProps {
  /** The newest home, which stands above all, then the newest listings with photos. */
  listings: Listing[]
  facets: Facets
  language: Language
  languages: Map<string, number>
  labels: Labels
  estia: PhotoBases
}

export function Home({ listings, facets, language, languages, labels, estia }: HomeProps) {
  const t = texts[language]
  const [first, ...others] = listings
  const where = first && place(first, language)
  const areas = (facets.area_level2 ?? []).map(({ value, count, ...names }) => ({
    text: names[`name_${language}`],
    count,
    search: { area: value },
  }))
  const kinds = (facets.subcategory ?? []).map(({ value, count }) => ({
    text: labels.of('subcategory', value),
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
              <OfferChoice {...{ search: {}, facets, labels, language }} />
              <AreaChoice {...{ search: {}, facets, language }} />
              <Text name="price_max" label={t.priceTo} value={undefined} language={language} isNumber />
              <button type="submit" class="button">
                <Icon name="search" />
                {t.find}
              </button>
            </form>
          </search>
        </div>
        {first && (
          <a class="hero-photo" href={`/${language}/listings/${first.id}`}>
            <Photo
              photo={first.photos[0]}
              estia={estia}
              alt=""
              sizes="(min-width: 64rem) 44rem, 100vw"
              isFirst
            />
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
        <Cards listings={others} {...{ language, languages, labels, estia }} heading="h3" />
      </section>

      <section class="wide section split">
        <Tiles title={t.byArea} tiles={areas} language={language} />
        <Tiles title={t.byKind} tiles={kinds} language={language} />
      </section>

      <section class="wide section">
        <div class="talk">
          <div>
            <h2>{t.talk}</h2>
            <p>{t.talkText}</p>
          </div>
          <a class="button" href={`/${language}/office`}>
            {t.visitOffice}
          </a>
        </div>
      </section>
    </>
  )
}

interface TilesProps {
  title: string
  tiles: { text: string; count: number; search: Search }[]
  language: Language
}

function Tiles({ title, tiles, language }: TilesProps) {
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
