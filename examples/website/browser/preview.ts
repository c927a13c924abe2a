/** Shows the listing behind a point in the corner of the map, as a card of the list. */
import * as L from 'leaflet'
import type { MapData } from '../src/components/map.tsx'

/** So that a mouse on its way asks for nothing. */
const HOVER_MS = 150

export interface Previews {
  /** Shows the listing when `link` is pointed at or focused; of touches, the second one follows the link. */
  attach: (link: HTMLAnchorElement, id: number) => void
}

export function openPreviews(map: L.Map, element: HTMLElement, { language, texts }: MapData): Previews {
  const box = document.createElement('div')
  box.className = 'map-preview'
  box.hidden = true
  L.DomEvent.disableClickPropagation(box)
  L.DomEvent.disableScrollPropagation(box)
  const close = document.createElement('button')
  close.type = 'button'
  close.className = 'map-preview-close'
  close.setAttribute('aria-label', texts.closePreview)
  close.textContent = '×'
  const cards = new Map<number, Promise<Element | null>>()
  /** The listing that is shown, or is to be shown once it has come. */
  let current: number | null = null

  /** The card of the list if it is there, otherwise one that the server makes. */
  async function load(id: number): Promise<Element | null> {
    const listed = document.getElementById(`listing-${id}`)
    if (listed) return listed
    const answer = await fetch(`/${language}/listings/${id}/preview`)
    if (!answer.ok) return null
    const holder = document.createElement('template')
    holder.innerHTML = await answer.text()
    return holder.content.firstElementChild
  }

  async function show(id: number): Promise<void> {
    if (current === id) return
    current = id
    const loading = cards.get(id) ?? load(id).catch(() => null)
    cards.set(id, loading)
    const card = (await loading)?.cloneNode(true)
    if (current !== id) return
    if (!(card instanceof Element)) {
      cards.delete(id)
      return hide()
    }
    card.removeAttribute('id')
    // The point is the way for the keyboard.
    for (const link of card.querySelectorAll('a')) link.tabIndex = -1
    box.replaceChildren(card, close)
    box.hidden = false
  }

  function hide(): void {
    current = null
    box.hidden = true
  }

  close.addEventListener('click', hide)
  map.on('click', ({ originalEvent: { target } }) => {
    if (!(target instanceof Element && target.closest('.pin'))) hide()
  })
  element.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') hide()
  })
  element.append(box)

  return {
    attach(link, id) {
      let waiting = 0
      let isTouch = false
      link.addEventListener('pointerenter', ({ pointerType }) => {
        if (pointerType === 'mouse') waiting = window.setTimeout(() => void show(id), HOVER_MS)
      })
      link.addEventListener('pointerleave', () => clearTimeout(waiting))
      link.addEventListener('pointerdown', ({ pointerType }) => {
        isTouch = pointerType !== 'mouse' && current !== id
      })
      link.addEventListener('click', (event) => {
        if (isTouch) event.preventDefault()
        if (isTouch) void show(id)
        isTouch = false
      })
      link.addEventListener('focus', () => {
        if (!isTouch && link.matches(':focus-visible')) void show(id)
      })
    },
  }
}
