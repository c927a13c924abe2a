/** The listing that an enquiry is about. */
import { useState } from 'hono/jsx/dom'
import { Badge, RecordLink } from '../../parts.tsx'
import { useConsole } from '../../state.ts'
import { type Listing, type Lookups, titleOf } from './data.ts'
import { useEnquiryTexts } from './texts.ts'

/** Width of the picture in pixels, as the service makes it. */
const WIDTH = 320

export function ListingCard({
  id,
  listing,
  lookups,
}: {
  id: number
  listing: Listing | undefined
  lookups: Lookups
}) {
  const { language, formatNumber, nameOf } = useConsole()
  const words = useEnquiryTexts()
  const [isBroken, setBroken] = useState(false)
  if (!listing)
    return (
      <p class="notice">
        {words.listing} {id} {words.listingGone}
      </p>
    )
  const { code, price, status, photos } = listing
  const picture = photos[0]?.watermark_image ?? photos[0]?.original_image
  const title = titleOf(listing, lookups, language) ?? `${words.listing} ${id}`
  return (
    <div class="listing">
      {picture && !isBroken && (
        <img src={smaller(picture)} alt="" loading="lazy" onError={() => setBroken(true)} />
      )}
      <div>
        <strong class="block">
          <RecordLink resource="listings" id={id} title={title} />
        </strong>
        <span class="quiet">
          {[code, price !== null && `€ ${formatNumber(price)}`].filter(Boolean).join(' · ')}
        </span>{' '}
        {status !== 'active' && <Badge kind="warm">{nameOf('listing_status', status)}</Badge>}
      </div>
    </div>
  )
}

/** The address of a smaller copy, of pictures that the service keeps. */
function smaller(address: string): string {
  const url = new URL(address, location.href)
  if (url.pathname.includes('/photos/')) url.searchParams.set('w', String(WIDTH))
  return url.href
}
