/** The offices, and a form to write to them. */
import { OFFICES } from '../agency.ts'
import { EnquiryForm, type EnquiryState } from '../components/enquiry-form.tsx'
import { Icon } from '../components/icons.tsx'
import type { Store } from '../estia.ts'
import { phoneLink } from '../format.ts'
import { searchPath } from '../search.ts'
import { type Language, texts } from '../texts.ts'

interface OfficeProps {
  stores: Store[]
  enquiry: EnquiryState
  language: Language
}

export function Office({ stores, enquiry, language }: OfficeProps) {
  const t = texts[language]
  return (
    <div class="wide office">
      <div>
        <h1>{t.officeTitle}</h1>
        <p class="lead">{t.officeText}</p>
        <ul class="stores">
          {stores.map((store) => (
            <li class="store">
              <h2>{store.name}</h2>
              {store.address && (
                <p class="store-line">
                  <Icon name="pin" />
                  <a href={`https://www.openstreetmap.org/search?query=${encodeURIComponent(store.address)}`}>
                    {store.address}
                  </a>
                </p>
              )}
              {store.phone && (
                <p class="store-line">
                  <Icon name="phone" />
                  <a href={phoneLink(store.phone)}>{store.phone}</a>
                </p>
              )}
              {store.email && (
                <p class="store-line">
                  <Icon name="mail" />
                  <a href={`mailto:${store.email}`}>{store.email}</a>
                </p>
              )}
              {OFFICES[store.id]?.hours.map((line) => (
                <span class="store-hours">{line[language]}</span>
              ))}
              {OFFICES[store.id] && (
                <ul class="store-people" aria-label={t.people}>
                  {OFFICES[store.id]?.people.map(({ name, role }) => (
                    <li>
                      {name[language]} <small>{role[language]}</small>
                    </li>
                  ))}
                </ul>
              )}
              <a class="see-all" href={searchPath(language, { store: store.id })}>
                {t.theirProperties}
                <Icon name="arrow" />
              </a>
            </li>
          ))}
        </ul>
      </div>
      <section class="contact" id="ask">
        <h2>{t.askOffice}</h2>
        <p class="quiet">{t.askText}</p>
        <EnquiryForm
          action={`/${language}/office#ask`}
          types={['information', 'valuation']}
          {...{ enquiry, language }}
        />
      </section>
    </div>
  )
}
