/** A photo in the sizes that Estia makes, so that a phone does not load the picture of a desktop. */
import type { Listing } from '../estia.ts'
import { Icon } from './icons.tsx'

export type StoredPhoto = Listing['photos'][number]

const WIDTHS = [320, 640, 960, 1280]

interface PhotoProps {
  photo: Pick<StoredPhoto, 'image' | 'width' | 'height'> | undefined
  /** Where Estia is: pictures from elsewhere have no other sizes. */
  estia: string
  alt: string
  /** How wide it is shown, as the attribute `sizes` says. */
  sizes: string
  /** The photo that visitors see first: loaded at once. */
  isFirst?: boolean
}

/** The address of a photo in a width, as JPEG. */
export const photoOf = (image: string, estia: string, width: number) =>
  image.startsWith(`${estia}/`) ? `${image}?w=${width}` : image

export function Photo({ photo, estia, alt, sizes, isFirst = false }: PhotoProps) {
  if (!photo) {
    return (
      <span class="photo photo-none" role="img" aria-label={alt}>
        <Icon name="camera" />
      </span>
    )
  }
  const { image, width, height } = photo
  const isStored = image.startsWith(`${estia}/`)
  const set = (format: string) => WIDTHS.map((w) => `${image}?w=${w}${format} ${w}w`).join(', ')
  return (
    <picture class="photo">
      {isStored && <source type="image/webp" srcset={set('&format=webp')} sizes={sizes} />}
      <img
        src={photoOf(image, estia, 960)}
        srcset={isStored ? set('') : undefined}
        sizes={isStored ? sizes : undefined}
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
