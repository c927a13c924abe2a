/** What follows an enquiry: its reference, the next steps, and something to look at in the meantime. */

import { Cards } from '../components/card.tsx'
import { Icon } from '../components/icons.tsx'
import type { PhotoBases } from '../components/photo.tsx'
import type { Listing, Store } from '../estia.ts'
import { phoneLink } from '../format.ts'
import type { Labels } from '../labels.ts'
import { searchPath } from '../search.ts'
import { type Language, texts } from '../texts.ts'

interface ThankYouProps {
  listing: Listing | null
  others: Listing[]
  store: Store | undefined
  reference: string | null
  language: Language
  languages: Map<string, number>
  labels: Labels
  estia: PhotoBases
}

export function ThankYou({ listing, others, store, reference, ...shared }: ThankYouProps) {
  const { language } = shared
  const t = texts[language]
  return (
    <div class="wide message">
      <h1>{t.sentTitle}</h1>
      <p class="lead">{t.sentText}</p>
      {reference && (
        <p class="reference">
          {t.reference} <strong>{reference}</strong>
        </p>
      )}
      <section class="next">
        <h2>{t.nextTitle}</h2>
        <ol>
          {t.nextSteps.map((step) => (
            <li>{step}</li>
          ))}
        </ol>
        {store?.phone && (
          <p>
            {t.urgent}{' '}
            <a class="next-phone" href={phoneLink(store.phone)}>
              <Icon name="phone" />
              {store.phone}
            </a>
          </p>
        )}
      </section>
      <p class="message-links">
        {listing && (
          <a class="button" href={`/${language}/listings/${listing.id}`}>
            {t.backToListing}
          </a>
        )}
        <a class={listing ? 'button-quiet' : 'button'} href={searchPath(language)}>
          {t.allProperties}
        </a>
      </p>
      {others.length > 0 && (
        <section class="section">
          <h2>{t.meanwhile}</h2>
          <Cards listings={others} {...shared} heading="h3" />
        </section>
      )}
    </div>
  )
}
