/** A listing as feeds take it: the public form, and what is said of it in several formats. */
import type { z } from 'zod'
import { FEATURE_GROUPS, type FeatureGroup, featureKey } from '../catalogue/features.ts'
import { presentPublicListing, type publicListing } from '../resources/listings/public/present.ts'
import type { PublicListingRow } from '../resources/listings/public/row.ts'

/** The public form. Kinds of pictures are text, as a later version may have more of them. */
export type FeedListing = Omit<z.output<typeof publicListing>, 'photos'> & {
  photos: readonly { image: string; kind: string }[]
}

/** The public form of a row. `url` makes a public URL of a stored key. */
export function toFeedListing(row: PublicListingRow, url: (key: string) => string): FeedListing {
  return presentPublicListing(row, url) as FeedListing
}

/** A photo at an address that readers of feeds take. */
export interface FeedPicture {
  url: string
  kind: string
}

/** The photos in order, but for those at what is no web address. */
export function picturesOf({ photos }: Pick<FeedListing, 'photos'>): FeedPicture[] {
  return photos.flatMap(({ image, kind }) => {
    const url = webAddress(image)
    return url === null ? [] : [{ url, kind }]
  })
}

/** A web address as the parser of URLs writes it, without spaces, quotes and brackets; null if it is none. */
export function webAddress(text: string): string | null {
  return /^https?:\/\//i.test(text) ? (URL.parse(text)?.href ?? null) : null
}

/** The English labels of all that a listing has: features, positioning, view, flooring. */
export function featureLabels(listing: Pick<FeedListing, FeatureGroup>): string[] {
  return FEATURE_GROUPS.flatMap((group) =>
    listing[group].map((key) => featureKey(group, key)?.name_en ?? key),
  )
}

/** `2026-01-31T18:30:00Z` of a date-time in UTC. */
export function toRfc3339(dateTime: string): string {
  return `${dateTime.replace(' ', 'T')}Z`
}
