/** A photo in the sizes that Estia makes, so that a phone does not load the picture of a desktop. */
import type { Listing } from '../estia.ts'
import { Icon } from './icons.tsx'

export type StoredPhoto = Listing['photos'][number]

const WIDTHS = [320, 640, 960, 1280]

/** Where Estia makes sizes, and where the photos are that it stores: those from elsewhere have no other sizes. */
export interface PhotoBases {
  sizes: string
  photos: string
}

interface PhotoProps {
  photo: Pick<StoredPhoto, 'image' | 'width' | 'height'> | undefined
  estia: PhotoBases
  alt: string
  /** How wide it is shown, as the attribute `sizes` says. */
  sizes: string
  /** The photo that visitors see first: loaded at once. */
  isFirst?: boolean
}

/** The address of the sizes of a photo, without a query; null if Estia does not store it. */
const sizesOf = (image: string, { sizes, photos }: PhotoBases) =>
  image.startsWith(`${photos}/`) ? sizes + image.slice(photos.length) : null

/** The address of a photo in a width, as JPEG. */
export function photoOf(image: string, bases: PhotoBases, width: number): string {
  const stored = sizesOf(image, bases)
  return stored ? `${stored}?w=${width}` : image
}

export function Photo({ photo, estia, alt, sizes, isFirst = false }: PhotoProps) {
  if (!photo) {
    return (
      <span class="photo photo-none" role="img" aria-label={alt}>
        <Icon name="camera" />
      </span>
    )
  }
  const { image, width, height } = photo
  const stored = sizesOf(image, estia)
  const set = (format: string) => WIDTHS.map((w) => `${stored}?w=${w}${format} ${w}w`).join(', ')
  return (
    <picture class="photo">
      {stored && <source type="image/webp" srcset={set('&format=webp')} sizes={sizes} />}
      <img
        src={photoOf(image, estia, 960)}
        srcset={stored ? set('') : undefined}
        sizes={stored ? sizes : undefined}
        width={width ?? undefined}
        height={height ?? undefined}
        alt={alt}
        loading={isFirst ? 'eager' : 'lazy'}
        fetchpriority={isFirst ? 'high' : undefined}
        decoding="async"
      />
    </picture>
  )
}
