/** The offices, and a form to write to them. */
import { OFFICES } from '../agency.ts'
import { EnquiryForm, type EnquiryState } from '../components/enquiry-form.tsx'
import { Icon } from '../components/icons.tsx'
import type { Store } from '../estia.ts'
import { phoneLink } from '../format.ts'
import { searchPath } from '../search.ts'
import { useVisit, type View, type Visit } from '../visit.ts'

export async function showOffice({ estia, t }: Visit, enquiry: EnquiryState): Promise<View> {
  const stores = await estia.stores()
  return {
    page: {
      path: '/office',
      title: t.officeTitle,
      description: t.officeText,
      isHidden: enquiry.form !== undefined,
    },
    body: <Office {...{ stores, enquiry }} />,
  }
}

function Office({ stores, enquiry }: { stores: Store[]; enquiry: EnquiryState }) {
  const { t, language } = useVisit()
  return (
    <div class="wide office">
      <div>
        <h1>{t.officeTitle}</h1>
        <p class="lead">{t.officeText}</p>
        <ul class="stores">
          {stores.map((store) => (
            <li class="store">
              <h2>{store.name}</h2>
              {contactsOf(store).map(
                ({ icon, text, href }) =>
                  text && (
                    <p class="store-line">
                      <Icon name={icon} />
                      <a href={href}>{text}</a>
                    </p>
                  ),
              )}
              {(['hours', 'people'] as const).map((kind) =>
                OFFICES[store.id]?.[kind].map((line) => <span class="store-hours">{line[language]}</span>),
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
          enquiry={enquiry}
        />
      </section>
    </div>
  )
}

function contactsOf({ address, phone, email }: Store) {
  const map = `https://www.openstreetmap.org/search?query=${encodeURIComponent(address ?? '')}`
  return [
    { icon: 'pin', text: address, href: map },
    { icon: 'phone', text: phone, href: phoneLink(phone ?? '') },
    { icon: 'mail', text: email, href: `mailto:${email}` },
  ] as const
}
