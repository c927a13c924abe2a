/** Listings in a list. */
import type { Listing } from '../estia.ts'
import { area, kind, place, price, priceUnit, words } from '../format.ts'
import { useVisit } from '../visit.ts'
import { Icon, type IconName } from './icons.tsx'
import { Photo } from './photo.tsx'

interface CardsProps {
  listings: Listing[]
  /** How wide a photo is shown, as the attribute `sizes` says. */
  sizes?: string | undefined
  /** Whether the first row is seen at once, so that its photos are loaded first. */
  areFirst?: boolean
  heading?: 'h2' | 'h3'
}

const SIZES = '(min-width: 64rem) 24rem, (min-width: 40rem) 46vw, 92vw'

export function Cards({ listings, sizes = SIZES, areFirst = false, heading = 'h2' }: CardsProps) {
  // Three in a row would leave a hole.
  return (
    <ul class={listings.length === 4 ? 'cards cards-four' : 'cards'}>
      {listings.map((listing, index) => (
        <li>
          <Card {...{ listing, sizes, heading }} isFirst={areFirst && index < 2} />
        </li>
      ))}
    </ul>
  )
}

interface CardProps {
  listing: Listing
  sizes: string
  isFirst: boolean
  heading: 'h2' | 'h3'
}

function Card({ listing, sizes, isFirst, heading: Heading }: CardProps) {
  const visit = useVisit()
  const { t, language } = visit
  const unit = priceUnit(listing, visit)
  const where = place(listing, language)
  const photo = listing.photos.find((found) => found.kind !== 'floor_plan')
  const size = listing.size ?? listing.land_size
  const facts: [IconName, string | false | null][] = [
    ['size', size !== null && area(size, language)],
    ['bed', listing.category === 'residential' && !!listing.rooms && `${listing.rooms} ${t.bedroomsShort}`],
    ['bath', !!listing.bathrooms && `${listing.bathrooms} ${t.bathroomsShort}`],
  ]
  return (
    <article class="card" id={`listing-${listing.id}`}>
      <div class="card-photo">
        <Photo photo={photo} alt={photo ? '' : t.noPhoto} sizes={sizes} isFirst={isFirst} />
        {listing.panorama_photos.length > 0 && (
          <span class="badge">
            <Icon name="tour" />
            {t.tour}
          </span>
        )}
      </div>
      <div class="card-text">
        <p class="card-kind">{kind(listing, visit)}</p>
        <p class="price">
          {price(listing, language)} {unit && <small>{unit}</small>}
        </p>
        <Heading class="card-title">
          <a href={`/${language}/listings/${listing.id}`}>{words(listing, visit).title}</a>
        </Heading>
        {where && <p class="card-place">{where}</p>}
        <ul class="facts">
          {facts.map(
            ([icon, text]) =>
              text && (
                <li>
                  <Icon name={icon} />
                  {text}
                </li>
              ),
          )}
        </ul>
      </div>
    </article>
  )
}
