/** One listing. */
import { captionOf } from '../captions.ts'
import { Cards } from '../components/card.tsx'
import { EnquiryForm, type EnquiryState } from '../components/enquiry-form.tsx'
import { Gallery, Lightbox } from '../components/gallery.tsx'
import { Icon } from '../components/icons.tsx'
import { type MapData, MapView } from '../components/map.tsx'
import { Photo, type PhotoBases } from '../components/photo.tsx'
import type { Listing, Store } from '../estia.ts'
import { area, euros, joined, kind, link, phoneLink, place, price, priceUnit, words } from '../format.ts'
import type { Labels } from '../labels.ts'
import { searchPath } from '../search.ts'
import { type Language, texts } from '../texts.ts'
import { Details, KeyFacts } from './listing-details.tsx'

interface ListingViewProps {
  listing: Listing
  similar: Listing[]
  store: Store | undefined
  features: Map<string, string>
  map: MapData | null
  enquiry: EnquiryState
  language: Language
  languages: Map<string, number>
  labels: Labels
  estia: PhotoBases
}

export function ListingView(props: ListingViewProps) {
  const { listing, similar, features, map, language, languages, labels, estia } = props
  const t = texts[language]
  const { title, description, textLanguage } = words(listing, language, languages, labels)
  const all = listing.photos
  const plans = all.filter((photo) => photo.kind === 'floor_plan')
  const photos = all.filter((photo) => photo.kind !== 'floor_plan')
  const where = address(listing, language)
  return (
    <article class="wide listing">
      <nav class="crumbs" aria-label={t.home}>
        <a href={`/${language}/`}>{t.home}</a>
        <a href={searchPath(language, { availability: listing.availability })}>
          {kind(listing, language, labels)}
        </a>
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
        <Price listing={listing} labels={labels} language={language} />
      </header>
      <Gallery photos={photos} {...{ language, languages, estia }} />
      <div class="listing-body">
        <div class="listing-main">
          <KeyFacts listing={listing} language={language} />
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
          <Details {...{ listing, features, labels, language }} />
          <Media listing={listing} language={language} />
          {listing.panorama_tour_url && <Tour {...{ listing, language, estia }} />}
          {plans.length > 0 && (
            <section>
              <h2>{t.floorPlans}</h2>
              <ul class="plans">
                {plans.map((plan) => (
                  <li>
                    <a href={plan.image} data-photo>
                      <Photo
                        photo={plan}
                        estia={estia}
                        alt={captionOf(plan, languages.get(language)) ?? t.floorPlan}
                        sizes="(min-width: 64rem) 40rem, 92vw"
                      />
                    </a>
                  </li>
                ))}
              </ul>
            </section>
          )}
          <section>
            <h2>{t.location}</h2>
            <Place listing={listing} map={map} language={language} />
          </section>
        </div>
        <aside class="listing-side" aria-label={t.ask}>
          <Contact {...props} />
        </aside>
      </div>
      <CallBar {...props} />
      {similar.length > 0 && (
        <section class="section">
          <h2>{t.similar}</h2>
          <Cards listings={similar} {...{ language, languages, labels, estia }} heading="h3" />
        </section>
      )}
      {all.length > 0 && <Lightbox language={language} />}
    </article>
  )
}

function address(listing: Listing, language: Language): string {
  const { address: greek, address_en, postal_code } = listing.location
  const street = language === 'el' ? greek : address_en
  return joined([street, postal_code, place(listing, language)], ', ')
}

function Price({ listing, labels, language }: Pick<ListingViewProps, 'listing' | 'labels' | 'language'>) {
  const t = texts[language]
  const unit = priceUnit(listing, labels)
  const { price_per_sqm, is_negotiable } = listing
  const terms = joined([
    price_per_sqm !== null && `${euros(price_per_sqm, language)} ${t.perSquareMetre}`,
    is_negotiable && t.negotiable,
  ])
  return (
    <div class="listing-price">
      <p class="price">
        {price(listing, language)} {unit && <small>{unit}</small>}
      </p>
      {terms && <p class="quiet">{terms}</p>}
    </div>
  )
}

/** What the agency has elsewhere. Links, as a player in the page would bring a third party along. */
function Media({ listing, language }: Pick<ListingViewProps, 'listing' | 'language'>) {
  const t = texts[language]
  const video = link(listing.video_url)
  const tour = link(listing.virtual_tour_url)
  if (!video && !tour) return null
  return (
    <section>
      <h2>{t.media}</h2>
      <ul class="media">
        {video && (
          <li>
            <a href={video.href}>
              <Icon name="video" />
              <span>
                {t.watchVideo} <small>{t.onSite(video.host)}</small>
              </span>
            </a>
          </li>
        )}
        {tour && (
          <li>
            <a href={tour.href}>
              <Icon name="tour" />
              <span>
                {t.virtualTour} <small>{t.onSite(tour.host)}</small>
              </span>
            </a>
          </li>
        )}
      </ul>
    </section>
  )
}

/** On small screens, the office is never further than a thumb. */
function CallBar({ store, language }: ListingViewProps) {
  const t = texts[language]
  return (
    <p class="call-bar">
      {store?.phone && (
        <a class="button" href={phoneLink(store.phone)}>
          <Icon name="phone" />
          {t.call}
        </a>
      )}
      <a class={store?.phone ? 'button-quiet' : 'button'} href="#ask">
        <Icon name="mail" />
        {t.askShort}
      </a>
    </p>
  )
}

function Tour({ listing, language, estia }: Pick<ListingViewProps, 'listing' | 'language' | 'estia'>) {
  const t = texts[language]
  const [first] = listing.panorama_photos
  if (!listing.panorama_tour_url) return null
  return (
    <section>
      <h2>{t.tour}</h2>
      <a class="tour" href={listing.panorama_tour_url}>
        <Photo
          photo={first && { image: first.image, width: null, height: null }}
          estia={estia}
          alt=""
          sizes="(min-width: 64rem) 44rem, 92vw"
        />
        <span class="tour-text">
          <span>{t.tourText}</span>
          <strong class="button">
            <Icon name="tour" />
            {t.openTour}
          </strong>
        </span>
      </a>
    </section>
  )
}

function Place({ listing, map, language }: Pick<ListingViewProps, 'listing' | 'map' | 'language'>) {
  const t = texts[language]
  const { precision, latitude, longitude } = listing.location
  const hint = { exact: t.exactPoint, circle: t.circle, area: t.areaOnly }[precision]
  return (
    <>
      {map && <MapView data={map} />}
      <p class="quiet">
        {hint}{' '}
        {latitude !== null && longitude !== null && (
          <a
            href={`https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=15/${latitude}/${longitude}`}
          >
            {t.openMap}
          </a>
        )}
      </p>
    </>
  )
}

function Contact({ listing, store, enquiry, language }: ListingViewProps) {
  const t = texts[language]
  const size = listing.size ?? listing.land_size
  return (
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
        {...{ enquiry, language }}
      />
      <p class="quiet">
        {joined([`${t.code} ${listing.code ?? listing.id}`, size !== null && area(size, language)])}
      </p>
    </div>
  )
}
