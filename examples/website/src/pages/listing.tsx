/** One listing. */
import { Cards } from '../components/card.tsx'
import { EnquiryForm, type EnquiryState } from '../components/enquiry-form.tsx'
import { Gallery, PhotoLink } from '../components/gallery.tsx'
import { Icon } from '../components/icons.tsx'
import { MapView } from '../components/map.tsx'
import { photoOf } from '../components/photo.tsx'
import type { Listing, MapCells, Store } from '../estia.ts'
import { euros, joined, kind, link, phoneLink, place, price, priceUnit, words } from '../format.ts'
import { searchPath } from '../search.ts'
import { useVisit, type View, type Visit } from '../visit.ts'
import { Details } from './details.tsx'

const SIMILAR = 4
/** How much cheaper or dearer similar listings are. */
const SIMILAR_PRICE = 0.35
const DESCRIPTION_LENGTH = 160

/** Null if there is no such listing. */
export async function showListing(visit: Visit, id: number, enquiry: EnquiryState): Promise<View | null> {
  const { env, estia, language } = visit
  const listing = await estia.read(id)
  if (!listing) return null
  const { category, availability, price: amount, photos } = listing
  const [similar, stores, schema] = await Promise.all([
    estia.find({
      category,
      availability,
      price: amount === null ? undefined : around(amount),
      sort: '-date_listed',
      // The listing itself is among them.
      per_page: SIMILAR + 1,
    }),
    estia.stores(),
    estia.schema(id, language),
  ])
  const { title, description } = words(listing, visit)
  const about = joined([kind(listing, visit), place(listing, language)], ', ')
  const summary = joined([about, price(listing, language), description], '. ')
  const others = similar.data.filter((other) => other.id !== id).slice(0, SIMILAR)
  return {
    page: {
      path: `/listings/${id}`,
      title,
      description: summary.replace(/\s+/g, ' ').slice(0, DESCRIPTION_LENGTH),
      image: photos[0] && photoOf(photos[0].image, env, 1280),
      schema,
      hasMap: pointOf(listing) !== null,
      // What was typed is in the page.
      isHidden: enquiry.form !== undefined,
    },
    body: (
      <ListingView
        {...{ listing, others, enquiry }}
        store={stores.find(({ id }) => id === listing.store_id)}
      />
    ),
  }
}

const around = (amount: number) => ({
  min: Math.floor(amount * (1 - SIMILAR_PRICE)),
  max: Math.ceil(amount * (1 + SIMILAR_PRICE)),
})

interface ListingViewProps {
  listing: Listing
  /** Similar ones. */
  others: Listing[]
  store: Store | undefined
  enquiry: EnquiryState
}

function ListingView({ listing, others, store, enquiry }: ListingViewProps) {
  const visit = useVisit()
  const { t, language } = visit
  const { title, description, textLanguage } = words(listing, visit)
  const unit = priceUnit(listing, visit)
  const { price_per_sqm, is_negotiable } = listing
  const terms = joined([
    price_per_sqm !== null && `${euros(price_per_sqm, language)} ${t.perSquareMetre}`,
    is_negotiable && t.negotiable,
  ])
  const plans = listing.photos.filter((photo) => photo.kind === 'floor_plan')
  const { address, address_en, postal_code } = listing.location
  const street = language === 'el' ? address : address_en
  const where = joined([street, postal_code, place(listing, language)], ', ')
  return (
    <article class="wide listing">
      <nav class="crumbs" aria-label={t.home}>
        <a href={`/${language}/`}>{t.home}</a>
        <a href={searchPath(language, { availability: listing.availability })}>{kind(listing, visit)}</a>
      </nav>
      <header class="listing-head">
        <div>
          <h1>{title}</h1>
          {where && (
            <p class="place">
              <Icon name="pin" />
              {where}
            </p>
          )}
        </div>
        <div class="listing-price">
          <p class="price">
            {price(listing, language)} {unit && <small>{unit}</small>}
          </p>
          {terms && <p class="quiet">{terms}</p>}
        </div>
      </header>
      <Gallery photos={listing.photos.filter((photo) => photo.kind !== 'floor_plan')} />
      <div class="listing-body">
        <div class="listing-main">
          {description && (
            <section>
              <h2>{t.description}</h2>
              <div class="prose" lang={textLanguage}>
                {description.split(/\n+/).map((paragraph) => (
                  <p>{paragraph}</p>
                ))}
              </div>
            </section>
          )}
          <Details listing={listing} />
          <Media listing={listing} />
          {plans.length > 0 && (
            <section>
              <h2>{t.floorPlans}</h2>
              <ul class="plans">
                {plans.map((plan) => (
                  <li>
                    <PhotoLink photo={plan} alt={t.floorPlan} sizes="(min-width: 64rem) 40rem, 92vw" />
                  </li>
                ))}
              </ul>
            </section>
          )}
          <Place listing={listing} />
        </div>
        <aside class="listing-side" aria-label={t.ask}>
          <div class="contact" id="ask">
            <h2>{t.ask}</h2>
            {store && <p class="quiet">{store.name}</p>}
            {store?.phone && (
              <a class="button-quiet contact-phone" href={phoneLink(store.phone)}>
                <Icon name="phone" />
                {store.phone}
              </a>
            )}
            <EnquiryForm
              action={`/${language}/listings/${listing.id}#ask`}
              types={['information', 'viewing']}
              enquiry={enquiry}
            />
          </div>
        </aside>
      </div>
      {others.length > 0 && (
        <section class="section">
          <h2>{t.similar}</h2>
          <Cards listings={others} heading="h3" />
        </section>
      )}
    </article>
  )
}

/** Links, as a player in the page would bring a third party along. */
function Media({ listing }: { listing: Listing }) {
  const { t } = useVisit()
  const links = [
    { icon: 'tour', text: t.tour, url: link(listing.panorama_tour_url) },
    { icon: 'video', text: t.watchVideo, url: link(listing.video_url) },
    { icon: 'tour', text: t.virtualTour, url: link(listing.virtual_tour_url) },
  ] as const
  if (links.every(({ url }) => !url)) return null
  return (
    <section>
      <h2>{t.media}</h2>
      <ul class="media">
        {links.map(
          ({ icon, text, url }) =>
            url && (
              <li>
                <a href={url.href}>
                  <Icon name={icon} />
                  <span>
                    {text} <small>{t.onSite(url.host)}</small>
                  </span>
                </a>
              </li>
            ),
        )}
      </ul>
    </section>
  )
}

/** The point that the map shows; null if visitors may not see one. */
function pointOf({ id, price, location }: Listing): MapCells[number] | null {
  const { latitude, longitude, precision } = location
  if (latitude === null || longitude === null || precision === 'area') return null
  return { latitude, longitude, precision, count: 1, id, price }
}

function Place({ listing }: { listing: Listing }) {
  const { t } = useVisit()
  const point = pointOf(listing)
  const at = point && `${point.latitude}/${point.longitude}`
  return (
    <section>
      <h2>{t.location}</h2>
      {point && <MapView cells={[point]} />}
      <p class="quiet">
        {t.precision[listing.location.precision]}{' '}
        {point && (
          <a
            href={`https://www.openstreetmap.org/?mlat=${point.latitude}&mlon=${point.longitude}#map=15/${at}`}
          >
            {t.openMap}
          </a>
        )}
      </p>
    </section>
  )
}
