/** The photos of a listing: five at once, the others on demand. Each leads to the whole picture. */
import type { Listing } from '../estia.ts'
import { useVisit } from '../visit.ts'
import { Icon } from './icons.tsx'
import { Photo } from './photo.tsx'

const SHOWN = 5

type Stored = Listing['photos'][number]

export function Gallery({ photos }: { photos: Stored[] }) {
  const { t } = useVisit()
  const total = photos.length
  const items = photos.map((photo, index) => (
    <li>
      <PhotoLink
        photo={photo}
        alt={t.photo(index + 1, total)}
        sizes={index === 0 ? '(min-width: 64rem) 50rem, 92vw' : '(min-width: 64rem) 25rem, 92vw'}
        isFirst={index === 0}
      />
    </li>
  ))
  if (total === 0) {
    return (
      <div class="gallery-none">
        <Icon name="camera" />
        <p>{t.noPhoto}</p>
      </div>
    )
  }
  return (
    <section class="gallery" aria-label={t.photos}>
      <ul class={`mosaic mosaic-${Math.min(total, SHOWN)}`}>{items.slice(0, SHOWN)}</ul>
      {total > SHOWN && (
        <details class="more">
          <summary>{t.morePhotos(total - SHOWN)}</summary>
          <ul class="rest">{items.slice(SHOWN)}</ul>
        </details>
      )}
    </section>
  )
}

interface PhotoLinkProps {
  photo: Stored
  /** What it is called if it has no caption in the language. */
  alt: string
  sizes: string
  isFirst?: boolean
}

export function PhotoLink({ photo, alt, sizes, isFirst = false }: PhotoLinkProps) {
  const { language, names } = useVisit()
  const own = photo.captions.find(({ language_id }) => language_id === names.languages.get(language))
  return (
    <a href={photo.image}>
      <Photo {...{ photo, sizes, isFirst }} alt={own?.caption ?? alt} />
    </a>
  )
}
