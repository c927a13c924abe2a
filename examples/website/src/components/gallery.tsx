/** The photos of a listing: five at once, the others on demand. Each opens in full. */
import { captionOf } from '../captions.ts'
import { type Language, texts } from '../texts.ts'
import { Icon } from './icons.tsx'
import { Photo, type StoredPhoto } from './photo.tsx'

const SHOWN = 5

interface GalleryProps {
  photos: (Omit<StoredPhoto, 'kind'> & { kind: string })[]
  language: Language
  languages: Map<string, number>
  estia: string
}

export function Gallery({ photos, language, languages, estia }: GalleryProps) {
  const t = texts[language]
  const total = photos.length
  const items = photos.map((photo, index) => (
    <li>
      <a href={photo.image}>
        <Photo
          photo={photo}
          estia={estia}
          alt={captionOf(photo, languages.get(language)) ?? t.photo(index + 1, total)}
          sizes={index === 0 ? '(min-width: 64rem) 50rem, 92vw' : '(min-width: 64rem) 25rem, 92vw'}
          isFirst={index === 0}
        />
      </a>
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
