/** One listing. */
import { Cards } from '../components/card.tsx'
import { EnquiryForm, type EnquiryState } from '../components/enquiry-form.tsx'
import { Gallery } from '../components/gallery.tsx'
import { Icon } from '../components/icons.tsx'
import { type MapData, MapView } from '../components/map.tsx'
import { Photo } from '../components/photo.tsx'
import type { Listing, Store } from '../estia.ts'
import { area, euros, kind, place, price, priceUnit, words } from '../format.ts'
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
  estia: string
}

export function ListingView(props: ListingViewProps) {
  const { listing, similar, features, map, language, languages, estia } = props
  const t = texts[language]
  const { title, description, spoken } = words(listing, language, languages)
  const all = listing.photos
  const plans = all.filter((photo) => photo.kind === 'floor_plan')
  const photos = all.filter((photo) => photo.kind !== 'floor_plan')
  return (
    <article class="wide listing">
      <nav class="crumbs" aria-label={t.home}>
        <a href={`/${language}/`}>{t.home}</a>
        <a href={searchPath(language, { availability: listing.availability })}>{kind(listing, language)}</a>
      </nav>
      <header class="listing-head">
        <div>
          <h1>{title}</h1>
          <p class="place">
            <Icon name="pin" />
            {address(listing, language)}
          </p>
        </div>
        <Price listing={listing} language={language} />
      </header>
      <Gallery photos={photos} {...{ language, languages, estia }} />
      <div class="listing-body">
        <div class="listing-main">
          <KeyFacts listing={listing} language={language} />
          {description && (
            <section>
              <h2>{t.description}</h2>
              <div class="prose" lang={spoken}>
                {description.split(/\n+/).map((paragraph) => (
                  <p>{paragraph}</p>
                ))}
              </div>
            </section>
          )}
          <Details {...{ listing, features, language }} />
          {listing.panorama_tour_url && <Tour {...{ listing, language, estia }} />}
          {plans.length > 0 && (
            <section>
              <h2>{t.floorPlans}</h2>
              <ul class="plans">
                {plans.map((plan) => (
                  <li>
                    <a href={plan.image}>
                      <Photo
                        photo={plan}
                        estia={estia}
                        alt={t.floorPlan}
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
      {similar.length > 0 && (
        <section class="section">
          <h2>{t.similar}</h2>
          <Cards listings={similar} {...{ language, languages, estia }} heading="h3" />
        </section>
      )}
    </article>
  )
}

function address(listing: Listing, language: Language): string {
  const { address: greek, address_en, postal_code } = listing.location
  const street = language === 'el' ? greek : address_en
  return [street, postal_code, place(listing, language)].filter((part) => part).join(', ')
}

function Price({ listing, language }: { listing: Listing; language: Language }) {
  const t = texts[language]
  const unit = priceUnit(listing, language)
  return (
    <div class="listing-price">
      <p class="price">
        {price(listing, language)} {unit && <small>{unit}</small>}
      </p>
      <p class="quiet">
        {listing.price_per_sqm !== null && `${euros(listing.price_per_sqm, language)} ${t.perSquareMetre}`}
        {listing.is_negotiable && ` · ${t.negotiable}`}
      </p>
    </div>
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
  return (
    <div class="contact" id="ask">
      <h2>{t.ask}</h2>
      {store && <p class="quiet">{store.name}</p>}
      {store?.phone && (
        <a class="button-quiet contact-phone" href={`tel:${store.phone.replace(/[^+\d]/g, '')}`}>
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
        {t.code} {listing.code ?? listing.id} · {listing.size !== null && area(listing.size, language)}
      </p>
    </div>
  )
}
