/** Opens the pictures of a listing in a dialog. Without it, each is a link to the picture. */

/** How far a finger goes for another picture, in pixels. */
const SWIPE = 40

const dialog = document.querySelector<HTMLDialogElement>('#lightbox')
const links = [...document.querySelectorAll<HTMLAnchorElement>('a[data-photo]')]
if (dialog) start(dialog)

function start(box: HTMLDialogElement): void {
  const picture = box.querySelector('img')
  const [caption, count] = box.querySelectorAll('figcaption span')
  let current = 0

  function show(index: number): void {
    const link = links.at(index % links.length)
    if (!link || !picture || !caption || !count) return
    current = links.indexOf(link)
    const thumb = link.querySelector('img')
    // What is known of the size keeps the place until the picture is there.
    picture.removeAttribute('src')
    picture.width = Number(thumb?.getAttribute('width')) || 1600
    picture.height = Number(thumb?.getAttribute('height')) || 1200
    picture.src = link.href
    caption.textContent = thumb?.alt ?? ''
    count.textContent = `${current + 1} / ${links.length}`
    const next = links[current + 1]
    if (next) new Image().src = next.href
  }

  const steps: Record<string, () => void> = {
    ArrowLeft: () => show(current - 1),
    ArrowRight: () => show(current + 1),
    Home: () => show(0),
    End: () => show(links.length - 1),
  }
  for (const [index, link] of links.entries())
    link.addEventListener('click', (event) => {
      // Another tab or window is what it always is.
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
      event.preventDefault()
      show(index)
      box.showModal()
    })
  box.addEventListener('keydown', (event) => {
    const step = steps[event.key]
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    step()
  })
  box.querySelector('.lightbox-previous')?.addEventListener('click', () => show(current - 1))
  box.querySelector('.lightbox-next')?.addEventListener('click', () => show(current + 1))
  box.querySelector('.lightbox-close')?.addEventListener('click', () => box.close())
  let from = 0
  box.addEventListener('pointerdown', (event) => {
    from = event.clientX
  })
  box.addEventListener('pointerup', (event) => {
    const way = event.clientX - from
    if (event.pointerType !== 'mouse' && Math.abs(way) > SWIPE) show(current + (way < 0 ? 1 : -1))
    // Beside the picture is out of it.
    else if (event.target === box || event.target === box.querySelector('figure')) box.close()
  })
  box.classList.toggle('lightbox-single', links.length < 2)
}
