/** The photos of a listing: five at once, the others on demand. Each opens in full, in a dialog of `browser/gallery.ts`. */
import { captionOf } from '../captions.ts'
import { type Language, texts } from '../texts.ts'
import { Icon } from './icons.tsx'
import { Photo, type PhotoBases, type StoredPhoto } from './photo.tsx'

const SHOWN = 5

interface GalleryProps {
  photos: (Omit<StoredPhoto, 'kind'> & { kind: string })[]
  language: Language
  languages: Map<string, number>
  estia: PhotoBases
}

export function Gallery({ photos, language, languages, estia }: GalleryProps) {
  const t = texts[language]
  const total = photos.length
  const items = photos.map((photo, index) => (
    <li>
      <a href={photo.image} data-photo>
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

/** The dialog that shows one picture after another; `browser/gallery.ts` opens it. */
export function Lightbox({ language }: { language: Language }) {
  const t = texts[language]
  return (
    <dialog class="lightbox" id="lightbox" aria-label={t.photos}>
      <figure>
        <img alt="" />
        <figcaption>
          <span class="lightbox-caption" aria-live="polite" />
          <span class="lightbox-count" />
        </figcaption>
      </figure>
      <button type="button" class="lightbox-previous" aria-label={t.previous}>
        <Icon name="back" />
      </button>
      <button type="button" class="lightbox-next" aria-label={t.next}>
        <Icon name="forward" />
      </button>
      <button type="button" class="lightbox-close" aria-label={t.closeDialog}>
        <Icon name="close" />
      </button>
    </dialog>
  )
}
