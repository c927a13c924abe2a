/** A listing in a list. */
import type { Listing } from '../estia.ts'
import { area, kind, place, price, priceUnit, words } from '../format.ts'
import type { Labels } from '../labels.ts'
import { type Language, texts } from '../texts.ts'
import { Icon } from './icons.tsx'
import { Photo, type PhotoBases } from './photo.tsx'

interface CardsProps {
  listings: Listing[]
  language: Language
  languages: Map<string, number>
  labels: Labels
  estia: PhotoBases
  /** How wide a photo is shown, as the attribute `sizes` says. */
  sizes?: string
  /** Whether the first row is seen at once, so that its photos are loaded first. */
  areFirst?: boolean
  heading?: 'h2' | 'h3'
}

const SIZES = '(min-width: 64rem) 24rem, (min-width: 40rem) 46vw, 92vw'

export function Cards({ listings, sizes = SIZES, areFirst = false, ...rest }: CardsProps) {
  // Three in a row would leave a hole.
  return (
    <ul class={listings.length === 4 ? 'cards cards-four' : 'cards'}>
      {listings.map((listing, index) => (
        <li>
          <Card {...rest} listing={listing} sizes={sizes} isFirst={areFirst && index < 2} />
        </li>
      ))}
    </ul>
  )
}

interface CardProps extends Omit<CardsProps, 'listings' | 'areFirst'> {
  listing: Listing
  isFirst?: boolean
}

export function Card({
  listing,
  language,
  languages,
  labels,
  estia,
  sizes = SIZES,
  isFirst = false,
  heading: Heading = 'h2',
}: CardProps) {
  const t = texts[language]
  const { title } = words(listing, language, languages, labels)
  const unit = priceUnit(listing, labels)
  const where = place(listing, language)
  const photo = listing.photos.find((found) => found.kind !== 'floor_plan')
  return (
    <article class="card" id={`listing-${listing.id}`}>
      <div class="card-photo">
        <Photo photo={photo} estia={estia} alt={photo ? '' : t.noPhoto} sizes={sizes} isFirst={isFirst} />
        {listing.panorama_photos.length > 0 && (
          <span class="badge">
            <Icon name="tour" />
            {t.tour}
          </span>
        )}
      </div>
      <div class="card-text">
        <p class="card-kind">{kind(listing, language, labels)}</p>
        <p class="price">
          {price(listing, language)} {unit && <small>{unit}</small>}
        </p>
        <Heading class="card-title">
          <a href={`/${language}/listings/${listing.id}`}>{title}</a>
        </Heading>
        {where && <p class="card-place">{where}</p>}
        <Facts listing={listing} language={language} />
      </div>
    </article>
  )
}

function Facts({ listing, language }: { listing: Listing; language: Language }) {
  const t = texts[language]
  const size = listing.size ?? listing.land_size
  return (
    <ul class="facts">
      {size !== null && (
        <li>
          <Icon name="size" />
          {area(size, language)}
        </li>
      )}
      {listing.category === 'residential' && !!listing.rooms && (
        <li>
          <Icon name="bed" />
          {listing.rooms} {t.bedroomsShort}
        </li>
      )}
      {!!listing.bathrooms && (
        <li>
          <Icon name="bath" />
          {listing.bathrooms} {t.bathroomsShort}
        </li>
      )}
    </ul>
  )
}
