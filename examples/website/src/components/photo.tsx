/** A photo in the sizes that Estia makes, so that a phone does not load the picture of a desktop. */
import type { Listing } from '../estia.ts'
import { photoBases, type Settings } from '../settings.ts'
import { useVisit } from '../visit.ts'
import { Icon } from './icons.tsx'

const WIDTHS = [320, 640, 960, 1280]

/** The address of the sizes of a photo, without a query; null if Estia does not store it: then there is one size. */
function sizesOf(image: string, env: Settings): string | null {
  const { sizes, photos } = photoBases(env)
  return image.startsWith(`${photos}/`) ? sizes + image.slice(photos.length) : null
}

/** The address of a photo in a width, as JPEG. */
export function photoOf(image: string, env: Settings, width: number): string {
  const stored = sizesOf(image, env)
  return stored ? `${stored}?w=${width}` : image
}

interface PhotoProps {
  photo: Pick<Listing['photos'][number], 'image' | 'width' | 'height'> | undefined
  alt: string
  /** How wide it is shown, as the attribute `sizes` says. */
  sizes: string
  /** The photo that visitors see first: loaded at once. */
  isFirst?: boolean
}

export function Photo({ photo, alt, sizes, isFirst = false }: PhotoProps) {
  const { env } = useVisit()
  if (!photo) {
    return (
      <span class="photo photo-none" role="img" aria-label={alt}>
        <Icon name="camera" />
      </span>
    )
  }
  const { image, width, height } = photo
  const stored = sizesOf(image, env)
  const set = (format: string) => WIDTHS.map((w) => `${stored}?w=${w}${format} ${w}w`).join(', ')
  return (
    <picture class="photo">
      {stored && <source type="image/webp" srcset={set('&format=webp')} sizes={sizes} />}
      <img
        src={photoOf(image, env, 960)}
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
